"""An editor in a script: it starts a language server, sends requests and waits for the answers."""

import collections
import json
import os
import queue
import subprocess
import threading
import time
import urllib.parse

# Far beyond what any answer takes.
PATIENCE = 60

# What a current editor can do.
CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "diagnostic": {},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "definition": {"linkSupport": True},
        "completion": {"completionItem": {"snippetSupport": True, "labelDetailsSupport": True}},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "resolveSupport": {"properties": ["edit"]},
        },
        "semanticTokens": {
            "requests": {"full": {"delta": True}, "range": True},
            "tokenTypes": [],
            "tokenModifiers": [],
            "formats": ["relative"],
            "multilineTokenSupport": True,
        },
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}


class Failed(Exception):
    """A request that was answered with an error."""


def uri(path):
    return "file://" + urllib.parse.quote(str(path))


class Client:
    """One server with the messages that it sent."""

    def __init__(self, command, folder, capabilities=CAPABILITIES, environment=None):
        self.folder = folder
        self.server = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
        )
        self.number = 0
        self.messages = queue.Queue()
        self.responses = {}
        self.others = collections.deque()
        threading.Thread(target=self._read, daemon=True).start()
        self.initialized = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": uri(folder),
                "workspaceFolders": [{"uri": uri(folder), "name": "test"}],
                "capabilities": capabilities,
            },
        )
        self.notify("initialized", {})

    def _read(self):
        stream = self.server.stdout
        while True:
            length = None
            while line := stream.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if length is None:
                self.messages.put(None)
                return
            self.messages.put((time.perf_counter(), json.loads(stream.read(length))))

    def send_bytes(self, body):
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def send(self, message):
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def start(self, method, params):
        """Sends a request and returns its number."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        return self.number

    def finish(self, number):
        """Waits for the response to a request."""
        while number not in self.responses:
            received = self.messages.get(timeout=PATIENCE)
            if received is None:
                raise EOFError("the server has ended")
            at, message = received
            if "method" in message:
                self.others.append(message)
                if "id" in message:
                    self.send({"id": message["id"], "result": None})
            else:
                self.responses[message["id"]] = (at, message)
        self.answered, message = self.responses.pop(number)
        if "error" in message:
            raise Failed(message["error"])
        return message["result"]

    def request(self, method, params):
        return self.finish(self.start(method, params))

    def open(self, path, text):
        document = {"uri": uri(path), "languageId": "pcl", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, path, version, changes):
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri(path), "version": version}, "contentChanges": changes},
        )

    def diagnostics(self, path):
        return self.request("textDocument/diagnostic", {"textDocument": {"uri": uri(path)}})["items"]

    def exit(self):
        """Ends the server and returns its status."""
        self.request("shutdown", None)
        self.notify("exit", None)
        self.server.stdin.close()
        return self.server.wait(timeout=PATIENCE)

    def memory(self):
        """The resident set of the server in KiB."""
        with open(f"/proc/{self.server.pid}/status") as status:
            for line in status:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1])
        return 0
