#!/usr/bin/env bash
# Writes what a build is made of into headers for host/base/hash.c and main.c.
#   provenance.sh hashes HEADER MODEL_FILE.. -- MACHINE_FILE..   hashes of sources: the same on every machine
#   provenance.sh commit HEADER    the commit that is built; the file is written only when it changes
set -euo pipefail
export LC_ALL=C

# C without comments; text in quotes stays.
strip() {
    awk '
        FNR == 1 { inside = 0; print "file " FILENAME }
        {
            line = $0
            out = ""
            while (line != "") {
                if (inside) {
                    end = index(line, "*/")
                    line = end ? substr(line, end + 2) : ""
                    inside = !end
                    continue
                }
                if (!match(line, /\/\*|\/\/|["\x27]/)) {
                    out = out line
                    break
                }
                mark = substr(line, RSTART, RLENGTH)
                out = out substr(line, 1, RSTART - 1)
                line = substr(line, RSTART + RLENGTH)
                if (mark == "//")
                    break
                inside = mark == "/*"
                if (inside)
                    continue
                if (mark == "\"")
                    match(line, /^([^"\\]|\\.)*"/)
                else
                    match(line, /^([^\x27\\]|\\.)*\x27/)
                out = out mark substr(line, 1, RLENGTH)
                line = substr(line, RLENGTH > 0 ? RLENGTH + 1 : 1)
            }
            print out
        }' "$@"
}

# Comments, indentation and line breaks do not count; names of files do. Patches count as they are.
digest() {
    local sources=() others=()
    for file in $(printf '%s\n' "$@" | sort); do
        case $file in *.c | *.h | *.def) sources+=("$file") ;; *) others+=("$file") ;; esac
    done
    {
        strip "${sources[@]}" | tr -s '[:space:]' ' '
        [ ${#others[@]} -eq 0 ] || sha256sum "${others[@]}"
    } | sha256sum | cut -d' ' -f1
}

hashes() {
    local header=$1 model=() model_hash machine_hash
    shift
    while [ "$1" != -- ]; do
        model+=("$1")
        shift
    done
    shift
    model_hash=$(digest "${model[@]}")
    machine_hash=$(digest "$@")
    mkdir -p "$(dirname "$header")"
    printf '#define MODEL_HASH "%s"\n#define MACHINE_HASH "%s"\n' "$model_hash" "$machine_hash" > "$header"
}

# Also of what is built and git does not track: a new policy.
is_committed() {
    export GIT_OPTIONAL_LOCKS=0
    git diff --quiet HEAD -- . ':!*.md' ':!host/*/results' 2> /dev/null || return
    [ -z "$(git ls-files --others --exclude-standard -- firmware hwmodel host linker qemu ':!*.md' ':!host/*/results' 2> /dev/null | head -n 1)" ]
}

# Texts and recorded results are no part of what is built: recording one file does not make the next one's build dirty.
commit() {
    local name=unknown text
    if [ "$(git rev-parse --show-toplevel 2> /dev/null)" = "$(pwd -P)" ] && name=$(git rev-parse HEAD 2> /dev/null); then
        is_committed || name+=-dirty
    else
        name=unknown
    fi
    text="#define BUILD_COMMIT \"$name\""
    [ "$(cat "$1" 2> /dev/null)" = "$text" ] && return
    mkdir -p "$(dirname "$1")"
    printf '%s\n' "$text" > "$1"
}

"$@"
