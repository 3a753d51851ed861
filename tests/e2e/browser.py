#!/usr/bin/env python3
"""A page as a browser shows it: headless Chromium, asked over its pipe (Chrome DevTools Protocol).

    browser.py PAGE.html DIR   prints a JSON object: what the page is made of, and whatever went wrong;
                               DIR gets light.png, dark.png and page.pdf
"""
import base64, fcntl, json, os, struct, subprocess, sys, tempfile, zlib

OUTLINE = """(() => {
  const wide = document.documentElement, seen = [];
  for (const e of document.querySelectorAll('h1,h2,h3,table,figure img,.plot,details,nav a')) {
    const box = e.getBoundingClientRect(), open = !e.closest('details:not([open])') || e.tagName === 'DETAILS';
    seen.push({tag: e.tagName.toLowerCase(), text: e.tagName[0] === 'H' ? e.textContent : '', width: box.width,
               height: box.height, top: box.top + scrollY, shown: open, rows: e.rows ? e.rows.length : 0});
  }
  const style = getComputedStyle(document.body), ids = [...document.querySelectorAll('[id]')].map(e => e.id);
  return {outline: seen, overflow: wide.scrollWidth - wide.clientWidth, ground: style.backgroundColor,
          text: style.color, height: wide.scrollHeight, twice: ids.filter((id, i) => ids.indexOf(id) !== i),
          broken: [...document.querySelectorAll('nav a[href^="#"]')].filter(a => !document.getElementById(a.hash.slice(1))).length,
          scripts: document.scripts.length, title: document.title};
})()"""

# What a reader opens is open on paper. Styles of another medium are in force from the next frame on.
PRINTED = """new Promise(shown => requestAnimationFrame(() => requestAnimationFrame(shown))).then(() => {
  const all = [...document.querySelectorAll('details > :not(summary)')];
  return {folded: all.length, hidden: all.filter(e => !e.checkVisibility({contentVisibilityAuto: true})).length};
})"""


class Browser:
    """Chromium reads commands from its descriptor 3 and answers on 4, each ended by a zero byte."""

    def __init__(self, profile):
        to_read, self.to, self.answers, answer = (fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10) for fd in os.pipe() + os.pipe())

        def place():
            os.dup2(to_read, 3)
            os.dup2(answer, 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
             "--hide-scrollbars", f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(3, 4), preexec_fn=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(answer)
        self.number, self.rest, self.session, self.events = 0, b"", None, []

    def message(self):
        while b"\0" not in self.rest:
            more = os.read(self.answers, 1 << 20)
            if not more:
                raise SystemExit("the browser ended")
            self.rest += more
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def ask(self, method, **params):
        self.number += 1
        command = {"id": self.number, "method": method, "params": params}
        if self.session:
            command["sessionId"] = self.session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        while True:
            m = self.message()
            if m.get("id") == self.number:
                if "error" in m:
                    raise SystemExit(f"{method}: {m['error']}")
                return m["result"]
            self.events.append(m)

    def wait(self, method):
        while not any(e.get("method") == method for e in self.events):
            self.events.append(self.message())

    def attach(self):
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Log", "Network":
            self.ask(f"{domain}.enable")
        self.ask("Emulation.setDeviceMetricsOverride", width=1280, height=800, deviceScaleFactor=1, mobile=False)

    def open(self, page):
        self.events.clear()
        path = os.path.abspath(page).replace("%", "%25").replace(" ", "%20").replace("#", "%23").replace("?", "%3F")
        self.ask("Page.navigate", url="file://" + path)
        self.wait("Page.loadEventFired")

    def value(self, expression):
        answer = self.ask("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        return answer["result"].get("value")

    def errors(self):
        return [e["params"] for e in self.events
                if e.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")]

    def close(self):
        self.session = None
        self.ask("Browser.close")
        self.process.wait()


def picture(png):
    """Rows of (r, g, b) of a PNG with 8 bits per channel."""
    at, data, size = 8, b"", None
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + length]
        if kind == b"IHDR":
            size = struct.unpack(">IIBB", body[:10])
        data += body if kind == b"IDAT" else b""
        at += 12 + length
    width, height, depth, colour = size
    n, raw, before, rows = {2: 3, 6: 4}[colour], zlib.decompress(data), None, []
    assert depth == 8
    for y in range(height):
        kind, line = raw[y * (width * n + 1)], bytearray(raw[y * (width * n + 1) + 1:(y + 1) * (width * n + 1)])
        up = before or bytearray(width * n)
        for x in range(width * n):
            a, b, c = line[x - n] if x >= n else 0, up[x], up[x - n] if x >= n else 0
            p = a + b - c
            paeth = a if abs(p - a) <= abs(p - b) and abs(p - a) <= abs(p - c) else b if abs(p - b) <= abs(p - c) else c
            line[x] = (line[x] + (0, a, b, (a + b) // 2, paeth)[kind]) & 255
        rows.append([tuple(line[i:i + 3]) for i in range(0, width * n, n)])
        before = line
    return rows


def look(b, page, media, name, out):
    """The page in a colour scheme: its outline, and the colours of its picture's first screen."""
    b.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": media}])
    seen = b.value(OUTLINE)
    png = base64.b64decode(b.ask("Page.captureScreenshot", format="png")["data"])
    with open(os.path.join(out, name), "wb") as f:
        f.write(png)
    rows = picture(png)
    seen["corner"], seen["colours"] = rows[2][2], len({c for row in rows[::4] for c in row[::4]})
    return seen


def main():
    page, out = sys.argv[1:]
    with tempfile.TemporaryDirectory() as profile:
        b = Browser(profile)
        b.attach()
        b.open(page)
        seen = {m: look(b, page, m, f"{m}.png", out) for m in ("light", "dark")}
        b.ask("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1, mobile=True)
        seen["phone"] = look(b, page, "light", "phone.png", out)
        b.ask("Emulation.setEmulatedMedia", media="print")
        seen["print"] = b.value(PRINTED)
        pdf = b.ask("Page.printToPDF", printBackground=False)
        with open(os.path.join(out, "page.pdf"), "wb") as f:
            f.write(base64.b64decode(pdf["data"]))
        urls = [e["params"]["request"]["url"] for e in b.events if e.get("method") == "Network.requestWillBeSent"]
        seen["requests"] = [u for u in urls if not u.startswith("data:")]
        seen["errors"] = b.errors()
        b.close()
        json.dump(seen, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
