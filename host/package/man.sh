#!/usr/bin/env bash
# man.sh BUILD DIR: writes the manual pages of memhelm and of each command into DIR, by help2man from what --help prints.
# Without help2man it says so and writes none. The same build gives the same pages, dated SOURCE_DATE_EPOCH or today.
set -euo pipefail
build=$1 to=$2 here=$(realpath "$(dirname "$0")")
command -v help2man > /dev/null || {
    echo "memhelm: no manual pages, since help2man is missing: apt-get install help2man" >&2
    exit 0
}
mkdir -p "$to"
to=$(realpath "$to")
version=$(sed -n 's/^#define MEMHELM_VERSION "\(.*\)"$/\1/p' host/cmd/commands.h)
cd "$build"
export ARGP_HELP_FMT=rmargin=2000,opt-doc-col=60 # neither words nor options that are broken over lines

# page NAME SUMMARY PROGRAM [OPTION..]: examples stay as they are, exit codes get a heading.
page() {
    help2man --no-info --version-string="memhelm $version" --source="memhelm $version" --manual=memhelm --name="$2" "${@:4}" "$3" |
        sed -E "s/^memhelm \\\\- /${1/-/\\\\-} \\\\- /; s/^\.TH MEMHELM/.TH ${1^^}/
            /^\.SH EXAMPLES/,\$ {/^\.IP/ s/$/\n.nf/; s/^\.PP/.fi\n.PP/}
            s/^Exit codes?:? */.SH \"EXIT STATUS\"\n/" > "$to/$1.1"
}

page memhelm "policy firmware at the helm of a modelled GPU memory system" ./memhelm --include="$here/memhelm.h2m"
./memhelm --help | sed -nE '/^Start/q; s/^  memhelm ([a-z]+) +(.*)/\1\t\2/p' | while IFS=$'\t' read -r command summary; do
    page "memhelm-$command" "$summary" "./memhelm $command" < /dev/null
done
