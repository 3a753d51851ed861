#!/usr/bin/env bash
# Recorded results: texts quote what is recorded, each file says what made it. Whether they still hold: test_recheck.sh.
. "$(dirname "$0")/lib.sh" "$1"
recorded=$build/recorded

texts() {
    find . -name '*.md' -not -path './build*' | sort
}
mapfile -t texts < <(texts)
json=(host/*/results/*.json)

check "numbers of recorded results in the texts are what is recorded; else: make readme" "$recorded" check "${texts[@]}"
for study in dws simt mask etc; do
    for number in rows/# agree quarter; do
        check "README quotes $study:$number" grep -q -- "^| .$study. .*<!--=$study:$number-->[0-9]" README.md
    done
    check "README quotes the headline of $study" grep -Eq -- "^\| .$study. .*<!--=$study(-headline)?:rows/[^>]*/ours-->[-+0-9]" README.md
done
check "README quotes what regular kernels lose" grep -q -- '<!--=regular:agree-->' README.md
check "README quotes a recorded latency" grep -q -- '<!--=latency:' README.md
check "a JSON file and the Markdown beside it were made by the same" "$recorded" same "${json[@]}"

# Files that the READMEs of recorded results name are there, but for those of which they say that they are not yet.
named() { # README, pattern of names: those of them in it, with whether they are said to be there
    awk -v name="$2" '{yet = /^Not there yet, `make/ ? "no" : "yes"; n = split($0, part, "`")
        for (i = 2; i <= n; i += 2) if (part[i] ~ "^" name "$") print part[i], yet}' "$1"
}
there() { # folder, README, pattern
    local folder name yet missing
    folder=$1
    missing=$(named "$2" "$3" | sed -n 's/ no$//p')
    [ "$(named "$2" "$3" | wc -l)" -gt 1 ] && while read -r name yet; do
        [ -e "$folder/${name%.md}.md" ] || grep -qx "$name" <<< "$missing" || { echo "$2: $name: no such file"; return 1; }
    done < <(named "$2" "$3")
}
check "results that their README names" there host/reproduce/results host/reproduce/results/README.md '[a-z-]+[.]md'
check "latencies that their README names" there host/latency/results host/latency/README.md 'latency-[a-z]+'
sed 's/`regular.md`/`irregular.md`/' host/reproduce/results/README.md > "$work/README.md"
fails "a name that is none" 1 'irregular.md: no such file' there host/reproduce/results "$work/README.md" '[a-z-]+[.]md'

# Does the test see it? Of the READMEs, and of a table.
{
    grep -hv 'is member' README.md host/reproduce/results/README.md # an example, which is no number
    printf '\n<!--=table latency.md-->\n\n| image | gain in no time |\n|---|---|\n| `dws` | |\n'
} > "$work/all.md"
"$recorded" write "$work/all.md" > /dev/null
check "numbers of all kinds" "$recorded" check "$work/all.md"
other_digit() { # TEXT: the first digit behind it is another
    sed -E "s,($1)([0-9]),\1#\2,; s/#9/0/; s/#8/9/; s/#7/8/; s/#6/7/; s/#5/6/; s/#4/5/; s/#3/4/; s/#2/3/; s/#1/2/; s/#0/1/" "$work/all.md"
}
row=$(sed -n '/<!--=table latency.md-->/,$p' "$work/all.md" | grep -m 1 -o '^| `[^|]*|')
for before in '<!--=mask:agree-->' '<!--=dws-headline:rows/fig[^>]*-->[-+]?' '<!--=-mask:[^>]*-->[-+]?' "${row//|/\\|}[^0-9<]*"; do
    other_digit "$before" > "$work/copy.md"
    check "a copy with one digit changed" bash -c '! cmp -s "$0" "$1"' "$work/all.md" "$work/copy.md"
    fails "is found: $before" 1 "copy.md:[0-9]+: .* (is|has) .*, the (text|table) says .* 1 of them wrong" "$recorded" check "$work/copy.md"
    check "and is put right" bash -c '"$0" write "$1" && cmp "$2" "$1"' "$recorded" "$work/copy.md" "$work/all.md"
done
text() { # of one line, checked
    printf '%s\n' "$@" > "$work/text.md"
    "$recorded" check "$work/text.md"
}
fails "a row that is not recorded" 1 'text.md:1: mask:rows/none/ours: there is none such' text '<!--=mask:rows/none/ours-->1 %'
fails "a file that is not there" 1 'nowhere.json is in none of host' text '<!--=nowhere:agree-->1'
check "what an image was accepted with last" bash -c 'grep -q -- "<!--=budget/[^:]*:accepted/last/code-->" firmware/README.md && "$0" check firmware/README.md' "$recorded"
fails "no number" 1 'text.md:2: mask:agree: no number behind it' text 'a' '<!--=mask:agree-->many'
fails "a comment that does not end" 1 'text.md:1: a comment that does not end' text '<!--=mask:agree'
check "code says nothing" text 'write `<!--=mask:agree-->many`'
fails "no table" 1 'text.md:1: no table below' text '<!--=table latency.md-->'
fails "a column that is not recorded" 1 'no table with these columns' text '<!--=table latency.md-->' '| image | yaks |' '|---|---|' '| dws | 1 |'
fails "a row that is not recorded in the table" 1 'and a row yak' text '<!--=table latency.md-->' '| image | gain |' '|---|---|' '| yak | 1 |'

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
