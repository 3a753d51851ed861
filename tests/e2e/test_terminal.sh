#!/usr/bin/env bash
# What a terminal gets: colour where it is asked for, never in files and pipes by itself, never in results; and nothing of
# what firmware or a file says may move it: control characters are shown there, and wherever a message quotes them.
. "$(dirname "$0")/lib.sh" "$1"

# --- Colour.

here=$(dirname "$0")
esc=$'\x1b'
terminal() { # variables and a command of memhelm, on a terminal
    env -u NO_COLOR TERM=xterm python3 "$here/on_terminal.py" env "$@"
}
says() { # COMMAND..: on either stream, whatever its exit code
    "$@" > "$work/said" 2>&1
    [ -s "$work/said" ]
}
coloured() { # TEXT COMMAND..: it says so; <32> stands for the code of green
    local text
    text=$(sed "s/<\([0-9;]*\)>/$esc[\1m/g" <<< "$1")
    says "${@:2}" && grep -qF -- "$text" "$work/said"
}
plain() {
    says "$@" && ! grep -q "$esc\[[0-9;]*m" "$work/said"
}
wrong=("$memhelm" run nosuch -w GUPS)
study=("$memhelm" reproduce mask --row fig3-sharedtlb --row fig11-mask --workload MVT+GUPS --twin --cycles 20000)

check "an error on a terminal: its beginning is red" coloured '<1;31>memhelm:<0> unknown image' terminal "${wrong[@]}"
check "not in a pipe" plain "${wrong[@]}"
check "in a pipe when asked for" coloured '<1;31>memhelm:<0> unknown' "${wrong[@]}" --color=always
check "not on a terminal with NO_COLOR" plain terminal NO_COLOR=1 "${wrong[@]}"
check "which may be empty: then it is not set" coloured '<1;31>' terminal NO_COLOR= "${wrong[@]}"
check "but --color=always is asked for" coloured '<1;31>' terminal NO_COLOR=1 "${wrong[@]}" --color=always
check "nor with --color=never" plain terminal "${wrong[@]}" --color never
check "nor on a dumb terminal" plain terminal TERM=dumb "${wrong[@]}"
check "nor on one without a name" plain terminal -u TERM "${wrong[@]}"

"${study[@]}" --json "$work/plain.json" --markdown "$work/plain.md" > "$work/plain" 2> /dev/null
"${study[@]}" --color=always --json "$work/colour.json" --markdown "$work/colour.md" > "$work/colour" 2> /dev/null
check "verdicts of a study have colours" grep -Eq "$esc\[(32|33|1;31)m[a-z ]+$esc\[0m" "$work/colour"
check "without them the table is the same" diff "$work/plain" <(sed "s/$esc\[[0-9;]*m//g" "$work/colour")
check "results have none" cmp "$work/plain.json" "$work/colour.json"
check "nor has Markdown" cmp "$work/plain.md" "$work/colour.md"
check "what is well is green" coloured '<32>ok    <0>  QEMU' "$memhelm" doctor --color=always
check "what is missing is red" coloured '<1;31>NEEDED<0>  QEMU' env MEMHELM_QEMU=/nowhere "$memhelm" doctor --color=always
check "a run that hangs" coloured '<1;31>memhelm:<0> fault:fault.hang=1 hangs' "$memhelm" run "$(faulty fault.hang)" --no-alone -w GUPS:4096 --cycles 200000 --color=always
check "beside another, in the table" coloured '<1;31>hang<0>' "$memhelm" compare baseline "$(faulty fault.hang)" --no-alone -w GUPS:4096 --cycles 200000 --color=always
fails "another word" 2 "--color: 'alwys'; nearest: always; there are: auto always never" "${wrong[@]}" --color=alwys
check "every command has it" bash -c 'for c in $("$0" completion words -- "" | cut -f 1); do "$0" "$c" --help | grep -q -- "--color=auto|always|never" || exit 1; done' "$memhelm"

# --- Control characters of firmware. A pipe or a file gets the bytes as they are.

escape=(run "$(faulty console.escape)" -w GUPS --no-alone --cycles 5000 --color never)

same() { # OPTION.. : the console on a terminal
    terminal "$memhelm" "${escape[@]}" "$@" | tr -d '\r' > "$work/terminal"
    grep -q '^plain$' "$work/terminal" && grep -qF '\x1b[31mred\x07' "$work/terminal" && grep -qF '\x9b1m\x0dover é' "$work/terminal" &&
        grep -qF '\x1b]0;title\x07memhelm: FAIL' "$work/terminal" && ! LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' "$work/terminal" &&
        ! grep -q 'not as it was' "$work/terminal" || { cat -v "$work/terminal"; return 1; }
}
check "--console on a terminal" same --console
fails "the last line, in the diagnosis" 1 'last line of the console: \\x1b\]0;title\\x07memhelm: FAIL' "$memhelm" "${escape[@]}"
check "nor is there a raw one in it" bash -c '! LC_ALL=C grep -q "$(printf "[\001-\010\016-\037]")" "$0"' "$work/fails.out"
check "--console in a pipe: the bytes" bash -c '"$@" --console 2> /dev/null | grep -qF "$(printf "\033[31mred\007")"' - "$memhelm" "${escape[@]}"
check "a twin's console on a terminal" bash -c 'grep -q "memhelm: boot image=baseline" <<< "$0"' "$(terminal "$memhelm" run baseline --twin -w GUPS --no-alone --cycles 5000 --console)"

# Files speak, too.
printf '"\\e[31mmask": 1\n' > "$work/key.yaml"
fails "a key of a file" 2 "key.yaml:1: unknown key '.x1b.31mmask'" "$memhelm" run baseline -w GUPS --config "$work/key.yaml"
printf 'preset: mask\nmcu: {core: "\\e[2J"}\n' > "$work/value.yaml"
fails "a value of a file" 2 'value.yaml:2: mcu.core: a text with a control character .0x1b. in it' "$memhelm" run baseline -w GUPS --config "$work/value.yaml"
sed 's/^title: .*/title: "\\e[2J"/' host/mcu/cores/ibex.yaml > "$work/core.yaml"
fails "a core's file" 2 'core.yaml:[0-9]+: .*expected a text' "$memhelm" list cores "$work/core.yaml"
finish
