#!/usr/bin/env bash
# Fuzzes every target for a while, from its corpus on.
#   scripts/fuzz.sh [SECONDS [NAME...]]      60 seconds each; NAME: json, sentences, ... (tests/fuzz/NAME_fuzz.cpp)
# New inputs are kept in build/fuzz/corpus/NAME, inputs that fail in build/fuzz/failures/NAME. An input that failed
# belongs into tests/fuzz/corpus/NAME once the fault is mended, so that it stays a test.
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

build asan "${names[@]/#/fuzz_}"
failed=()
for name in "${names[@]}"; do
  new=build/fuzz/corpus/$name
  failures=build/fuzz/failures/$name
  log=build/logs/fuzz-$name.log
  mkdir -p "$new" "$failures"
  if build/asan/tests/fuzz_"$name" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
     -artifact_prefix="$failures/" "$new" "tests/fuzz/corpus/$name" >"$log" 2>&1; then
    echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs"
  else
    tail -n 40 "$log" >&2
    echo "$name: failed (whole output in $log)" >&2
    failed+=("$name")
  fi
done
[ "${#failed[@]}" -eq 0 ]
