#!/usr/bin/env bash
# memhelm without its source tree: what `make install` puts into a prefix runs from anywhere, with the tree out of sight,
# and gives the bytes that the build gives. So does what `make deb` packs.
. "$(dirname "$0")/lib.sh" "$1"
tree=$PWD
within="/opt/it's a \"prefix\", with \$signs" prefix=$work/stage$within
installed=$prefix/bin/memhelm
call=(-w MVT:256+GUPS:4096 --cycles 20000 --seed 3)

make_here() {
    env -u MAKEFLAGS XDG_CACHE_HOME="$user_cache" make -s "BUILD=$build" DEPS=no "$@"
}

# alone COMMAND..: from another folder, with a small environment, and nothing where the source tree is.
mkdir "$work/empty" "$work/elsewhere"
if unshare -rm true 2> /dev/null && [[ $work != $tree/* ]]; then
    hide='mount --bind "$0" "$1" && shift && exec "$@"'
    hidden() {
        unshare -rm bash -c "$hide" "$work/empty" "$tree" "$@"
    }
    echo "# the source tree is hidden"
else
    hidden() { "$@"; }
    echo "# note: the source tree cannot be hidden here (unshare -rm): runs see it"
fi
alone() {
    (cd "$work/elsewhere" && hidden env -i HOME="$work/home" TMPDIR="$work/elsewhere" PATH=/usr/bin:/bin "$@")
}
compares() {
    "$memhelm" compare baseline mask-tlb "${call[@]}" --json "$work/built.json" > "$work/built" &&
        alone "$installed" compare baseline mask-tlb "${call[@]}" --json here.json > "$work/said" &&
        cmp "$work/built.json" "$work/elsewhere/here.json"
}
native() {
    alone "$installed" run etc -p etc --twin --no-alone -w ATAX:2048 -s uvm.mode=on -s uvm.capacity=75% --cycles 20000
}

check "installs, DESTDIR put before the prefix" make_here install "DESTDIR=$work/stage" "PREFIX=$within"
check "the tree is out of sight" [ -z "$(hidden cat "$tree/Makefile" 2> /dev/null)" -o "$(type hidden | grep -c unshare)" = 0 ]
check "memhelm compare gives the same bytes" compares
check "a twin runs, with another preset" native
check "images are those that were built" diff <("$memhelm" list images | sed "s/ (signed)$//") <(alone "$installed" list images)
check "presets and cores are there" bash -c '[ "$1" -gt 5 ]' - "$(alone "$installed" list presets | wc -l)"
check "doctor finds nothing missing" alone "$installed" doctor
check "it names the prefix's QEMU" grep -qF "$prefix/lib/memhelm/qemu-system-riscv32" <(alone "$installed" doctor)
check "a study runs" alone "$installed" reproduce mask --row fig3-sharedtlb --workload MVT+GUPS --twin --cycles 20000
check "an image has its budget" alone "$installed" budget baseline --static
check "init says where to start" grep -q 'source tree; or' <(alone "$installed" init mine 2>&1)
check "a policy in a folder of its user's" alone "$installed" init mine --here
check "is built" alone "$installed" build mine.c --with mask
check "and runs" alone "$installed" run ./mine.elf --no-alone -w GUPS:4096 --cycles 5000
check "manual pages" grep -q "EXIT STATUS" "$prefix/share/man/man1/memhelm-run.1"
check "completion in the place where bash looks" bash -c 'source "$1/share/bash-completion/completions/memhelm" && complete -p memhelm' - "$prefix"
check "schemas" diff <(ls host/report/schema/*.json | xargs -n 1 basename) <(ls "$prefix/share/memhelm/schema")
check "licenses" test -s "$prefix/share/doc/memhelm/LICENSE" -a -s "$prefix/share/doc/memhelm/copyright"
touch "$prefix/lib/memhelm/firmware/gone.elf"
check "once more, without DESTDIR" make_here install "PREFIX=$prefix"
check "what an older version had is gone" [ ! -e "$prefix/lib/memhelm/firmware/gone.elf" ]
mv "$prefix" "$work/moved"
check "it may be moved" alone "$work/moved/bin/memhelm" run baseline --no-alone -w GUPS:4096 --cycles 5000
fails "a relative prefix" 2 "PREFIX='here' is no absolute path" make_here install PREFIX=here

export DPKG_DEB_COMPRESSOR_LEVEL=0 # for speed
deb() {
    make_here deb > "$work/deb" && dpkg-deb -x "$(cat "$work/deb")" "$work/unpacked" && dpkg-deb -f "$(cat "$work/deb")" > "$work/control"
}
if command -v dpkg-shlibdeps > /dev/null; then
    check "a package" deb
    check "its version begins with the program's" grep -q "^Version: $("$memhelm" --version | sed -n 's/^memhelm \([0-9.]*\),.*/\1/p')" "$work/control"
    check "it depends on the libraries of program and QEMU" grep -Eq '^Depends: .*libglib2.*libjansson4.*libsqlite3-0.*libyaml-0-2' "$work/control"
    cp "$(cat "$work/deb")" "$work/first.deb"
    check "the same bytes a second time" bash -c '"$@" > /dev/null && cmp "$(cat "$0/deb")" "$0/first.deb"' "$work" env -u MAKEFLAGS make -s "BUILD=$build" DEPS=no deb
    check "what it has runs" alone "$work/unpacked/usr/bin/memhelm" compare baseline mask-tlb "${call[@]}" --json deb.json
    check "and gives the same bytes" cmp "$work/built.json" "$work/elsewhere/deb.json"
    check "it builds a policy" alone "$work/unpacked/usr/bin/memhelm" build mine.c -o packed.elf
    rm -f "$(cat "$work/deb")"
fi
finish
