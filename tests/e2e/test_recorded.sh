#!/usr/bin/env bash
# quick: one of the scripts of make check
# Recorded results: the pages made of them, and what made each. Whether they still hold: test_recheck.sh.
. "$(dirname "$0")/lib.sh" "$1"
recorded=$(realpath "$build/recorded")

files=(host/*/results/*.json.zst)
check "host/RESULTS.md, the table of README.md and host/cmd/headlines.def are what is recorded; else: make readme" "$recorded" check
check "a recording and the Markdown beside it were made by the same" "$recorded" same "${files[@]}"

# Files that the READMEs of recorded results name are there, but for those of which they say that they are not yet.
named() { # README, pattern of names: those of them in it, with whether they are said to be there
    awk -v name="$2" '{yet = /^Not there yet, `make/ ? "no" : "yes"; n = split($0, part, "`")
        for (i = 2; i <= n; i += 2) if (part[i] ~ "^" name "$") print part[i], yet}' "$1"
}
there() { # folder, README, pattern
    local folder name yet missing
    folder=$1
    missing=$(named "$2" "$3" | sed -n 's/ no$//p')
    [ "$(named "$2" "$3" | wc -l)" -gt 0 ] && while read -r name yet; do
        [ -e "$folder/${name%.md}.md" ] || grep -qx "$name" <<< "$missing" || { echo "$2: $name: no such file"; return 1; }
    done < <(named "$2" "$3")
}
check "results that their README names" there host/reproduce/results host/reproduce/results/README.md '[a-z-]+[.]md'
sed 's/`regular.md`/`irregular.md`/' host/reproduce/results/README.md > "$work/README.md"
fails "a name that is none" 1 'irregular.md: no such file' there host/reproduce/results "$work/README.md" '[a-z-]+[.]md'

# Does the test see it?
mkdir -p "$work/tree" && cp --parents -r README.md host/RESULTS.md host/cmd/headlines.def host/*/results "$work/tree"
in_copy() { # COMMAND: of recorded, in the copy
    (cd "$work/tree" && "$recorded" "$@")
}
for page in README.md host/RESULTS.md host/cmd/headlines.def; do
    sed -i '/^\(| \|HEADLINE\).*[0-9] %/{s/[0-9] %/x %/;:rest;n;b rest}' "$work/tree/$page"
    fails "another digit is seen in $page" 1 "$page is not what is recorded; make readme" in_copy check
    check "it is put right" in_copy write
    check "to the page as it was" cmp "$page" "$work/tree/$page"
done
sed -i '/^| paper . headline/d' "$work/tree/README.md"
fails "a README without the table" 1 'lacks the table that begins with . paper . headline' in_copy write

# A recording without a run: rows that cannot be run.
cat > "$work/rows.yaml" << 'END'
title: made up
preset: mask
cycles: 20000
rows: [{id: area, figure: fig 7, what: areas, kind: level, paper: "1", missing: "the model has no areas"}]
END
record() {
    "$memhelm" reproduce mask --rows "$work/rows.yaml" --results "$work/r.sqlite" --json "$work/new.json" --markdown "$work/new.md"
}
check "a recording" record
check "says the commit, and both hashes" bash -c 'grep -Eq "\"commit\": \"([0-9a-f]{40}(-dirty)?|unknown)\"" "$0" && [ "$(grep -cE "\"(model|machine)\": \"[0-9a-f]{64}\"" "$0")" = 2 ]' "$work/new.json"
check "and its Markdown the same" "$recorded" same "$work/new.json"
check "in one line below the title" bash -c 'sed -n 3p "$0" | grep -Eq "^Made by commit [0-9a-z]+(-dirty)? \(model [0-9a-f]{12}, machine [0-9a-f]{12}\), images in the JSON\.$"' "$work/new.md"
sed -i 's/Made by commit ./Made by commit z/' "$work/new.md"
fails "Markdown of another recording" 1 'new.md: .Made by commit z.*but the JSON beside it says .Made by' "$recorded" same "$work/new.json"

# What the hashes are of.
hashes() { # TEXT of a source: both hashes
    printf '%b' "$1" > "$work/${2:-a}.c"
    (cd "$work" && "$script" hashes "$work/hashes.h" "${2:-a}.c" -- "${2:-a}.c") && cat "$work/hashes.h"
}
script=$(realpath host/base/provenance.sh)
differ() { # A B: do texts of a source have other hashes?
    [ "$(hashes "$1")" != "$(hashes "$2")" ]
}
same() {
    ! differ "$@"
}
code='int a(int b)\n{\n    return b ? "/*" : b;\n}\n'
check "a comment does not count" same "$code" "/* words\n * of many lines */\n// more\n${code/b;/b; \/\/ why}"
check "nor does white space" same "$code" "${code//    /\\t}\n\n"
check "code does" differ "$code" "${code/b;/-b;}"
check "a text that looks like a comment does" differ "$code" "${code/\/\*/\/\*\*\/}"
check "so does a name" bash -c '[ "$0" != "$1" ]' "$(hashes "$code")" "$(hashes "$code" b)"
finish
