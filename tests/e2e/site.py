"""site.py DOCS TREE: what is wrong with the links of a built site, and what it must not have. Exits with 1 and a line for each."""
import os, re, sys, urllib.parse
from html.parser import HTMLParser

docs, tree = (os.path.realpath(a) for a in sys.argv[1:])


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.ids = [], [], set()
        with open(path, encoding="utf-8") as f:
            self.feed(f.read())

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.ids |= {a[k] for k in ("id", "name") if a.get(k)}
        if "href" in a:
            (self.links if tag == "a" else self.loads).append(a["href"])
        if "src" in a:
            self.loads.append(a["src"])


files = {os.path.join(at, name) for at, _, names in os.walk(docs) for name in names}
pages = {f: Page(f) for f in files if f.endswith(".html")}
wrong = []
for path, page in sorted(pages.items()):
    if os.path.basename(path) == "404.html":  # its links begin at the root of a server
        continue
    for link in page.links + page.loads:
        at = urllib.parse.urlsplit(link)
        if at.scheme or at.netloc:
            if link in page.loads and at.scheme != "data":
                wrong.append(f"{path}: loads {link}")
            continue
        target = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(at.path))) if at.path else path
        target = os.path.join(target, "index.html") if target == docs else target
        if target not in files:
            wrong.append(f"{path}: no file for {link}")
        elif at.fragment and target in pages and urllib.parse.unquote(at.fragment) not in pages[target].ids | {"__skip"}:
            wrong.append(f"{path}: no anchor for {link}")
for path in sorted(files):
    if re.search(r"\.(html|css|js|json|svg|xml)$", path):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        wrong += [f"{path}: has {place}" for place in (tree, os.path.expanduser("~") + "/") if place in text]
print("\n".join(wrong) or f"{len(pages)} pages")
sys.exit(bool(wrong) or len(pages) < 50)
