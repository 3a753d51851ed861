"""inside.py SVG..: every text of gnuplot's figures lies inside of them."""
import re, sys
bad = 0
for path in sys.argv[1:]:
    svg = open(path).read()
    width, height = map(float, re.search(r'viewBox="0 0 (\d+) (\d+)"', svg).groups())
    places = re.findall(r'translate\(([-\d.]+),([-\d.]+)\)[^>]*>\s*<text>(.*)</text>', svg)
    if not places:
        sys.exit(f"{path}: no texts")
    for x, y, text in places:
        if not (0 < float(x) < width and 8 < float(y) < height - 3):
            print(f"{path}: {text!r} at {x},{y} of {width:.0f} x {height:.0f}")
            bad = 1
sys.exit(bad)
