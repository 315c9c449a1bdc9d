# SPDX-License-Identifier: GPL-3.0-or-later
"""links.py DIRECTORY: every link of the pages (HTML) in a directory leads to a file in it, every
anchor is there, and no page takes anything from elsewhere. Prints what is wrong; else the number of
links."""

import os
import sys
import urllib.parse
from html.parser import HTMLParser

LOADS = {("img", "src"), ("script", "src"), ("link", "href")}


class Page(HTMLParser):
    """What a page links to, what it loads, and the anchors it has."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        for key, value in attrs:
            if key in ("id", "name"):
                self.anchors.add(value)
            elif (tag, key) in LOADS:
                self.loads.append(value)
            elif (tag, key) == ("a", "href"):
                self.links.append(value)


def main(top):
    pages, problems, count = {}, [], 0
    for folder, _, files in os.walk(top):
        for name in files:
            if name.endswith(".html"):
                pages[os.path.join(folder, name)] = Page(os.path.join(folder, name))
    for path, page in pages.items():
        if os.path.basename(path) == "404.html":
            continue  # its links are those of a server
        for link in page.links + page.loads:
            parts = urllib.parse.urlsplit(link or "")
            if parts.scheme or parts.netloc:
                if link in page.loads and parts.scheme != "data":
                    problems.append(f"{path}: loads {link}")
                continue
            count += 1
            target = os.path.normpath(os.path.join(os.path.dirname(path),
                                                   urllib.parse.unquote(parts.path)))
            target = path if not parts.path else target
            if not os.path.isfile(target):
                problems.append(f"{path}: no file for {link}")
            elif parts.fragment and target in pages:
                if urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
                    problems.append(f"{path}: no anchor for {link}")
    print("\n".join(problems) if problems else f"{len(pages)} pages, {count} links")
    return 1 if problems or count < 100 else 0


sys.exit(main(sys.argv[1]))
