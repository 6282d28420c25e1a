"""Answers the requests of one test of the suite in place of the web.

`l2-resource-asset-archive` downloads two files from an address that it has built in. Programs that
have the variables of `Web.environment` send their requests to a proxy on this machine, which has a
certificate for that address and the files. It refuses everything else.
"""

import http.server
import os
import pathlib
import posixpath
import ssl
import subprocess
import threading

HOST = "raw.githubusercontent.com"
DIRECTORY = "/cmd/pulumi-test-language/tests/testdata/l2-resource-asset-archive"


class Web:
    def __init__(self, files, place):
        """Serves the files of a directory; the certificate is kept in another one."""
        place = pathlib.Path(place)
        certificate, key = place / "certificate.pem", place / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-noenc", "-days", "2"]
            + ["-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}"]
            + ["-keyout", key, "-out", certificate],
            check=True,
            capture_output=True,
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        handler = type("", (Handler,), {"files": pathlib.Path(files), "context": context})
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.environment = {
            "HTTPS_PROXY": f"http://127.0.0.1:{self.server.server_port}",
            "NO_PROXY": "localhost,127.0.0.1",
            "SSL_CERT_FILE": os.fspath(certificate),
        }

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_CONNECT(self):
        if self.path != f"{HOST}:443":
            return self.send_error(403)
        self.send_response(200)
        self.end_headers()
        self.request = self.context.wrap_socket(self.request, server_side=True)
        # The requests that follow come through the encrypted connection.
        self.setup()
        self.close_connection = False

    def do_GET(self):
        directory, name = posixpath.split(self.path)
        names = [path.name for path in self.files.iterdir()]
        if not directory.endswith(DIRECTORY) or name not in names:
            return self.send_error(404)
        content = (self.files / name).read_bytes()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass
