#!/usr/bin/env bash
# deb.sh BUILD: makes BUILD/memhelm_VERSION_ARCHITECTURE.deb of what is built. Needs dpkg-dev. The same build of the same
# commit gives the same bytes.
set -euo pipefail
build=$1
version=$(sed -n 's/^#define MEMHELM_VERSION "\(.*\)"$/\1/p' host/cmd/commands.h)
date=$(git log -1 --format=%ct 2> /dev/null) && version="$version+git$(git log -1 --format=%cd --date=format:%Y%m%d).$(git log -1 --format=%h)"
export SOURCE_DATE_EPOCH=${date:-0}
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

host/package/install.sh "$build" "$root" /usr
# Tables for single steps: not for a package. Line tables of images stay, memhelm budget reads them.
strip --strip-debug "$root/usr/lib/memhelm/memhelm" "$root/usr/lib/memhelm/qemu-system-riscv32" "$root"/usr/lib/memhelm/twin/*.so
mkdir -p "$root/usr/lib/python3/dist-packages"
mv "$root/usr/share/memhelm/python/memhelm" "$root/usr/lib/python3/dist-packages/"
rmdir "$root/usr/share/memhelm/python"
gzip -9nr "$root/usr/share/man/man1"

# dpkg-shlibdeps wants a source package around it.
mkdir -p "$work/debian" "$root/DEBIAN"
printf 'Source: memhelm\n\nPackage: memhelm\nArchitecture: any\n' > "$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O --ignore-missing-info root/usr/lib/memhelm/memhelm \
    root/usr/lib/memhelm/qemu-system-riscv32 2> /dev/null | sed -n 's/^shlibs:Depends=//p')
cat > "$root/DEBIAN/control" <<CONTROL
Package: memhelm
Version: $version
Architecture: $architecture
Maintainer: the authors of memhelm <memhelm@localhost>
Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f 1)
Depends: $depends
Recommends: gnuplot-nox
Suggests: gcc-riscv64-unknown-elf, make, python3-pandas, gdb-multiarch, oclgrind
Section: science
Priority: optional
Description: policy firmware at the helm of a modelled GPU memory system
 Runs policies for shared TLBs, page walks, caches and DRAM on a small RISC-V
 management core in QEMU, beside a cycle model of a GPU, and compares what
 they do to kernels that share it.
CONTROL
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
file=$build/memhelm_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$file" > /dev/null
echo "$file"
