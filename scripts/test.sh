#!/usr/bin/env bash
# Sets everything up and passes the tests: a release build and all that is tested in it without libtorch, the engines of
# clusters and the Python package. `--all` adds these, and what sanitizers can say something about: AddressSanitizer and
# UndefinedBehaviorSanitizer with the fuzz targets, and ThreadSanitizer.
#   scripts/test.sh           the release build and its tests
#   scripts/test.sh --all     these, if they have not passed for this tree yet, then what is named above
#   scripts/test.sh --quick   the everyday part: the release build without slow tests and those of faults and installation
#   scripts/test.sh --room wiki/clean   the unit tests of one room, in the preset dev, where a change costs seconds
#   scripts/test.sh --nfs     everything, and the tests on a network file system
#   scripts/test.sh --again   run what has passed for this tree already, too
# A part that has passed for the very same tree is not run again. The last line counts.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

all=no
quick=no
nfs=no
again=no
room=
show_usage() {
  echo "usage: scripts/test.sh [--all] [--quick] [--nfs] [--again] [--room ROOM]" >&2
  exit 2
}
while [ $# -gt 0 ]; do
  case $1 in
    --all) all=yes ;;
    --quick) quick=yes ;;
    --nfs) all=yes nfs=yes ;;
    --again) again=yes ;;
    --room)
      [ $# -gt 1 ] || show_usage
      room=$2
      shift
      ;;
    *) show_usage ;;
  esac
  shift
done

passed=0
failed=0
skipped=0

# part NAME PRESET CTEST_ARGUMENT...: builds PRESET (the targets in $targets, or all), runs the chosen tests, adds to the
# counts.
part() {
  local name=$1 preset=$2
  shift 2
  local stamp=build/logs/passed-$name.txt
  if [ "$again" != yes ] && [ -f "$stamp" ] && [ "$(head -n 1 "$stamp")" = "$digest" ]; then
    read -r part_passed part_skipped < <(tail -n 1 "$stamp")
    echo "$name: passed for this tree already ($part_passed tests)"
    passed=$((passed + part_passed)) skipped=$((skipped + part_skipped))
    return
  fi
  # shellcheck disable=SC2086  # targets are words
  build "$preset" ${targets:-}
  echo "$name: testing"
  local log=build/logs/test-$name.log status=0
  ctest --preset "$preset" "$@" >"$log" 2>&1 || status=$?
  local total bad none
  total=$(sed -n 's/.* tests failed out of \([0-9]*\)$/\1/p' "$log" | tail -n 1)
  bad=$(sed -n 's/.* \([0-9]*\) tests failed out of [0-9]*$/\1/p' "$log" | tail -n 1)
  none=$(grep -c '\*\*\*Skipped' "$log" || true)
  if [ -z "$total" ] || [ "$total" -eq 0 ]; then
    tail -n 40 "$log" >&2
    echo "$name: no test ran" >&2
    failed=$((failed + 1))
    return
  fi
  passed=$((passed + total - bad - none)) failed=$((failed + bad)) skipped=$((skipped + none))
  if [ "$status" -ne 0 ]; then
    grep -v -E '^ *Start |  Passed  ' "$log" | tail -n 200 >&2
    [ "$bad" -gt 0 ] || failed=$((failed + 1))
    return
  fi
  [ "$none" -eq 0 ] || grep -h -o 'skipped: .*' "$log" | sort | uniq -c | sed "s/^/$name: /" || true
  printf '%s\n%s %s\n' "$digest" "$((total - none))" "$none" >"$stamp"
}

# test_room ROOM: builds the test programs that have sources of ROOM in tests/unit, and runs each as a whole.
test_room() {
  local tests=tests/unit folder=$1 inside='' program status=0
  [[ $1 != trainer* ]] || { tests=trainer/tests; folder=unit${1#trainer}; }
  while [ ! -f "$tests/$folder/CMakeLists.txt" ]; do
    inside=${folder##*/}/$inside
    [[ $folder = */* ]] || { echo "$1 is no room with tests in $tests" >&2; exit 2; }
    folder=${folder%/*}
  done
  local programs
  mapfile -t programs < <(awk -v inside="$inside" -v RS='bertprep_add_test\\(NAME ' \
    'NR > 1 && (inside == "" || $0 ~ "[ /\n]" inside) { print $1 }' "$tests/$folder/CMakeLists.txt")
  [ "${#programs[@]}" -gt 0 ] || { echo "no test in $tests/$folder has sources in $inside" >&2; exit 2; }
  build dev "${programs[@]}"
  for program in "${programs[@]}"; do
    "build/dev/tests/$program" --gtest_brief=1 || status=1
  done
  exit "$status"
}
[ -z "$room" ] || test_room "$room"

scripts/install-deps.sh --tests
mkdir -p build/logs
digest=$(tree_digest)

# What --all adds to the tests of the release build.
added='trainer|mpi|cluster|python'
if [ "$quick" = yes ]; then
  part quick release -LE "slow|nfs|fault|install|$added"
else
  part release release -LE "nfs|$added"
fi
if [ "$all" = yes ]; then
  scripts/install-deps.sh --all-tests --with-trainer
  part added release -LE nfs -L "$added"
  part asan asan -L 'unit|property|golden|fuzz' -LE slow
  targets="pipeline_test input_read_once_test pipeline_golden_test array_test array_property_test \
           shard_threads_test row_stream_test planted_race" \
    part tsan tsan -L threads -LE slow
fi
if [ "$nfs" = yes ]; then
  scripts/install-deps.sh --nfs
  part nfs release -L nfs
fi

[ "$all" = yes ] || echo "not tested: the trainer, engines of clusters, the Python package, sanitizers (scripts/test.sh --all)"
what=$([ "$all" = yes ] && echo all || echo release)
echo "$what: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
