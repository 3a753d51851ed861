#!/usr/bin/env bash
# The site of `make docs`, built in a copy of the tree: its links, how a browser shows it, and the commands of its own pages,
# run as they stand but in short windows.
. "$(dirname "$0")/lib.sh" "$1"
if ! command -v mkdocs > /dev/null; then
    echo "ok 1 - the site # SKIP no mkdocs: qemu/get-deps.sh docs"
    echo 1..1
    exit 0
fi
e2e=$(realpath "$e2e") tree=$work/tree
own_tree "$tree"
cp -R .github "$tree"
cd "$tree" || exit 1
export DEPS=no
mkdir "$work/bin"
printf '#!/bin/sh\nexec env -u MAKEFLAGS XDG_CACHE_HOME="%s" %s "$@"\n' "$user_cache" "$(command -v make)" > "$work/bin/make"
chmod +x "$work/bin/make" # QEMU and newlib are in the user's cache
export PATH=$work/bin:$PATH

# blocks PAGE LANGUAGE: the text of its fenced blocks.
blocks() {
    awk -v fence="\`\`\`$2" '$0 == fence {inside = 1; next} /^```$/ {inside = 0} inside' "host/docs/$1.md"
}
short() {
    sed -E 's/--cycles [0-9]+[KM]/--cycles 20K/; s/cycles="[0-9]+K"/cycles="20K"/; s/--status 100000/--status 10000/'
}
# A page's commands one after the other, each known by what comes after the last `+`.
obey() {
    short | bash -ex > "$work/obeyed" 2>&1 || {
        tail -n 20 "$work/obeyed"
        return 1
    }
}
page_commands() {
    blocks "$1" sh > "$work/commands"
    [ -s "$work/commands" ] && obey < "$work/commands"
}
tutorial() {
    blocks tutorial diff > "$work/diff"
    awk '/^```diff$/ {print "patch -s -p1 < '"$work"'/diff"} /^```sh$/ {inside = 1; next} /^```/ {inside = 0} inside' \
        host/docs/tutorial.md > "$work/commands"
    obey < "$work/commands" && [ -s build/walkers.svg ] && grep -q '<html' build/report/index.html
}
# browsed PAGE: nothing is wider than the screen, wide or narrow; it loads only files; its script does not fail.
browsed() {
    python3 "$e2e/browser.py" "build/docs/$1" "$work" > "$work/seen.json" && python3 - "$work/seen.json" "$PWD/build/docs/" <<'PY'
import json, sys
seen, place = json.load(open(sys.argv[1])), "file://" + sys.argv[2]
assert seen["light"]["overflow"] == 0 and seen["phone"]["overflow"] == 0, (seen["light"]["overflow"], seen["phone"]["overflow"])
assert seen["light"]["broken"] == 0 and not seen["light"]["twice"], seen["light"]["twice"]
other = [u for u in seen["requests"] if not u.startswith(place)]
assert not other and not seen["errors"], (other, seen["errors"])
PY
}

check "the site is built, without a warning" host/docs/site.py build
check "each link leads to a page and its anchor; no path of this machine" python3 "$e2e/site.py" build/docs "$tree"
check "nor do those of .github" bash -c 'cd .github && for f in $(grep -ohE "\]\([^)#]+" *.md | cut -c 3-); do [ -e "$f" ] || { echo "$f"; exit 1; }; done'
check "each key, image, kernel and command has a row or a heading" bash -c '
    cd build/docs/host/docs/reference &&
    [ "$(grep -c "<td><code>[a-z0-9]*\(\.\|\[\)" keys.html)" -ge "$(../../../../memhelm list config | grep -c "^[a-z0-9]*\.")" ] &&
    for name in $(../../../../memhelm list images | cut -d " " -f 1); do grep -qF "<code>$name</code>" images.html || exit; done &&
    for name in $(../../../../memhelm list kernels | grep -o "^[^ ]*"); do grep -qF "<code>$name</code>" kernels.html || exit; done &&
    for name in $(sed -n "s/^COMMAND(\([a-z]*\),.*/\1/p" "$0/host/cmd/commands.def"); do grep -q "<h2 id=\"$name\"" commands.html || exit; done' "$tree"
check "figures of the gallery" bash -c '[ "$(find build/docs/host/docs/figures -name "*.svg" | wc -l)" -ge 6 ] && grep -q "<img[^>]*heat.svg" build/docs/host/docs/gallery.html'
if command -v chromium > /dev/null; then
    for page in index.html host/docs/gallery.html host/docs/reference/registers.html; do
        check "in a browser, wide and narrow: $page" browsed $page
    done
else
    tests=$((tests + 1))
    echo "ok $tests - in a browser # SKIP no chromium"
fi
check "the commands of: how to" page_commands howto
if /usr/bin/python3 -c 'import pandas' 2> /dev/null; then
    check "its lines of Python" bash -c 'PYTHONPATH=host/python python3 -c "import sys; import memhelm" && sed "s/^memhelm.frame(\(.*\))$/assert len(memhelm.frame(\1)) == 10/" | PYTHONPATH=host/python /usr/bin/python3 -' < <(blocks howto python | short)
fi
check "the tutorial: a policy, its test, comparison, sweep, figure, budget and page" tutorial
# The table on the page is what its command prints.
table() {
    bash -c "$(grep 'cap.divisor=8 dws' "$work/commands")" | sed -n '/^image /,/^dws/p' | head -n 5 > "$work/table" &&
        diff "$work/table" <(sed -n '/^    image /,/^$/s/^    //p' host/docs/tutorial.md)
}
check "and its table" table

# Its own tests find what is wrong.
sed -i 's/#why-ours-differ/#why-hours-differ/' README.md && echo '[none](nowhere.md)' >> host/docs/words.md
fails "a link to a page that is none" any 'words.md: there is no nowhere.md' host/docs/site.py build
sed -i '$d' host/docs/words.md && host/docs/site.py build > /dev/null 2>&1
fails "a link to an anchor that is none" 1 'no anchor for .*#why-hours-differ' python3 "$e2e/site.py" build/docs "$tree"
finish
