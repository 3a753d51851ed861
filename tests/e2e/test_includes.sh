#!/usr/bin/env bash
# The headers and the folders of the model are trees: hwmodel/README.md, engine/upstream.h.
. "$(dirname "$0")/lib.sh" "$1"

# foreign FILES ALLOWED: lines of FILES that include something of hwmodel/ that the pattern ALLOWED does not have.
foreign() {
    local files=$1 allowed=$2
    # shellcheck disable=SC2086
    ! grep -nE '^#include "' $files | grep -vE "#include \"($allowed)"
}

# l2_bank.h is source: what l2*.c inline.
for block in sm translate missq noc cache dram uvm pages waits control; do
    check "headers of $block/ include no other block's" \
        foreign "$(ls hwmodel/$block/*.h | grep -v /l2_bank.h)" "engine/|memhelm/|workload/workload\.h|$block/"
done
# From the bottom up: a folder includes none that stands behind it.
above="waits pages dram cache noc missq translate sm uvm gpu"
for block in waits pages dram cache noc missq translate sm uvm; do
    above=${above#* }
    check "$block/ includes nothing of $above" eval "! grep -nE '#include \"(${above// /|})/' hwmodel/$block/*.[ch]"
done
check "engine/ includes no block" foreign "$(echo hwmodel/engine/*.[ch])" "engine/|memhelm/"
check "workload/ includes no block" foreign "$(echo hwmodel/workload/*.[ch] hwmodel/workload/*/*.[ch])" "engine/|memhelm/|workload/"
check "workload's own files include nothing of its folders" foreign "$(echo hwmodel/workload/*.[ch])" "engine/|memhelm/|workload/[a-z_]*\.h"
for folder in input trace; do
    check "workload/$folder/ includes no other folder of workload/" \
        foreign "$(echo hwmodel/workload/$folder/*.[ch])" "engine/|memhelm/|workload/[a-z_]*\.h|workload/$folder/"
done
check "record/ includes no block" foreign "$(echo hwmodel/record/*.[ch])" "engine/|memhelm/|record/"
check "no block includes gpu/" eval "! grep -n '#include \"gpu/' hwmodel/{sm,translate,missq,noc,cache,dram,uvm,pages,waits,control,engine,workload}/*.[ch]"
finish
