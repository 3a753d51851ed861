#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Installs the Debian packages that memhelm is built with, or names those that are missing.
#   get-deps.sh          installs what is missing (asks for root for that one command only)
#   get-deps.sh slurm    also what the test of `memhelm sweep --slurm` needs, which is skipped without
#   get-deps.sh browser  also what the test of `memhelm report` looks at pages with, which is skipped without
#   get-deps.sh python   also what the test of host/python makes frames and figures with, which are skipped without
#   get-deps.sh docs     also what `make docs` needs
#   DEPS=no get-deps.sh  installs nothing; fails and names what is missing, but for gdb and librsvg: tests are skipped without
# Without libseccomp-dev QEMU has no sandbox: where it cannot be installed that is said, and no more.
set -euo pipefail

packages=(
    build-essential git dpkg-dev pkg-config python3
    gcc-riscv64-unknown-elf newlib-source                     # the mcu's toolchain and C library
    ninja-build meson patch zlib1g-dev libglib2.0-dev libpixman-1-dev flex bison libfdt-dev xz-utils bzip2   # QEMU
    libyaml-dev libjansson-dev libzstd-dev liblzma-dev libssl-dev libbearssl-dev   # configuration, results, traces, signatures
    libsqlite3-dev gnuplot-nox                                # memhelm reproduce: kept results, plots
    libdw-dev                                                 # memhelm budget: lines of functions
    libcmocka-dev                                             # tests
    help2man                                                  # make man, make install
)
[ "${1:-}" = lint ] && packages+=(clang-format cppcheck)
# Their installation starts daemons: only for who asks for it. A test starts its own.
[ "${1:-}" = slurm ] && packages+=(slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge)
[ "${1:-}" = browser ] && packages+=(chromium fonts-dejavu-core)
[ "${1:-}" = python ] && packages+=(python3-pandas python3-matplotlib)
[ "${1:-}" = docs ] && packages+=(mkdocs-material)
[ "${DEPS:-yes}" = no ] || packages+=(gdb-multiarch librsvg2-bin)

has() {
    [ "$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null || true)" = "install ok installed" ]
}

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
install() {
    echo "memhelm: installing Debian packages: $*"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q=2 &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q=2 --no-install-recommends "$@" > /dev/null
}

missing=()
for p in "${packages[@]}"; do
    has "$p" || missing+=("$p")
done
if [ ${#missing[@]} -gt 0 ]; then
    if [ "${DEPS:-yes}" = no ]; then
        echo "memhelm: missing Debian packages (DEPS=no, so nothing is installed): ${missing[*]}" >&2
        exit 1
    fi
    if [ ${#as_root[@]} -gt 0 ] && ! command -v sudo > /dev/null; then
        echo "memhelm: please install as root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    install "${missing[@]}"
fi
[ "${DEPS:-yes}" = no ] || has libseccomp-dev || install libseccomp-dev ||
    echo "memhelm: without libseccomp-dev QEMU has no sandbox (apt-get install libseccomp-dev)" >&2
