#!/usr/bin/env bash
# install.sh BUILD DESTDIR PREFIX: puts what is built into DESTDIR/PREFIX. Called by `make install` and deb.sh, from the top
# of the tree. Paths may have blanks and quotes. What an older version put there, and this one has not, goes.
set -euo pipefail
build=$1 prefix=${2%/}$3
case $3 in
    /*) ;;
    *)
        echo "memhelm: PREFIX='$3' is no absolute path" >&2
        exit 2
        ;;
esac
lib=$prefix/lib/memhelm share=$prefix/share

# put MODE DIRECTORY FILE..
put() {
    local mode=$1 directory=$2
    shift 2
    mkdir -p "$directory"
    install -m "$mode" -- "$@" "$directory/"
}

# beside FILE: what the first line of FILE.path names, as memhelm finds it; into the library, under its own name.
beside() {
    local path
    path=$(head -n 1 "$build/$1.path")
    case $path in
        /*) ;;
        *) path=$build/$path ;;
    esac
    put 755 "$lib" "$path"
    basename "$path" > "$lib/$1.path"
}

mkdir -p "$lib" "$prefix/bin"
rm -rf -- "$lib/firmware" "$lib/twin" "$lib/gdb" "$lib/tree" "$lib/newlib" "$share/memhelm/schema"
put 755 "$lib" "$build/memhelm"
put 644 "$lib" "$build/qemu.version"
put 644 "$lib/firmware" "$build"/firmware/*.elf
put 644 "$lib/firmware/rom" "$build/firmware/rom/rom.bin"
put 644 "$lib/twin" "$build"/twin/*.so
put 644 "$lib/gdb" "$build"/gdb/*.py
beside qemu
beside core-plugin
# Oclgrind's plugin is built where Oclgrind is.
rm -f -- "$lib/record-plugin.path"
[ ! -e "$build/record-plugin.path" ] || beside record-plugin
# The program finds images beside itself: a link has its own directory, but /proc/self/exe is the file.
ln -sfn ../lib/memhelm/memhelm "$prefix/bin/memhelm"

# What `memhelm build` compiles and links with: headers, rules and the template; objects, linker script and C library.
mkdir -p "$lib/tree"
find firmware/image firmware/platform firmware/policy -name '*.h' ! -path 'firmware/platform/twin*' -exec cp --parents -t "$lib/tree" {} +
cp --parents -t "$lib/tree" hwmodel/include/memhelm/registers.{h,def} firmware/policy/template.c firmware/{build.mk,rules.mk,images.sh}
(cd "$build" && cp --parents -t "$lib" $(cat firmware/parts) firmware/parts firmware/memhelm.ld firmware/policies.a)
newlib=newlib/riscv64-unknown-elf
mkdir -p "$lib/$newlib/lib"
cp -R "$build/$newlib/include" "$lib/$newlib"
"${RISCV_STRIP:-riscv64-unknown-elf-strip}" --strip-debug -o "$lib/$newlib/lib/libc.a" "$build/$newlib/lib/libc.a"
chmod -R u=rwX,go=rX "$lib/tree" "$lib/firmware" "$lib/newlib"
echo tree > "$lib/tree.path"

put 644 "$share/memhelm/schema" host/report/schema/*.json
put 644 "$share/memhelm/python/memhelm" host/python/memhelm/__init__.py
put 644 "$share/doc/memhelm" README.md LICENSE host/package/copyright
mkdir -p "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
rm -f -- "$share"/man/man1/memhelm.1 "$share"/man/man1/memhelm-*.1
host/package/man.sh "$build" "$share/man/man1"
"$build/memhelm" completion bash > "$share/bash-completion/completions/memhelm"
"$build/memhelm" completion zsh > "$share/zsh/site-functions/_memhelm"
"$build/memhelm" completion fish > "$share/fish/vendor_completions.d/memhelm.fish"
[ -n "$2" ] || echo "memhelm: installed; $prefix/bin/memhelm doctor says whether all is well"
