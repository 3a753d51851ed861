# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shared by the get-*.sh that build something: the cache outside of the tree, locks, stages, progress.
# Sourced, not run. Messages go to stderr; stdout is for the path of the result.

# A Python or Ninja of the user's own would be picked up by configure: use the distribution's.
PATH=/usr/bin:/bin:/usr/sbin:/sbin
export PATH LC_ALL=C

cache=${XDG_CACHE_HOME:-$HOME/.cache}/memhelm
jobs=${JOBS:-$(nproc)}
program=$(basename "$0" .sh)
program=${program#get-}

say() {
    printf '%s: %s\n' "$program" "$*" >&2
}

die() {
    say "$@"
    exit 1
}

# need COMMAND:PACKAGE.. -- complains about all that is missing at once.
need() {
    local pair missing=()
    for pair in "$@"; do
        case ${pair%%:*} in
            *.pc) pkg-config --exists "$(basename "${pair%%:*}" .pc)" 2>/dev/null || missing+=("${pair##*:}") ;;
            /*) [ -e "${pair%%:*}" ] || missing+=("${pair##*:}") ;;
            *) command -v "${pair%%:*}" >/dev/null || missing+=("${pair##*:}") ;;
        esac
    done
    [ ${#missing[@]} -eq 0 ] || die "missing Debian packages: ${missing[*]} (apt-get install ${missing[*]})"
}

# lock NAME -- held until the script ends; a second build waits for the first and then finds its work done.
lock() {
    mkdir -p "$cache" 2>/dev/null && [ -w "$cache" ] ||
        die "the cache $cache cannot be written: set XDG_CACHE_HOME to a directory that can"
    exec {lock_fd}>"$1"
    flock -n "$lock_fd" && return
    say "another build is at work, waiting for it"
    flock "$lock_fd"
}

# done_with DIR STAGE / finish DIR STAGE -- a stage counts once its stamp has been renamed into place.
done_with() {
    [ -e "$1/stamp.$2" ]
}

finish() {
    date -u +%FT%TZ >"$1/stamp.$2.tmp"
    mv "$1/stamp.$2.tmp" "$1/stamp.$2"
}

# run_logged LOG COMMAND.. -- quiet; on failure the end of the log and where it is.
run_logged() {
    local log=$1
    shift
    "$@" >"$log" 2>&1 && return
    tail -n 25 "$log" >&2
    die "failed, the whole log is $log"
}

# progress WHAT -- reads Ninja's `[done/all] step` lines; a line that moves on a terminal, one per tenth elsewhere.
progress() {
    local what=$1 line tenth last=-1 start=$SECONDS
    while IFS= read -r line; do
        if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
            if [ -t 2 ]; then
                printf '\r%s: %s %s/%s, %ss ' "$program" "$what" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" \
                    $((SECONDS - start)) >&2
            else
                tenth=$((BASH_REMATCH[1] * 10 / BASH_REMATCH[2]))
                [ "$tenth" -eq "$last" ] || say "$what ${BASH_REMATCH[1]}/${BASH_REMATCH[2]}, $((SECONDS - start))s"
                last=$tenth
            fi
        fi
    done
    [ ! -t 2 ] || printf '\n' >&2
}

sha() {
    sha256sum | cut -c1-16
}
