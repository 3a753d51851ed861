#!/usr/bin/env bash
# Makes one TAP test of a command's exit status.   tap.sh COMMAND [ARGUMENT ..]
"$@"
status=$?
if [ $status -eq 0 ]; then echo "ok 1 - $(basename "$1") ${*:2}"; else echo "not ok 1 - $(basename "$1") ${*:2}: exit $status"; fi
exit $status
