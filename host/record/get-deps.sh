#!/usr/bin/env bash
# The Debian packages that the recorder is built with and runs. memhelm is built without them, too: then `memhelm record`
# names them.
#   get-deps.sh          installs what is missing; with DEPS=no it does not, and says so
#   get-deps.sh have     prints something if the recorder can be built, or will be once it is installed
#   get-deps.sh include  where LLVM's headers are
set -euo pipefail

packages=(oclgrind liboclgrind-dev llvm-14-dev opencl-c-headers ocl-icd-opencl-dev)

if [ "${1:-}" = include ]; then
    echo /usr/lib/llvm-14/include
    exit 0
fi
missing=()
for p in "${packages[@]}"; do
    status=$(dpkg-query -W -f '${Status}' "$p" 2> /dev/null || true)
    [ "$status" = "install ok installed" ] || missing+=("$p")
done
if [ "${1:-}" = have ]; then
    { [ ${#missing[@]} -gt 0 ] && [ "${DEPS:-yes}" = no ]; } || echo yes
    exit 0
fi
[ ${#missing[@]} -eq 0 ] && exit 0
if [ "${DEPS:-yes}" = no ]; then
    echo "memhelm record is not built: it needs the Debian packages ${missing[*]}" >&2
    exit 0
fi
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
echo "memhelm record: installing Debian packages: ${missing[*]}"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q=2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q=2 --no-install-recommends "${missing[@]}" > /dev/null
