#!/usr/bin/env python3
"""site.py BUILD: the site of `make docs`, BUILD/docs, from files of the tree and what the program says of itself.

Pages keep their places in the tree: the READMEs, the pages of this folder, and what they link to. A linked source file
becomes a page of its text. A ```sh block of gallery.md is run, and its figures follow it.
"""
import collections
import json
import os
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys

BUILD = pathlib.Path(sys.argv[1])
PAGES = BUILD / "docs-pages"
HERE = "host/docs"
RECORDING = r"host/\w+/results/(?!README|index)"
FOLDERS = "firmware hwmodel host linker qemu tests".split()


def memhelm(*words):
    """What the program prints, in lines of 100 columns."""
    environment = dict(os.environ, ARGP_HELP_FMT="rmargin=100", COLUMNS="100")
    return subprocess.run([BUILD / "memhelm", *words], env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout


# Tables of the reference pages.

def cell(text):
    return re.sub(r"([|<*\[\]])", r"\\\1", text)


def table(heading, rows):
    """Markdown; the first column is code."""
    lines = [heading.split("|"), ["---"] * (heading.count("|") + 1)]
    lines += [[f"`{first}`", *map(cell, rest)] for first, *rest in rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines) + "\n"


def listed(what):
    return json.loads(memhelm("list", what, "--json"))


def pairs(what):
    """Rows of a list of names and summaries."""
    return [[o["name"], o["summary"]] for o in listed(what)]


# A key, its value, what it may be, its meaning: columns run into each other where one is too narrow.
KEY = re.compile(r"(\S+) +(?:(.+?) +)??(text|-?[\d.]+\.\.[\d.]+(?: or \w+)?|[\w-]+(?:, [\w-]+)+)\S* +(.*)")


def config(*words):
    """Rows (key, value, allowed, meaning) of `memhelm list config`."""
    lines = memhelm("list", "config", *words).splitlines()[1:]
    rows = [KEY.fullmatch(line) for line in lines]
    if not all(rows):
        sys.exit(f"site.py: no row of keys: {lines[rows.index(None)]}")
    return [[r[1], r[2] or "", r[3], r[4]] for r in rows]


def keys_page():
    blocks = collections.defaultdict(list)
    for row in config():
        blocks[row[0].split(".")[0] if "." in row[0] else "what they change"].append(row)
    yield "# Configuration keys\n\n`--set KEY=VALUE`, or a YAML file for `--config`. Values are those of preset `mask`; "
    yield "`memhelm list config --preset NAME` shows another's, each with its source.\n\n"
    for block, rows in blocks.items():
        yield f"## {block}\n\n" + table("key|mask|allowed|unit; meaning", rows)


def gpus_page():
    presets = pairs("presets")
    values = [{key: value for key, value, *_ in config(name)} for name, _ in presets]
    differ = [k for k in values[0] if k != "preset" and len({v[k] for v in values}) > 1]
    yield "# GPUs and cores\n\n## Presets\n\n" + table("preset|what it is", presets)
    yield "## Where presets differ\n\n"
    yield table("key|" + "|".join(name for name, _ in presets), [[k, *(v[k] for v in values)] for k in differ])
    yield "## Designs\n\nBuilt-in changes to a preset: `--design NAME`.\n\n" + table("design|what it changes", pairs("designs"))
    yield "## Cores\n\nTiming tables of the mcu: `--core NAME`.\n\n" + table("core|what it is", pairs("cores"))


def images_page():
    yield "# Papers and images\n\n"
    for paper in re.split(r"\n(?=\S)", memhelm("list", "papers")):
        title, *lines = paper.strip().splitlines()
        items = [re.split(" {2,}", line.strip(), maxsplit=1) for line in lines]
        yield f"## {title}\n\n" + "".join(f"- {name}: {text}\n" for name, text in items) + "\n"
    images = [o for o in listed("images") if "preset" in o]
    rows = [[o["name"], o["paper"] or "ours", o["preset"], *(" ".join(o[k]) or "-" for k in ("needs", "steers")), o["sentence"]]
            for o in images]
    yield "## Images\n\n" + table("image|paper|preset|needs|steers|what it does", rows)
    yield "## Parameters\n\n`IMAGE:NAME=VALUE`, or `--param NAME=VALUE`. Images with the same parameters share a row.\n\n"
    parameters = collections.defaultdict(list)
    for o in images:
        for p in o["parameters"]:
            parameters[p["name"], str(p["default"]), f'{p["least"]}..{p["most"]}', p["text"]].append(o["name"])
    yield table("parameter|default|range|meaning|images", [[*row, ", ".join(of)] for row, of in parameters.items()])


def kernels_page():
    yield "# Kernels\n\nWorkloads are made of `KERNEL[@VARIANT][:SIZE]`, joined by `+`.\n\n"
    rows = [[o["name"], o["suite"], o["summary"], f'{o["size"]}, {o["least"]}..{o["most"]}, default {o["default"]}',
             " ".join(f"@{v}" for v in o["variants"]) + (f' {o["name"]}:FILE, a {o["input"]}' if o["input"] else "")]
            for o in listed("kernels")]
    yield table("kernel|suite|what it does|size|variants, input", rows)


def metrics_page():
    yield "# Metrics\n\nNames for `--metric` and `--value`; `[t]` is a tenant's, as in `ipc[0]`.\n\n"
    lines = memhelm("list", "metrics").splitlines()
    starts = [lines[0].index(name) for name in ("name", "tenant", "unit", "meaning")]
    rows = [[line[a:b].strip() for a, b in zip(starts, [*starts[1:], None])] for line in lines[1:]]
    yield table("name|tenant|unit|meaning", rows)


def commands_page():
    yield "# Commands\n\n"
    for name, what in re.findall(r"^  memhelm ([a-z]+) +(.*)", memhelm("--help").split("\nStart")[0], re.M):
        yield f"## {name}\n\n{what[0].upper() + what[1:]}\n\n```text\n{memhelm(name, '--help')}```\n\n"


def registers_page():
    text = subprocess.run([BUILD / "regs-manual"], stdout=subprocess.PIPE, text=True, check=True).stdout
    yield re.sub(r"^\| (\w+) \| (0x[^|]*) \|", r"| `\1` | `\2` |", text, flags=re.M)


REFERENCES = {"keys": keys_page, "gpus": gpus_page, "images": images_page, "kernels": kernels_page, "metrics": metrics_page,
              "commands": commands_page, "registers": registers_page}


# Figures.

def gallery(text):
    """gallery.md with the figures of its blocks, then the recorded ones."""
    work = BUILD / "docs-work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    (work / "build").symlink_to(BUILD.absolute())
    parts = re.split(r"(^```sh\n.*?^```\n)", text, flags=re.M | re.S)
    for i in range(1, len(parts), 2):
        before = set(work.rglob("*.svg"))
        subprocess.run(["bash", "-ec", parts[i][6:-4]], cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        for new in sorted(set(work.rglob("*.svg")) - before):
            parts[i] += f"\n![{new.stem}](figures/{new.relative_to(work)})\n"
    for made in [*work.rglob("*.svg"), *work.rglob("*.html")]:
        write(f"{HERE}/figures/{made.relative_to(work)}", made.read_bytes())
    return "".join(parts) + "".join(recorded())


def recorded():
    """Each figure in the tree under the call that recorded it."""
    groups = collections.defaultdict(list)
    for path in sorted(pathlib.Path("host").glob("*/results/*.svg")):
        names = [p.name.split(".")[0] for p in path.parent.glob("*.json.zst")]
        groups[max((n for n in names if path.stem.startswith(n)), key=len, default="")].append(path)
    for name, paths in groups.items():
        yield f"\n### {name}\n\n```text\nmake results STUDIES={name}\n"
        if paths[0].parts[1] == "reproduce":
            yield f"build/memhelm reproduce {name} --from-recorded --plots figures   # draws again, runs nothing\n"
        yield "```\n\n" + "".join(f"![{p.stem}](../{p.relative_to('host')})\n\n" for p in paths)


# Pages.

def write(path, data):
    to = PAGES / path
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_bytes(data if isinstance(data, bytes) else data.encode())


def listing(folder):
    files = sorted(p.name for p in pathlib.Path(folder).iterdir() if p.suffix in (".md", ".h", ".def", ".json"))
    return f"# {folder}\n\n" + "".join(f"- [{name}]({name})\n" for name in files)


def resolve(page, link, queue):
    """The link as the site has it; what it leads to becomes a page."""
    path, mark, anchor = link.partition("#")
    if re.match(r"\w+:", link) or not path or path.startswith(("figures/", "reference/")):
        return link
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
    if not os.path.exists(target):
        sys.exit(f"site.py: {page}: there is no {link}")
    if os.path.isdir(target):
        target, path = f"{target}/README.md", path.rstrip("/") + "/README.md"
    if not path.endswith((".md", ".svg")):
        target, path = target + ".md", path + ".md"
    queue.append(target)
    return path + mark + anchor


LANGUAGES = {".def": "c", ".h": "c", ".mk": "make", ".py": "python"}


def as_markdown(text):
    """GitHub's lists, tables and fences need no empty line before them; here they do."""
    lines, fenced = [], False
    for line in text.split("\n"):
        starts = re.match(r"(- |\d+\. |\||```)", line)
        if starts and not fenced and lines and lines[-1].strip() and not re.match(r"(- |\d+\. |\| |\|)| +\S", lines[-1]):
            lines.append("")
        fenced ^= line.startswith("```")
        lines.append(line)
    return "\n".join(lines)


def notebook(file):
    cells = [("".join(c["source"]), c["cell_type"] == "code") for c in json.loads(file.read_text())["cells"]]
    return "\n\n".join(f"```python\n{text}\n```" if code else text for text, code in cells) + f"\n\n`{file}`\n"


def page(path, queue):
    """The text of a page, its links resolved: a file of the tree, a folder without README, or a source file as a page."""
    source, file = pathlib.Path(path), pathlib.Path(path[:-3])
    if source.exists():
        text = gallery(source.read_text()) if path == f"{HERE}/gallery.md" else source.read_text()
    elif source.name == "README.md":
        text = listing(source.parent)
    elif file.suffix == ".ipynb":
        return notebook(file)
    else:
        return f"# {file.name}\n\n`{file}`\n\n```{LANGUAGES.get(file.suffix, file.suffix[1:])}\n{file.read_text()}\n```\n"
    parts = re.split(r"(^```.*?^```$|`[^`\n]*`)", as_markdown(text), flags=re.M | re.S)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"(\]\()([^)\s]+)\)", lambda m: f"{m[1]}{resolve(path, m[2], queue)})", parts[i])
    return "".join(parts)


def nav(done):
    """A page for each recording and each folder, after those that mkdocs.yml has."""
    yield "  - Results:\n      - In short: host/RESULTS.md\n"
    recordings = [p for p in sorted(done) if re.match(RECORDING, p) and p.endswith(".md")]
    yield from (f"      - {pathlib.Path(p).stem}: {p}\n" for p in recordings)
    yield "  - Folders:\n"
    for folder in FOLDERS:
        yield f"      - {folder}:\n"
        readmes = [p for p in sorted(done) if p.startswith(folder + "/") and p.endswith("README.md")]
        yield from (f"          - {posixpath.dirname(p)}: {p}\n" for p in readmes)


def main():
    if not shutil.which("mkdocs"):
        sys.exit("memhelm: no mkdocs: qemu/get-deps.sh docs installs it")
    shutil.rmtree(PAGES, ignore_errors=True)
    for name, make in REFERENCES.items():
        write(f"{HERE}/reference/{name}.md", "".join(make()))
    write(f"{HERE}/site.css", pathlib.Path(HERE, "site.css").read_bytes())
    (BUILD / "docs-theme").mkdir(exist_ok=True)
    shutil.copy(f"{HERE}/main.html", BUILD / "docs-theme")
    queue, done = ["README.md", "host/RESULTS.md", *map(str, pathlib.Path(HERE).glob("*.md"))], set()
    queue += [str(p) for folder in FOLDERS for p in pathlib.Path(folder).rglob("README.md")]
    while queue:
        path = queue.pop()
        if path not in done:
            done.add(path)
            write(path, pathlib.Path(path).read_bytes() if path.endswith(".svg") else page(path, queue))
    (BUILD / "mkdocs.yml").write_text(pathlib.Path(HERE, "mkdocs.yml").read_text() + "".join(nav(done)))
    subprocess.run(["mkdocs", "build", "--strict", "--quiet", "--clean", "-f", BUILD / "mkdocs.yml"], check=True)
    # Tables of recorded numbers are found by their pages, not by a search.
    index = BUILD / "docs/search/search_index.json"
    found = json.loads(index.read_text())
    found["docs"] = [d for d in found["docs"] if not re.match(f"{RECORDING}|host/RESULTS", d["location"])]
    index.write_text(json.dumps(found))
    print(f"{BUILD}/docs/index.html")


main()
