#!/bin/bash
# gpu_check.sh [--device cuda|cpu] [--build DIR] [--seconds N]: builds berttrain against the PyTorch with CUDA of this
# machine, runs the trainer's tests on the GPU, compares 20 steps with PyTorch for Python, and prints a table of speeds
# beside PyTorch's (fused attention, torch.compile). Takes N seconds at most, 480 unless given.
#
# --device cpu does the same with a build that is there, on small sizes: it checks this check.
# Exit status: 0 all went well, 1 something failed, 2 wrong usage, 3 the machine lacks what it names.
set -euo pipefail
cd "$(dirname "$0")/../.."

device=cuda
build=
seconds=480
while [ $# -gt 0 ]; do
  case $1 in
    --device) device=${2-}; shift 2 ;;
    --build) build=${2-}; shift 2 ;;
    --seconds) seconds=${2-}; shift 2 ;;
    -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "gpu_check: unknown argument '$1'; --help shows the usage" >&2; exit 2 ;;
  esac
done
case $device in cpu | cuda) ;; *) echo "gpu_check: --device takes cuda or cpu" >&2; exit 2 ;; esac

python=python3
[ "$device" = cpu ] && [ -x /usr/bin/python3 ] && python=/usr/bin/python3
status=0
missing=$("$python" -B trainer/scripts/gpu_check.py look --device "$device") || status=$?
if [ $status -ne 0 ]; then
  printf 'gpu_check: nothing was run, as this machine lacks:\n%s\n' "$missing" >&2
  exit 3
fi

end=$((SECONDS + seconds))
left() { echo $((end > SECONDS ? end - SECONDS : 1)); }
fail() { echo "gpu_check: $1" >&2; exit 1; }

if [ -z "$build" ]; then
  [ "$device" = cuda ] || fail "--device cpu needs --build DIR, a build with berttrain"
  build=build/gpu-check
  prefix=$("$python" -c 'import torch; print(torch.utils.cmake_prefix_path)')
  echo "building against $prefix"
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" \
    -DBERTPREP_BUILD_TRAINER=ON -DBERTPREP_BUILD_TESTS=ON -DBERTPREP_BUILD_BENCHMARKS=OFF >/dev/null
  timeout "$(left)" cmake --build "$build" --target berttrain bertprep_program trainer_golden_test >"$build/build.log" ||
    fail "the build failed: $build/build.log"
fi
[ -x "$build/bin/berttrain" ] || fail "there is no $build/bin/berttrain"

if [ -x "$build/tests/trainer_golden_test" ]; then
  echo "the trainer's tests on $device"
  # 20 steps against PyTorch's numbers; what else looks at bits is for CPUs alone.
  BERTPREP_TEST_DEVICE=$device timeout "$(left)" "$build/tests/trainer_golden_test" --gtest_brief=1 \
    --gtest_filter='Trace.EqualsPyTorch*:Trace.Bfloat16*:Gpt2Trace.EqualsPyTorch:Gpt2Trace.Bfloat16*' ||
    fail "a test of the trainer failed on $device"
fi

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
"$build/bin/bertprep" run --input samples/sample.wikitext --format wikitext --name sample --vocab sample-uncased \
  --sentences icu --train-shards 1 --test-shards 1 -o "$work/rows" -q ||
  fail "bertprep made no rows"

echo "20 steps beside PyTorch"
timeout "$(left)" "$python" -B trainer/scripts/gpu_check.py steps --device "$device" --berttrain "$build/bin/berttrain" \
  --rows "$work/rows" --work "$work" || fail "20 steps differ from PyTorch's"

timeout "$(left)" "$python" -B trainer/scripts/gpu_check.py speed --device "$device" --berttrain "$build/bin/berttrain" \
  --rows "$work/rows" --work "$work" --seconds "$(($(left) - 5))" || fail "the measurement failed"
