#!/usr/bin/env bash
# record.sh MEMHELM DIRECTORY NAME..: records programs beside it as DIRECTORY/NAME.w32.gmt.zst, with NAME.w32.json and
# NAME.pcs.json. paged takes half a minute.
set -euo pipefail
here=$(dirname "$0") memhelm=$1 to=$2
declare -A ctas=([tokenwise]=0-7)

for name in "${@:3}"; do
    gcc -O1 -o "$to/$name" "$here/$name.c" "$here/device.c" -lOpenCL -lm
    "$memhelm" record -o "$to/$name.w32.gmt" --ctas "${ctas[$name]:-0-65535}" --stop -- "$to/$name" "$here/$name.cl"
    zstd -19 -qf --rm "$to/$name.w32.gmt"
    "$memhelm" trace info "$to/$name.w32.gmt.zst" --json > "$to/$name.w32.json"
    rm "$to/$name"
done
