#!/usr/bin/env bash
# quick: one of the scripts of make check
# The Tab key in bash, zsh and fish, and the manual pages: both out of the tables that --help shows.
. "$(dirname "$0")/lib.sh" "$1"
mkdir "$work/bin" && ln -s "$(realpath "$memhelm")" "$work/bin/memhelm"
PATH=$work/bin:$PATH
here=$(cd "$(dirname "$0")" && pwd)

words() { # WORD..: candidates without what is said about them
    memhelm completion words -- "$@" | cut -f 1 | tr '\n' ' '
}
gives() { # WHAT CANDIDATES WORD..
    local want=$2
    check "$1" [ "$(words "${@:3}")" = "$want" ]
}
has() { # WHAT CANDIDATE WORD..: among others
    check "$1" grep -q " $2 " <<< " $(words "${@:3}")"
}
commands=$(memhelm --help | sed -n '/^Start/q; s/^  memhelm \([a-z]*\) .*/\1/p')

# --- candidates
gives "a command" "reproduce " repr
check "all commands" [ "$(words '' | tr ' ' '\n' | grep . | sort)" = "$(sort <<< "$commands")" ]
gives "the program's own options" "--help --version " --
gives "an option" "--image " run --im
gives "an image behind an option" "mask-tlb :files " run --image mask-tl
gives "behind its letter" "mask-tlb :files " run -i mask-tl
gives "behind =" "--image=mask-tlb :files " run --image=mask-tl
gives "behind = as bash parts it" "mask-tlb :files " run --image = mask-tl
check "all images" [ "$(words run -i '')" = "$(memhelm list images | cut -d' ' -f1 | tr '\n' ' '):files " ]
gives "an image or a file" "mask-tlb :files " compare baseline mask-tl
gives "a preset" "integrated " run -p inte
gives "a DRAM set, of dram alone" "gddr5 gddr5-8gb " dram -p gddr5
gives "a design" "PWCache " compare -d PW
gives "a kernel" "XSBench " run -w XS
gives "the last tenant of several" "MVT+XSBench " run -w MVT+XS
gives "the last of a list" "baseline,mask-tlb " sweep --image baseline,mask-tl
gives "a tenant in a list" "MVT+GUPS,MVT+XSBench " sweep -w MVT+GUPS,MVT+XS
gives "a core" "ibex ibex-slow ibex-max :files " run --core ibex
gives "an image that gives its policies" "dws,mask-tlb " build --with dws,mask-tl
gives "a key" "l2tlb.entries= " run --set l2tlb.ent
gives "a word of a value" "stop recover " run --on-fault ''
gives "a study" "causes " reproduce cau
gives "its rows" "fig11-ideal " reproduce mask --row fig11-id
gives "rows of the study that stands before" "fig7-dws " reproduce dws --quick --row fig7-
gives "a list" "cores config " list c
gives "of cores" "picorv32 picorv32-fast " list cores pico
gives "of a preset" "integrated " list config inte
gives "what to do with a trace" "info convert " trace ''
gives "then a file" ":files " trace info ''
gives "a file" ":files " run --json ''
gives "a directory" ":directories " reproduce mask --plots ''
gives "a shell" "bash " completion ba
gives "a metric" "weighted " search --metric we
gives "nothing behind an option of which nothing is known" "" run --seed ''
gives "nothing of a command that is none" "" nonsense --im
gives "the value of an option is no argument" "convert " trace --pcs conv

# options_of COMMAND: those that --help has, in its column of options.
options_of() {
    memhelm "$1" --help | sed -nE '/^Examples:/q; s/^(  -., |      )--([a-z-]+).*/--\2/p' | sort
}
every_option() {
    local c
    for c in $commands; do
        diff <(options_of "$c") <(memhelm completion words -- "$c" -- | cut -f 1 | sort) || return 1
    done
}
check "every option of every --help, and no other" every_option

# --- shells
fails "a shell that is none" 2 "no completion of 'bsh'; nearest: bash; there are: bash zsh fish" memhelm completion bsh
fails "no shell" 2 'bash, zsh or fish' memhelm completion
check "bash takes the script" bash -c 'source <(memhelm completion bash) && [ "$(complete -p memhelm)" = "complete -F _memhelm memhelm" ]'
compreply() { # the words of a command line: COMPREPLY
    bash -c 'source <(memhelm completion bash) 2>&1; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _memhelm memhelm; printf "%s " "${COMPREPLY[@]}"' - memhelm "$@"
}
check "COMPREPLY has a command" [ "$(compreply comp)" = "compare completion " ]
check "and an image" [ "$(compreply run -i mask-tl)" = "mask-tlb " ]
touch "$work/some file.json"
check "and a file, blanks and all" [ "$(compreply run --json "$work/some")" = "$work/some file.json " ]
check "it obeys nothing that is typed" [ "$(compreply run --json '$(touch hurt)')" = " " -a ! -e hurt ]
tab() {
    timeout 60 python3 "$here/tab.py" "$@"
}
check "the Tab key in bash" [ "$(tab bash 'memhelm run --image=mask-tl\t-w XSB\t')" = "<run><--image=mask-tlb><-w><XSBench>" ]
check "a key stays open behind its =" [ "$(tab bash 'memhelm run --set l2tlb.ent\t256')" = "<run><--set><l2tlb.entries=256>" ]
if command -v zsh > /dev/null; then
    check "zsh takes the script" zsh -n <(memhelm completion zsh)
    check "the Tab key in zsh" [ "$(tab zsh 'memhelm run --image=mask-tl\t-w XSB\t')" = "<run><--image=mask-tlb><-w><XSBench>" ]
    check "a key stays open in zsh" [ "$(tab zsh 'memhelm run --set l2tlb.ent\t256')" = "<run><--set><l2tlb.entries=256>" ]
fi
if command -v fish > /dev/null; then
    memhelm completion fish > "$work/memhelm.fish"
    check "fish takes the script" fish --no-execute "$work/memhelm.fish"
    in_fish() {
        XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work fish --no-config -c "source '$work/memhelm.fish'; complete -C '$1'" | cut -f 1 | tr '\n' ' '
    }
    check "fish completes an image" [ "$(in_fish 'memhelm run --image mask-tl')" = "mask-tlb " ]
    check "and a command" [ "$(in_fish 'memhelm comp')" = "compare completion " ]
fi

# --- manual pages
if command -v help2man > /dev/null; then
    check "pages of all" "$here/../../host/package/man.sh" "$(dirname "$memhelm")" "$work/man"
    check "a page of each command, and one of memhelm" [ "$(ls "$work/man" | wc -l)" = $(($(wc -w <<< "$commands") + 1)) ]
    every_option_in_man() {
        local c
        for c in $commands; do
            diff <(options_of "$c") <(sed -nE '/^\.TP/{n;s/\\-/-/g;s/\\f[BIR]//g;s/^(-., )*--([a-z-]+).*/--\2/p}' "$work/man/memhelm-$c.1" | sort -u) || return 1
        done
    }
    check "every option of every --help" every_option_in_man
    sections() {
        local page
        for page in "$work"/man/memhelm-*.1; do
            grep -q '^\.SH EXAMPLES' "$page" && grep -q '^\.SH "EXIT STATUS"' "$page" || { basename "$page"; return 1; }
        done
    }
    check "each has examples and exit codes" sections
    if command -v groff > /dev/null; then
        no_warning() {
            ! groff -man -ww -Tutf8 -z "$work"/man/*.1 2>&1 | grep .
        }
        check "groff has nothing to say of them" no_warning
        check "an example stands as it is" grep -q '  memhelm run -i mask-tlb -w MVT+GUPS --cycles 300000 --seed 1 --json r.json' <(groff -man -Tascii -P-c "$work/man/memhelm-run.1")
    fi
fi
fails "the command that printed them" 2 "is now .make man" memhelm man run
finish
