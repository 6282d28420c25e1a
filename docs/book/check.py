#!/usr/bin/env python3
"""Checks the book: links and their anchors lead somewhere, each code has its page, to which
its diagnostics link, and the search finds things.

    python3 docs/book/check.py SITE PCL [CHROMIUM [PICTURES]]

Without a browser, the search is left out. PICTURES is a directory that gets pictures of some pages
at three widths.
"""

import functools
import html.parser
import http.server
import json
import pathlib
import re
import subprocess
import sys
import threading
import urllib.parse

WIDTHS = {"phone": 500, "tablet": 900, "desktop": 1400}
LOOKED_AT = ["index.html", "configuration.html", "reference/blocks/resource.html", "codes/PCL0601.html"]


class Page(html.parser.HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.anchors.add(attributes["id"])
        for name in ("href", "src"):
            if attributes.get(name):
                self.links.append(attributes[name])


def dead_links(site):
    pages = {path: Page(path.read_text()) for path in sorted(site.rglob("*.html"))}
    count = 0
    for path, page in pages.items():
        # The page of the server for what is not there has absolute links; the page for printing repeats all others.
        if path.name in ("404.html", "print.html"):
            continue
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            target = path if not parts.path else (path.parent / urllib.parse.unquote(parts.path)).resolve()
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                yield f"{path.relative_to(site)}: {link}: there is no such file"
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
                yield f"{path.relative_to(site)}: {link}: there is no such heading"
    print(f"{count} links in {len(pages)} pages")


def missing_codes(site, pcl):
    said = subprocess.run([pcl, "explain", "--all"], capture_output=True, text=True, check=True).stdout
    codes = re.findall(r"^## (PCL\d{4}) (\S+)$", said, re.MULTILINE)
    if not codes:
        yield "`pcl explain --all` has no codes"
    for code, name in codes:
        page = site / "codes" / f"{code}.html"
        if not page.is_file() or name not in page.read_text():
            yield f"there is no page about {code} {name}"


def wrong_address(site, pcl):
    """Reports if diagnostics link to something else than the page of their code in the book."""
    command = [pcl, "check", "--output-format", "json", "-"]
    said = subprocess.run(command, input="a = lenght(1)\n", capture_output=True, text=True).stdout
    (address,) = {diagnostic["url"] for diagnostic in json.loads(said)["programs"][0]["diagnostics"]}
    manifest = (pathlib.Path(__file__).parents[2] / "Cargo.toml").read_text()
    home = re.search(r'^homepage = "(.*)"$', manifest, re.MULTILINE)[1]
    if not (site / address.removeprefix(home).lstrip("/")).is_file():
        yield f"diagnostics link to {address}, which is no page of the book"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Browser:
    def __init__(self, chromium, site):
        self.chromium = chromium
        serve = functools.partial(Quiet, directory=site)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def run(self, page, width, *flags):
        address = f"http://127.0.0.1:{self.server.server_port}/{page}"
        command = [self.chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},1000"]
        command += ["--hide-scrollbars", "--virtual-time-budget=5000", *flags, address]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


def failed_searches(browser):
    for words, page in [("PCL0601", "codes/PCL0601.html"), ("leniencies", "configuration.html")]:
        found = browser.run(f"index.html?search={words}", 1400, "--dump-dom")
        results = found.partition('id="mdbook-searchresults"')[2]
        if page not in results:
            yield f"the search for {words} does not find {page}"


def main():
    site, pcl, *browser = sys.argv[1:]
    site = pathlib.Path(site).resolve()
    wrong = [*dead_links(site), *missing_codes(site, pcl), *wrong_address(site, pcl)]
    if browser:
        chromium = Browser(browser[0], site)
        wrong += failed_searches(chromium)
        for picture in browser[1:]:
            folder = pathlib.Path(picture).resolve()
            folder.mkdir(parents=True, exist_ok=True)
            for page in LOOKED_AT:
                for name, width in WIDTHS.items():
                    place = folder / f"{page.replace('/', '-').removesuffix('.html')}-{name}.png"
                    chromium.run(page, width, f"--screenshot={place}")
    if wrong:
        sys.exit("\n".join(wrong))


main()
