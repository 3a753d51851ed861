"""zoom.py PAGE.html: what a reader does with a page's timeline, and what it shows then: a JSON object."""
import json, sys, tempfile

from browser import Browser

SHOWN = """(() => {
  const box = document.querySelector('.timeline'), text = e => e.textContent.trim();
  const seen = e => e.checkVisibility() && e.getBoundingClientRect().height > 0;
  return {views: [...new Set([...box.querySelectorAll('svg svg')].map(s => [0, 2].map(i => Number(s.getAttribute('viewBox').split(' ')[i])).join()))],
          values: [...box.querySelectorAll('.value')].map(text), range: text(box.querySelector('.range')),
          ticks: [...box.querySelectorAll('.axis:last-child text')].map(text), tools: seen(box.querySelector('.tools')),
          drawn: [...box.querySelectorAll('path')].filter(p => p.getBoundingClientRect().width > 0).length, title: document.title};
})()"""


def main():
    with tempfile.TemporaryDirectory() as profile:
        b = Browser(profile)
        b.attach()
        b.open(sys.argv[1])
        seen = {"whole": b.value(SHOWN)}
        left, top, width = b.value("(() => { const r = document.querySelector('.plot').getBoundingClientRect(); return [r.left, r.top + 10, r.width]; })()")

        def mouse(kind, place, **more):
            b.ask("Input.dispatchMouseEvent", type=kind, x=left + place * width, y=top, **more)

        def key(name):
            b.ask("Input.dispatchKeyEvent", type="keyDown", key=name, **({"text": name} if len(name) == 1 else {}))

        def wheel(delta):  # not answered before the page has painted
            mouse("mouseWheel", 0.5, deltaX=0, deltaY=delta)
            b.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

        wheel(-100)
        seen["wheel before a click"] = b.value(SHOWN)
        b.value("scrollTo(0, 0)")
        seen["at"] = {}
        for place in 0.01, 0.3, 0.55, 0.9:
            mouse("mouseMoved", place)
            seen["at"][place] = b.value(SHOWN)
        mouse("mousePressed", 0.5, button="left", clickCount=1)
        mouse("mouseReleased", 0.5, button="left", clickCount=1)
        for act in "+", "ArrowRight", "ArrowLeft", "-", "+":
            key(act)
            seen.setdefault("keys", []).append(b.value(SHOWN))
        mouse("mousePressed", 0.5, button="left", clickCount=1)
        mouse("mouseMoved", 0.75, button="left", buttons=1)
        mouse("mouseReleased", 0.75, button="left", clickCount=1)
        seen["dragged"] = b.value(SHOWN)
        wheel(-100)
        seen["wheel"] = b.value(SHOWN)
        key("0")
        seen["0"] = b.value(SHOWN)
        b.value("document.querySelector('.tools button').click()")
        seen["button"] = b.value(SHOWN)
        key("0")
        for kind, places in ("touchStart", (0.4, 0.6)), ("touchMove", (0.2, 0.6)), ("touchMove", (0.2, 0.8)), ("touchEnd", ()):
            b.ask("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": left + p * width, "y": top, "id": i} for i, p in enumerate(places)])
        seen["pinched"] = b.value(SHOWN)
        seen["errors"] = b.errors()
        b.ask("Emulation.setScriptExecutionDisabled", value=True)
        b.open(sys.argv[1])
        seen["no script"] = b.value(SHOWN)
        seen["errors"] += b.errors()
        b.close()
        json.dump(seen, sys.stdout, indent=1)


main()
