#!/usr/bin/env bash
# A new policy in a copy of the tree: what `memhelm init` makes passes its test, builds and runs, by the three commands
# that it says; and it refuses what it cannot make, and leaves nothing behind.
. "$(dirname "$0")/lib.sh" "$1"
tree=$work/tree
own_tree "$tree"
cd "$tree" || exit 1
export DEPS=no
user_home_of() { XDG_CACHE_HOME=$user_cache "$@"; } # QEMU and newlib are there

init() {
    build/memhelm init "$@"
}
says() {
    init walk_mine > "$work/said"
}
command_number() { # the N-th of the commands that it said
    sed -n '/^Now /,$p' "$work/said" | grep '^  ' | sed -n "$1p"
}
obey() {
    local command
    command=$(command_number "$1")
    [ -n "$command" ] && user_home_of env -u MAKEFLAGS bash -ec "$command" > "$work/obeyed" 2>&1 || {
        tail -n 20 "$work/obeyed"
        return 1
    }
}
tests_of_its_own() {
    obey 1 && grep -qE 'PASSED +\] +3 test|^ok 3' "$work/obeyed"
}
runs() {
    obey 3 && grep -q '^walk-mine' "$work/obeyed"
}
shipped() { # the images that were there have the same bytes
    cmp "build/firmware/baseline.elf" "$1" && cmp build/twin/mask-tlb.so "$2"
}
no_template() { # in what was made
    ! grep -il template firmware/policy/walk_mine.[ch] tests/unit/firmware/test_policy_walk_mine.c
}
formatted() {
    command -v clang-format > /dev/null || return 0
    clang-format --dry-run -Werror firmware/policy/walk_mine.[ch] tests/unit/firmware/test_policy_walk_mine.c
}

cp build/firmware/baseline.elf build/twin/mask-tlb.so "$work"
find firmware host tests | sort > "$work/before"
fails "no C identifier: what is one" 2 "'walk-mine' is no name of a policy: letters, digits and _, .* its image is walk-share then" init walk-mine
fails "nor one that begins with a digit" 2 "'2walk' is no name" init 2walk
fails "nor an empty one" 2 "'' is no name" init ''
fails "nor a path" 2 "'../x' is no name" init ../x
fails "nor one that is too long" 2 'at most 40 characters' init "$(printf 'a%.0s' {1..41})"
fails "a policy that is there" 2 "there is a firmware/policy/defaults.c already" init defaults
fails "an image that is there" 2 "there is an image mask-tlb in firmware/images.def already" init mask_tlb
fails "no name" 2 'which name' init
fails "two names" 2 "one policy at a time" init a b
fails "outside of the tree: where to start" 2 'start at the top of memhelm.s source tree' env -C host ../build/memhelm init mine
short_of_room() { # for more than 2 KiB in a file
    (trap '' XFSZ && ulimit -f 2 && init mine)
}
fails "a file that cannot be written: none is" 2 'policy/mine.c: .*File too large' short_of_room
check "what is refused leaves nothing behind" cmp "$work/before" <(find firmware host tests | sort)

check "a policy is made" says
check "and says three commands" [ "$(sed -n '/^Now /,$p' "$work/said" | grep -c '^  ')" = 3 ]
check "no word of the template is left" no_template
check "as the formatter has it" formatted
check "first command: its test passes" tests_of_its_own
check "second: it builds" obey 2
check "third: it runs beside another" runs
check "images that were there stay as they were" shipped "$work/baseline.elf" "$work/mask-tlb.so"
fails "a second time: refused" 2 'there is a firmware/policy/walk_mine.h already' init walk_mine
finish
