#!/usr/bin/env bash
# `list values`: how a kernel's arrays compress.
. "$(dirname "$0")/lib.sh" "$1"

row() { "$memhelm" list values "$1" | awk -v array="$2" -v when="$3" '$1 == array && $2 == when {print $3, $4, $5, $6, $7, $8}'; }

# Floats 0 1 0 1 ..: words of 8 bytes repeat: 64 x 8 + 64 bytes a page, in 1 KB.
check "SCAN's input is a repeated word" [ "$(row SCAN:65536 idata end)" = "256 0.0 64.0 0.0 0.0 4.00" ]
check "what nobody has written is zero" [ "$(row SCAN:65536 odata start)" = "256 32.0 0.0 0.0 0.0 8.00" ]
# Prefix sums 0, 1, 1, 2, ..: a block's 16 differ by 8. From 2^20 on that is 64 units: 64 x 20 + 64 bytes, in 2 KB.
check "SCAN's sums compress where they are large" [ "$(row SCAN:4194304 odata end)" = "16384 0.0 0.0 4096.0 8192.0 1.33" ]
check "no row of ATAX's matrix compresses but the first" [ "$(row ATAX:1024 A start)" = "4096 0.5 0.0 0.0 4092.0 1.00" ]
check "the sum of all arrays" [ "$(row BICG:1024 all end)" = "$(row BICG:1024 all start | cut -d ' ' -f 1) 0.5 0.0 0.0 4108.0 1.00" ]
fails "a kernel without values" 2 'RED: its values are not known; known are those of MVT, ' "$memhelm" list values RED
fails "no kernel" 2 'values of what\? KERNEL' "$memhelm" list values
fails "two kernels" 2 'values of one kernel at a time' "$memhelm" list values MVT+ATAX
fails "a size that is none" 2 'LUD: size 33 is not a multiple of 16' "$memhelm" list values LUD:33

paged=(run --twin --image baseline --preset mask --cycles 20000 --no-alone --set uvm.mode=on --set uvm.compression=lcp)
says() { "$memhelm" "${paged[@]}" "$@" 2>&1 | grep -c 'what the arrays of .* hold is not known: they do not compress'; }
check "a kernel whose values are not known: said once" [ "$(says --workload RED+MVT+RED)" = 1 ]
check "not with a ratio that is given" [ "$(says --workload RED --set uvm.compression_ratio=150)" = 0 ]
check "nor where all are known" [ "$(says --workload SCAN+MVT)" = 0 ]
fails "a ratio below 1" 2 'uvm.compression_ratio: 99 hundredths would make memory smaller' "$memhelm" "${paged[@]}" --workload MVT \
    --set uvm.compression_ratio=99
fails "a compression that is none" 2 "uvm.compression: there is no 'lz4'; allowed: none, lcp" "$memhelm" "${paged[@]}" --workload MVT \
    --set uvm.compression=lz4
finish
