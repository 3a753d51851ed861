"""drawn.py FIGURE.svg..: librsvg draws each, whole and without a warning; its PNG, where there is one, has ink where that has."""
import glob, os, re, struct, subprocess, sys, zlib

NEAR = 25  # pixels: the two place texts in ways of their own
ZOOM = 0.25  # of the SVG, where that is enough
DARK = bytes(v < 200 for v in range(256))
SEEN = bytes(v > 100 for v in range(256))


def rows(png):
    """Rows of 0 and 1, is there ink?, of a PNG with 8 bits per channel, 1 to 8 bits of a palette, or grey."""
    at, data, palette = 8, b"", None
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        palette = body if kind == b"PLTE" else palette
        data += body if kind == b"IDAT" else b""
        at += 12 + length
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    if colour == 3:  # of each byte, which holds one pixel or several
        ink_of = [min(palette[i:i + 3]) < 200 for i in range(0, len(palette), 3)] + [False] * 256
        inks = [bytes(ink_of[v >> s & (1 << depth) - 1] for s in range(8 - depth, -1, -depth)) for v in range(256)]
    step, size, raw = max(1, channels * depth // 8), (width * channels * depth + 7) // 8, zlib.decompress(data)
    before = bytearray(size)
    for y in range(height):
        kind, line = raw[y * (size + 1)], bytearray(raw[y * (size + 1) + 1:(y + 1) * (size + 1)])
        for x in range(size if kind else 0):
            a, b, c = line[x - step] if x >= step else 0, before[x], before[x - step] if x >= step else 0
            p = a + b - c
            paeth = a if abs(p - a) <= abs(p - b) and abs(p - a) <= abs(p - c) else b if abs(p - b) <= abs(p - c) else c
            line[x] = (line[x] + (0, a, b, (a + b) // 2, paeth)[kind]) & 255
        before = line
        if colour == 3:
            yield b"".join(map(inks.__getitem__, line))[:width]
            continue
        dark = [int.from_bytes(line[c::step].translate(DARK), "big") for c in range(min(step, 3))]
        seen = int.from_bytes(line[3::step].translate(SEEN), "big") if step == 4 else ~0
        yield ((dark[0] | dark[-1] | dark[len(dark) // 2]) & seen).to_bytes(width, "big")


def ink(png):
    """Width, height, and left, top, right, bottom of what is not the ground."""
    drawn = list(rows(png))
    ys = [y for y, row in enumerate(drawn) if 1 in row]
    every = 0
    for row in drawn:
        every |= int.from_bytes(row, "big")
    xs = [x for x, there in enumerate(every.to_bytes(len(drawn[0]), "big")) if there]
    assert ys and len(ys) * len(xs) > 50, "blank"
    return len(drawn[0]), len(drawn), (xs[0], ys[0], xs[-1], ys[-1])


def rendered(path, zoom):
    """Width, height and ink; none may be at an edge, where it would be cut off."""
    out = subprocess.run(["rsvg-convert", "-z", str(zoom), path], capture_output=True)
    assert out.returncode == 0 and not out.stderr, out.stderr
    width, height, box = ink(out.stdout)
    inside = box[0] > 0 and box[1] > 0 and box[2] < width - 1 and box[3] < height - 1
    assert inside or zoom < 1, ("cut", box, width, height)
    return (width, height, box) if inside else rendered(path, 1) and (width, height, box)


def look(path):
    svg = open(path).read()
    numbers = "".join(re.findall(r'(?:transform|d|x|y|points|width|height)=["\'][^"\']*["\']', svg))
    assert not re.search(r"scale\(-?0?\.?0*\)|nan|inf", numbers, re.I), "a matrix or number that is none"
    width, height, box = rendered(path, ZOOM)
    png = path[:-4] + ".png"
    if os.path.exists(png):
        w, h, drawn = ink(open(png, "rb").read())
        assert abs(ZOOM * w - width) <= 1 and abs(ZOOM * h - height) <= 1, (w, h, width, height)
        assert drawn[0] > 0 and drawn[1] > 0 and drawn[2] < w - 1 and drawn[3] < h - 1, ("the PNG is cut", drawn, w, h)
        assert all(abs(a - b / ZOOM) <= NEAR for a, b in zip(drawn, box)), ("the PNG lacks something", drawn, box)


bad = 0
for path in sys.argv[1:]:
    try:
        look(path)
    except AssertionError as e:
        print(f"{path}: {e}")
        bad = 1
sys.exit(bad)
