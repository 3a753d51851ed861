#!/usr/bin/env bash
# quick: one of the scripts of make check
# memhelm from Python: dicts and pandas frames of what the command line writes.
. "$(dirname "$0")/lib.sh" "$1"
export MEMHELM=$memhelm PYTHONPATH=host/python

# The one that has pandas, Debian's, if there is one.
interpreter=python3
/usr/bin/python3 -c 'import pandas' 2> /dev/null && interpreter=/usr/bin/python3
python() { # TEXT
    "$interpreter" -c "import memhelm
$1"
}

check "a run" python '
r = memhelm.run("mask:tokens.step=5", "GUPS+MM", cycles=2e4, twin=True, settings={"l2tlb.entries": 256}, params={"tokens.initial": 10})
assert r["schema"] == "memhelm-result-1" and r["config"]["l2tlb"]["entries"] == 256 and r["config"]["run"]["cycles"] == 20000
assert r["image"]["parameters"] == {"tokens.step": 5, "tokens.initial": 10}'
check "a comparison is what the command writes" python '
import json, subprocess
words = ["--workload=GUPS+MM", "--cycles=20000", "--twin", "--seeds=1-2"]
subprocess.run([memhelm.program(), "compare", "baseline", "mask", *words, "--json='"$work"'/c.json"], check=True, stdout=subprocess.DEVNULL)
a = memhelm.compare(["baseline", "mask"], "GUPS+MM", cycles=20000, twin=True, seeds="1-2")
assert a == memhelm.results("'"$work"'/c.json")["results"] and len(a) == 4'
check "a sweep" python '
points = memhelm.sweep(["baseline", "mask"], ["GUPS+MM"], vary={"l2tlb.entries": [256, 512]}, cycles=20000, twin=True, output="'"$work"'/s.sqlite")
assert [(p["l2tlb.entries"], p["image"]) for p in points] == [(256, "baseline"), (256, "mask"), (512, "baseline"), (512, "mask")]
assert all(p["weighted_speedup"] > 1 for p in points)
gains = memhelm.points("'"$work"'/s.sqlite", "--rows=image", "--against=image=baseline", "--value=weighted_speedup")
assert [g["image"] for g in gains] == ["mask"]'
check "a recorded result" python 'assert len(memhelm.results("host/reproduce/results/simt.json.zst")["rows"]) == 27'
check "the notebook has no outputs" python3 -c '
import json
assert not any(c.get("outputs") or c.get("execution_count") for c in json.load(open("host/python/examples/papers.ipynb"))["cells"])'
fails "what is refused" 1 'memhelm.Error: memhelm: unknown image .maks.*; nearest: mask' python 'memhelm.run("maks", "GUPS")'
check "is an exception with the exit code" python '
try:
    memhelm.run("mask", "GUPS", cycles=0)
except memhelm.Error as e:
    assert e.code == 2 and "run.cycles: 0 is out of range" in str(e)
else:
    raise SystemExit("accepted")'
if "$interpreter" -c 'import pandas' 2> /dev/null; then
    check "a frame" python '
c = memhelm.frame(memhelm.compare(["baseline", "mask"], "GUPS+MM", cycles=20000, twin=True, seeds="1-2"))
assert list(c.image) == ["baseline", "mask"] * 2 and (c["ipc[0]"] > 0).all() and c.groupby("image").weighted_speedup.mean().gt(1).all()
assert len(memhelm.frame(memhelm.points("'"$work"'/s.sqlite"))) == 4'
else
    tests=$((tests + 1))
    echo "ok $tests - a frame # SKIP no python3-pandas"
fi

# Its cells as a script; the figure is left in the current directory.
notebook() {
    MPLBACKEND=agg python '
import json, os, runpy
cells = json.load(open("host/python/examples/papers.ipynb"))["cells"]
text = "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
open("'"$work"'/papers.py", "w").write(text.replace("dws-figure-5.pdf", "'"$work"'/dws-figure-5.pdf"))
done = runpy.run_path("'"$work"'/papers.py")
assert len(done["runs"]) == 4 and done["means"]["dws"] > done["means"]["baseline"] and len(done["rows"]) >= 3
assert open("'"$work"'/dws-figure-5.pdf", "rb").read(5) == b"%PDF-"'
}
if "$interpreter" -c 'import matplotlib, pandas' 2> /dev/null; then
    check "the notebook runs, and draws its figure" notebook
else
    tests=$((tests + 1))
    echo "ok $tests - the notebook # SKIP no python3-matplotlib"
fi
finish
