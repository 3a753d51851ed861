#!/usr/bin/env bash
# What firmware writes to its console cannot move a terminal: control characters are shown there, and wherever a message
# quotes them. A pipe or a file gets the bytes as they are.
. "$(dirname "$0")/lib.sh" "$1"
# Memhelm's own colours are control characters, too: test_colour.sh has those.
escape=(run "$(faulty console.escape)" -w GUPS --no-alone --cycles 5000 --color never)

here=$(dirname "$0")

on_terminal() { # memhelm's arguments
    python3 "$here/on_terminal.py" "$memhelm" "$@"
}

same() { # OPTION.. : the console on a terminal
    on_terminal "${escape[@]}" "$@" | tr -d '\r' > "$work/terminal"
    grep -q '^plain$' "$work/terminal" && grep -qF '\x1b[31mred\x07' "$work/terminal" && grep -qF '\x9b1m\x0dover é' "$work/terminal" &&
        grep -qF '\x1b]0;title\x07memhelm: FAIL' "$work/terminal" && ! LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' "$work/terminal" &&
        ! grep -q 'not as it was' "$work/terminal" || { cat -v "$work/terminal"; return 1; }
}
check "--console on a terminal" same --console
fails "the last line, in the diagnosis" 1 'last line of the console: \\x1b\]0;title\\x07memhelm: FAIL' "$memhelm" "${escape[@]}"
check "nor is there a raw one in it" bash -c '! LC_ALL=C grep -q "$(printf "[\001-\010\016-\037]")" "$0"' "$work/fails.out"
check "--console in a pipe: the bytes" bash -c '"$@" --console 2> /dev/null | grep -qF "$(printf "\033[31mred\007")"' - "$memhelm" "${escape[@]}"
check "a twin's console on a terminal" bash -c 'grep -q "memhelm: boot image=baseline" <<< "$0"' "$(on_terminal run baseline --twin -w GUPS --no-alone --cycles 5000 --console)"

# Files speak, too.
printf '"\\e[31mmask": 1\n' > "$work/key.yaml"
fails "a key of a file" 2 "key.yaml:1: unknown key '.x1b.31mmask'" "$memhelm" run baseline -w GUPS --config "$work/key.yaml"
printf 'preset: mask\nmcu: {core: "\\e[2J"}\n' > "$work/value.yaml"
fails "a value of a file" 2 'value.yaml:2: mcu.core: a text with a control character .0x1b. in it' "$memhelm" run baseline -w GUPS --config "$work/value.yaml"
sed 's/^title: .*/title: "\\e[2J"/' host/mcu/cores/ibex.yaml > "$work/core.yaml"
fails "a core's file" 2 'core.yaml:[0-9]+: .*expected a text' "$memhelm" list cores "$work/core.yaml"
finish
