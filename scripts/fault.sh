#!/usr/bin/env bash
# Disturbs runs in every way that tests/fault knows, without the suite's limits of time: every call of every command.
#   scripts/fault.sh                       all of it: hours
#   scripts/fault.sh NAME [SECONDS [SEED]] every_call, power_loss, flip, crash_loop (of a seed), limits
#                                          or equal_processes
#   scripts/fault.sh every_call - array 7  every call of one command (tests/fault/ways.py) only
# The trainer is disturbed too where it was built.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

build release
trainer=build/release/bin/berttrain
[ -x "$trainer" ] || trainer=-
names=(every_call power_loss flip crash_loop limits equal_processes)
[ "$#" -eq 0 ] || names=("$1")
failed=0
for name in "${names[@]}"; do
  python3 "tests/fault/${name}_test.py" build/release/bin/bertprep "$trainer" build/release/tests/fault_calls.so \
    "${@:2}" || failed=1
done
exit "$failed"
