#!/usr/bin/env bash
# Stands for QEMU (MEMHELM_QEMU): keeps the run's folder and its command below $KEEP before it runs, to be run once more.
set -euo pipefail
machine=$2 # -M memhelm,run=FOLDER,..
folder=${machine#memhelm,run=}
folder=${folder%%,*}
mine=$(mktemp -d "$KEEP/XXXXXX")
cp -r "$folder/." "$mine"
{
    echo '#!/bin/sh'
    printf 'exec %q' "$QEMU"
    printf ' %q' "${@//$folder/$mine}"
    printf ' < /dev/null > /dev/null 2> %q\n' "$mine/stderr.log"
} > "$mine/again"
chmod +x "$mine/again"
exec "$QEMU" "$@"
