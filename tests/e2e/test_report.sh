#!/usr/bin/env bash
# quick: one of the scripts of make check
# `memhelm report`: one page of HTML, by its text and as a browser shows it.
. "$(dirname "$0")/lib.sh" "$1"
here=$PWD/$(dirname "$0") memhelm=$PWD/$memhelm
mkdir "$work/a 'b" && cd "$work/a 'b" || exit 1
small=(-w RED+MVT --cycles 30000 --set sm.count=4 --twin --set run.epoch=5000)
"$memhelm" explain baseline mask "${small[@]}" --json runs.json > /dev/null 2>&1
"$memhelm" compare -i baseline -i mask-tlb -w GUPS+3DS "${small[@]:2}" --json other.json > /dev/null 2>&1
"$memhelm" run mask "${small[@]}" --no-alone --epochs mask.csv --json one.json > /dev/null 2>&1
"$memhelm" sweep --image baseline,mask --workload RED+MVT,GUPS+3DS --vary l2tlb.entries=128,512 --seeds 1-2 --twin --cycles 20000 \
    --set sm.count=4 --output points.sqlite > /dev/null 2>&1

fails "a page" 0 '^page/index.html' "$memhelm" report runs.json other.json mask.csv points.sqlite -o page
cp page/index.html first.html
"$memhelm" report runs.json other.json mask.csv points.sqlite -o page > /dev/null
check "the same bytes again" cmp page/index.html first.html
check "it names nothing outside of itself, and has no script but that of the timeline" python3 -c '
import base64, hashlib, re, sys
page, script = (open(f).read() for f in sys.argv[1:])
sum = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
assert page.count("<script>%s</script>" % script) == 1 and page.count("; script-src \x27sha256-%s\x27; base-uri" % sum) == 1
page = page.replace("<script>%s</script>" % script, "")
assert not re.search(r"https?://|<script|<link(?! rel=\"icon\" href=\"data:,\")|@import|\bsrc=(?!\"data:image/svg.xml;base64,[A-Za-z0-9+/=]*\")| on[a-z]+=\"", page)' page/index.html "$here/../../host/page/timeline.js"
check "numbers are those of the runs" python3 -c '
import json, re, sys
page = open(sys.argv[1]).read()
for r in json.load(open("runs.json"))["results"] + json.load(open("other.json"))["results"]:
    m = r["metrics"]
    assert str(m["walks"]) in page, m["walks"]
    for t in m["tenants"]:
        assert re.search(r">%.2f[ <]" % t["ipc"], page), t["ipc"]
    assert r["image"]["sha256"][:12] in page and r["config_sha256"][:12] in page' page/index.html
check "why: stacks and sentences of those that measured it" grep -q 'Why mask is not baseline.*' page/index.html
check "  in words" grep -Eq '<p>RED runs .* under mask (as|than) .* SM cycles per warp instruction for ' page/index.html
check "  and how to ask for the others" grep -Eq 'memhelm explain baseline mask-tlb -p mask -w GUPS\+3DS --cycles 30000 --seed 1 .*-s sm.count=4' page/index.html
check "what differs from the preset" grep -Eq 'sm.count</td><td class="left">4</td><td class="left">30<' page/index.html
check "runs of one configuration stand together, from several files" bash -c '
"$0" run baseline "${@:1}" --no-alone --json two.json > /dev/null 2>&1 && "$0" report one.json two.json -o pair > /dev/null &&
    grep -q "Why baseline is not mask" pair/index.html' "$memhelm" "${small[@]}"
# run and explain of the same, and one that differs in a key: two sections, the first with a column for each image.
joined() {
    "$memhelm" run mask "${small[@]}" --no-alone --set l2tlb.entries=64 --json less.json > /dev/null 2>&1 &&
        "$memhelm" report one.json runs.json less.json -o joined > /dev/null && python3 - <<'PY'
import html, re
page = open("joined/index.html").read()
titles = [html.unescape(re.sub("<[^>]*>", "", t)) for t in re.findall("<h2[^>]*>(.*?)</h2>", page)]
assert titles == ["All workloads", "RED+MVT on mask", "RED+MVT on mask, l2tlb.entries 64"], titles
section = page.split("RED+MVT on mask</h2>")[1].split("<h2")[0]
rows = [re.sub("<[^>]*>", " ", r).split()[0] for r in re.findall("<tr>.*?</tr>", section.split("</table>")[0], re.S)]
assert sorted(rows) == ["baseline", "image", "mask"], rows
assert "SM cycles per warp instruction" in section and "did not measure" not in section
PY
}
check "a run and its explanation are one, and titles say what differs" joined

# The grid of clocks, and the figure that --plots left beside the file.
latency() {
    "$memhelm" latency dws -w GUPS+3DS --set sm.count=4 --cycles 20000 --seeds 1 --json lat.json --plots . > /dev/null 2>&1 &&
        "$memhelm" report lat.json -o lat > /dev/null && python3 - <<'PY'
import json, re
page, d = open("lat/index.html").read(), json.load(open("lat.json"))
for point in d["images"][0]["points"]:
    assert "%s</td><td>%.1f %%</td>" % (point["name"], 100 * point["losses"][0]) in re.sub(r' class="[^"]*"', "", page), point["name"]
assert page.count("<img") == 1
PY
}
check "a study of latency: its points, its figure" latency

# --- In a browser.
cat > outline.txt <<'OUTLINE'
h1 memhelm: runs
h2 All workloads
table 3
h2 RED+MVT on mask
table 3
h3 Firmware
table 3
h3 Why mask is not baseline
table
table
img
details
table 3
table
h2 GUPS+3DS on mask
table 3
h3 Firmware
table 3
h3 Why mask-tlb is not baseline
details
table 3
table
h2 Over time
h3 mask: epochs
svg
svg
svg
svg
svg
h2 Sweep sweep
h3 weighted_speedup over l2tlb.entries
table 3
img
h3 Gain over baseline per workload
table 3
img
details
table 17
details
OUTLINE
"$memhelm" sweep --image baseline,mask --workload RED,GUPS,BP --twin --cycles 20000 --set sm.count=4 --output three.sqlite > /dev/null 2>&1
check "what a mean of three workloads depends on" bash -c '"$0" report three.sqlite -o three > /dev/null && grep -q "What the mean depends on" three/index.html' "$memhelm"
if command -v chromium > /dev/null; then
    mkdir shots
    timeout 120 python3 "$here/browser.py" page/index.html shots > seen.json
    check "a browser shows it" test -s seen.json
    check "  part by part" python3 -c '
import json
want = [line.split(" ", 1) for line in open("outline.txt").read().splitlines()]
have = [o for o in json.load(open("seen.json"))["light"]["outline"] if o["tag"] != "a"]
for w, h in zip(want, have):
    assert h["tag"] == w[0], (w, h)
    if len(w) > 1:
        assert (str(h["rows"]) if h["tag"] == "table" else h["text"]) == w[1], (w, h)
    assert h["height"] > 10 and h["width"] > 50 or not h["shown"], h
assert len(want) == len(have), (len(want), len(have))
tops = [h["top"] for h in have if h["shown"]]
assert tops == sorted(tops)'
    see() { # NAME EXPRESSION of `s`
        check "$1" python3 -c 'import json, sys
s = json.load(open("seen.json"))
assert eval(sys.argv[1]), (s["errors"], s["requests"], s["print"], [{k: v for k, v in s[m].items() if k != "outline"} for m in ("light", "dark", "phone")])' "$2"
    }
    see "  without an error" 's["errors"] == []'
    see "  asking for nothing else" 'len(s["requests"]) == 1 and s["requests"][0].startswith("file:")'
    see "  no name is given twice, no link leads nowhere" 'all(s[m]["twice"] == [] and s[m]["broken"] == 0 for m in ("light", "dark"))'
    see "  nothing runs off the page, on a telephone neither" 'all(s[m]["overflow"] == 0 for m in ("light", "dark", "phone"))'
    see "light: dark on white" 's["light"]["corner"] == [255, 255, 255] and s["light"]["colours"] > 10'
    see "dark: light on dark" 'max(s["dark"]["corner"]) < 40 and s["dark"]["colours"] > 10 and s["dark"]["text"] == "rgb(228, 232, 236)"'
    see "on paper all is open" 's["print"]["folded"] > 5 and s["print"]["hidden"] == 0'
    check "  and it prints" bash -c 'head -c 5 shots/page.pdf | grep -q "%PDF-"'
else
    tests=$((tests + 1))
    echo "ok $tests - a browser shows it # SKIP Chromium is not installed: qemu/get-deps.sh browser"
fi

# --- Other files, and what is none.
check "a paper's evaluation, with the figures beside it" bash -c '
cp "$1"/host/reproduce/results/simt.json.zst "$1"/host/reproduce/results/simt-*.svg . && "$0" report simt.json.zst -o paper > /dev/null &&
    grep -q "agree with the paper at least in sign" paper/index.html &&
    [ "$(grep -c "<figure" paper/index.html)" = "$(ls simt-*.svg | wc -l)" ]' "$memhelm" "$here/../.."
check "rows say what the recorded Markdown says" python3 -c '
import re, sys, html
page = html.unescape(open("paper/index.html").read())
rows = [l.split("|") for l in open(sys.argv[1]) if l.startswith("| ") and "reproduce simt --row" in l]
assert len(rows) > 10
for r in rows:
    what, paper = r[1].strip(), r[2].strip()
    assert what in page and paper in page, (what, paper)
    ours = r[4].strip() or r[3].strip()
    assert ours in page, (what, ours)' "$here/../../host/reproduce/results/simt.md"
check "other JSON: its lists as tables" bash -c '"$0" report "$1"/host/latency/results/latency.json.zst -o others > /dev/null && grep -q "<table" others/index.html' "$memhelm" "$here/../.."
check "names cannot be markup" bash -c '"$0" report runs.json -o bad --title "<script>alert(1)</script>&" > /dev/null &&
    grep -qF "<h1>&lt;script&gt;alert(1)&lt;/script&gt;&amp;</h1>" bad/index.html && ! grep -q "<script" bad/index.html' "$memhelm"
# The page shows a figure from the folder of a study's file as a picture, whatever markup the figure holds.
zstd -dqc "$here"/../../host/reproduce/results/dws.json.zst > evil.json
cat > evil-1.svg <<'SVG'
<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="90" height="90" onload="alert(1)"><script>document.title='PWNED'</script><image href="http://127.0.0.1:9/x.png"/><rect width="50" height="50"/></svg>
SVG
cp evil-1.svg 'evil-"><script>alert(3)<&.svg'
pictures_only() {
    "$memhelm" report evil.json -o evil > /dev/null && python3 - <<'PY'
import base64, hashlib, re
page = open("evil/index.html").read()
assert page.count("<img") == 2 and not re.search("<script|<svg|onload|127.0.0.1|PWNED", page)
for data in re.findall('src="data:image/svg.xml;base64,([^"]*)"', page):
    assert base64.b64decode(data, validate=True) == open("evil-1.svg", "rb").read()
policy = re.search('<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
style = re.search("<style>(.*?)</style>", page, re.S)
assert policy.start() < style.start() and not re.search(" (href|src|style|class)=", page[:policy.start()])
sum = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
assert policy[1] == f"default-src 'none'; img-src data:; style-src 'sha256-{sum}'; base-uri 'none'; form-action 'none'", policy[1]
PY
}
check "figures of others are pictures, behind a policy that forbids scripts and requests" pictures_only
if command -v chromium > /dev/null; then
    timeout 120 python3 "$here/browser.py" evil/index.html shots > evil.seen
    check "  a browser runs nothing of them and asks for nothing" python3 -c '
import json
s = json.load(open("evil.seen"))
assert len(s["requests"]) == 1 and s["light"]["scripts"] == 0 and s["light"]["title"] == "memhelm: evil", s["light"]["title"]
assert s["errors"] == [], s["errors"]'
fi
odd_figure() { # NAME TEXT COMMAND: a figure that COMMAND makes as the file $1 is refused
    mkdir -p odd-figure && cp evil.json odd-figure/o.json && rm -f odd-figure/*.svg
    bash -c "$3" sh odd-figure/o-1.svg
    fails "a figure that is $1" 2 "odd-figure/o-1.svg: $2" timeout 20 "$memhelm" report odd-figure/o.json -o none
}
odd_figure "a page" 'no SVG; move it elsewhere' 'echo "<html><svg></svg></html>" > "$1"'
odd_figure "text with one inside" 'no SVG' 'echo "<!-- <svg> --><script>alert(1)</script>" > "$1"'
odd_figure "of entities" 'no SVG' 'echo "<!DOCTYPE svg [<!ENTITY a \"b\">]><svg/>" > "$1"'
odd_figure "of bytes" 'no SVG' 'printf "<svg>\\xff</svg>" > "$1"'
odd_figure "too large" 'a figure is a file of at most 8 MiB' 'head -c 9000000 /dev/zero > "$1"'
odd_figure "a pipe" 'a figure is a file' 'mkfifo "$1"'
figures_of() { # NAME of a folder: its figures, and no others, are found
    mkdir -p "$1" && cp evil.json "$1/[1-9]*.json" && cp evil-1.svg "$1/[1-9]*-x.svg" && cp evil-1.svg "$1/5-y.svg" &&
        "$memhelm" report "$1/[1-9]*.json" -o brackets > /dev/null && [ "$(grep -c '<img' brackets/index.html)" = 1 ]
}
check "figures beside a name of brackets" figures_of 'f[a]{b,c}'
head -c 3000 runs.json > cut.json
fails "a file that was cut off" 2 'cut.json:[0-9]+: .*a file that was cut off' "$memhelm" report cut.json -o none
head -c 2000 "$here/../../host/reproduce/results/simt.json.zst" > cut.json.zst
fails "a packed file that was cut off" 2 'cut.json.zst: cannot read: ' "$memhelm" report cut.json.zst -o none
fails "JSON of others" 2 'no schema of memhelm' "$memhelm" report <(echo '{"a": 1}') -o none
fails "no such file" 2 "nothing.json" "$memhelm" report nothing.json -o none
fails "what is no result" 2 'a page is made of' "$memhelm" report "$here/test_report.sh" -o none
printf 'SQLite format 3\0 and no more' > broken.sqlite
fails "a database that is none" 2 'broken.sqlite' "$memhelm" report broken.sqlite -o none
printf 'epoch,cycle,latency\n1,2\n' > broken.csv
fails "a log that is none" 2 'broken.csv' "$memhelm" report broken.csv -o none
echo '{"schema": "memhelm-result-1", "config": {"tenants": []}}' > empty.json
fails "a result without a run" 2 'empty.json: no run' "$memhelm" report empty.json -o none
echo '{"schema": "memhelm-reproduce-1", "rows": 3, "grids": [{"columns": {}}]}' > odd.json
fails "a study that is odd" 0 'odd/index.html' "$memhelm" report odd.json -o odd
check "and no page is left of them" test ! -e none/index.html
many=()
for i in $(seq 65); do
    sed "s/\"name\": \"mask\"/\"name\": \"mask-$i\"/" one.json > "one-$i.json"
    many+=("one-$i.json")
done
fails "more runs of one configuration than fit" 2 'one-1.json: 65 runs of its configuration, at most 64' "$memhelm" report "${many[@]}" -o none
fails "a folder that cannot be made" 2 'null' "$memhelm" report runs.json -o /dev/null/x
fails "no file" 2 'which files' "$memhelm" report
finish
