#!/usr/bin/env bash
# Measures the pipeline as whole processes, in MB of text per second: for one thread, for two, and their ratio.
#   scripts/bench.sh                     wikitext-2 of $BERTPREP_SHARED (or ../shared), or else the sample corpus made larger
#   scripts/bench.sh FILE...             other text, in wikitext format
#   REPEATS=5 BERTPREP=path/bertprep     runs of each measurement (3; the fastest counts), the program to measure
# `wall` is elapsed time and needs an idle machine; `cpu` is text per CPU second of all threads, and less sensitive to
# noise. Results go to $TMPDIR: on a memory file system, the disk has no influence. If python3 has numpy and the reference
# model exists, the last row has its figure for a part of the same text.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

shared=${BERTPREP_SHARED:-../shared}
repeats=${REPEATS:-3}
bertprep=${BERTPREP:-build/release/bin/bertprep}
[ -n "${BERTPREP:-}" ] || build release bertprep_program
work=$(mktemp -d "${TMPDIR:-/tmp}/bertprep-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%R %U %S'

# The sample corpus many times over; titles differ, and so do some words, which keeps caches honest.
larger_sample() {
  awk -v times=130 '{ line[NR] = $0 } END {
    for (t = 0; t < times; ++t) for (i = 1; i <= NR; ++i) {
      count = split(line[i], word, " "); out = ""
      for (w = 1; w <= count; ++w) out = out " " word[w] ((w + i + t) % 17 == 0 && word[w] ~ /^[a-z]+$/ ? substr("abcdefghij", t % 10 + 1, 1) : "")
      if (line[i] ~ /^ = [^=]+ = $/) sub(/ =$/, "(" t ") =", out)
      print out " "
    } }' samples/sample.wikitext
}

vocab=$shared/models/vocab/bert-large-uncased-vocab.txt
[ -f "$vocab" ] || vocab=sample-uncased
inputs=("$@")
if [ "$#" -eq 0 ] && [ -f "$shared/corpora/wikitext/wt2-train.txt" ]; then
  inputs=("$shared/corpora/wikitext/wt2-train.txt")
elif [ "$#" -eq 0 ]; then
  larger_sample >"$work/sample.wikitext"
  inputs=("$work/sample.wikitext")
fi
sentences=(--sentences icu)
[ -d "$shared/models/punkt_tab/english" ] && sentences=(--punkt "$shared/models/punkt_tab/english")

# best FILE COMMAND...: the least wall seconds and the least CPU seconds of the runs; FILE is removed before each.
best() {
  local made=$1
  shift
  for _ in $(seq "$repeats"); do
    rm -rf "$made"
    { time "$@" >"$work/out.txt" 2>"$work/log.txt" || { cat "$work/log.txt" >&2; exit 1; }; } 2>&1
  done | awk '{ cpu = $2 + $3 } NR == 1 || $1 < wall { wall = $1 } NR == 1 || cpu < least { least = cpu } END { print wall, least }'
}

# row NAME BYTES WALL1 CPU1 [WALL2 CPU2]
row() {
  awk -v name="$1" -v mb="$(($2 / 1000))" -v w1="$3" -v c1="$4" -v w2="${5:-0}" 'BEGIN {
    mb /= 1000
    printf "%-34s %9.1f %9.1f", name, mb / w1, mb / c1
    if (w2 > 0) printf " %9.1f %7.2f", mb / w2, w1 / w2
    print ""
  }'
}

# both NAME BYTES MADE COMMAND...: one thread and two.
both() {
  local name=$1 bytes=$2 made=$3
  shift 3
  row "$name" "$bytes" $(best "$made" "$@" -j 1) $(best "$made" "$@" -j 2)
}

size_of() { cat "$@" | wc -c; }

"$bertprep" format "${inputs[@]}" --format wikitext -o "$work/articles.txt" >/dev/null 2>&1
bytes=$(size_of "$work/articles.txt")
printf '%s of text, best of %s runs, MB/s\n' "$(awk -v b="$bytes" 'BEGIN { printf "%.1f MB", b / 1e6 }')" "$repeats"
printf '%-34s %9s %9s %9s %7s\n' "" "1 thread" "cpu" "2 threads" ratio

row "tokenize (with printing)" "$bytes" $(best "$work/none" "$bertprep" tokenize --ids --vocab "$vocab" "$work/articles.txt")
both "sentences, text shards" "$bytes" "$work/shards" \
  "$bertprep" shard "$work/articles.txt" --name bench "${sentences[@]}" --train-shards 8 --test-shards 1 -o "$work/shards"

# Both phases from text shards that are there: the run finds them done and makes the shards alone.
instances() {
  local name=$1 train=$2 test=$3
  local run=("$bertprep" run --input "$work/articles.txt" --format articles --name bench "${sentences[@]}" --vocab "$vocab"
    --train-shards "$train" --test-shards "$test" --work "$work/work_$train" -o "$work/hdf5_$train")
  if ! "${run[@]}" >/dev/null 2>"$work/log.txt"; then
    echo "$name: skipped: $(head -n 1 "$work/log.txt")"
    return
  fi
  both "$name" "$bytes" "$work/hdf5_$train" "${run[@]}"
}
instances "both phases, 9 shards" 8 1
instances "both phases, 512 shards" 256 256

model=$shared/tools/reference_model.py
# The distribution's python3 has the distribution's numpy, whatever other one comes first in the PATH.
python=python3
"$python" -c 'import numpy' 2>/dev/null || python=/usr/bin/python3
if [ -f "$model" ] && [ "$vocab" != sample-uncased ] && "$python" -c 'import numpy' 2>/dev/null; then
  piece=$work/piece.txt
  head -n 800 "$work/shards/bench_training_0.txt" >"$piece"
  reference() {
    "$python" "$model" create "$piece" "$vocab" "$work/1.npz" 128 20 12345 5
    "$python" "$model" create "$piece" "$vocab" "$work/2.npz" 512 80 12345 5
  }
  repeats=1
  row "both phases, reference model" "$(size_of "$piece")" $(best "$work/none" reference)
else
  echo "both phases, reference model: skipped: needs the model, python3 and its numpy"
fi
