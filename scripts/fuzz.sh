#!/usr/bin/env bash
# Fuzzes every target for a while, one after the other, from its corpus on.
#   scripts/fuzz.sh [SECONDS [NAME...]]      60 seconds each; NAME: json, sentences, ... (tests/fuzz/NAME_fuzz.cpp)
# Prints one line per target, and at the end how many passed and failed; the status is 1 if one failed. New inputs are
# kept in build/fuzz/corpus/NAME, inputs that fail in build/fuzz/failures/NAME. An input that failed belongs into
# tests/fuzz/corpus/NAME, under a name that says what it is, once the fault is fixed: so it remains a test.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

seconds=${1:-60}
shift $(($# > 0 ? 1 : 0))
names=("$@")
if [ "${#names[@]}" -eq 0 ]; then
  for source in tests/fuzz/*_fuzz.cpp; do
    names+=("$(basename "$source" _fuzz.cpp)")
  done
fi
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { echo "'$seconds' is not a number of seconds" >&2; exit 2; }
for name in "${names[@]}"; do
  [ -e "tests/fuzz/${name}_fuzz.cpp" ] || { echo "there is no target '$name' (tests/fuzz/${name}_fuzz.cpp)" >&2; exit 2; }
done

build fuzz "${names[@]/#/fuzz_}"
# Targets that read files write every input to one first.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
passed=0 failed=0
for name in "${names[@]}"; do
  new=build/fuzz/corpus/$name
  failures=build/fuzz/failures/$name
  log=build/logs/fuzz-$name.log
  mkdir -p "$new" "$failures"
  result=passed
  build/fuzz/tests/fuzz_"$name" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$failures/" "$new" "tests/fuzz/corpus/$name" >"$log" 2>&1 || result=failed
  inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  if [ "$result" = passed ]; then
    passed=$((passed + 1))
    echo "$name: passed, ${inputs:-0} inputs"
  else
    failed=$((failed + 1))
    tail -n 40 "$log" >&2
    echo "$name: failed after ${inputs:-some} inputs (whole output in $log, the input in $failures)"
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
