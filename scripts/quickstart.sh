#!/usr/bin/env bash
# From a fresh Debian machine to shards: installs what the build needs, builds a release, makes shards of both phases from
# the sample corpus that the project ships, verifies them and shows a few rows. Results are in build/quickstart.
#   scripts/quickstart.sh           shards
#   scripts/quickstart.sh --train   shards, and then 20 steps of the model tiny on them; installs libtorch, some 550 MB
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

train=no
case ${1:-} in
  "") ;;
  --train) train=yes ;;
  *) echo "usage: scripts/quickstart.sh [--train]" >&2; exit 2 ;;
esac

targets=(bertprep_program)
if [ "$train" = yes ]; then
  scripts/install-deps.sh --with-trainer
  targets+=(berttrain_program)
else
  scripts/install-deps.sh
fi
build release "${targets[@]}"
bertprep=build/release/bin/bertprep
out=build/quickstart/hdf5_dataset

echo "making shards from samples/sample.wikitext"
"$bertprep" run --input samples/sample.wikitext --format wikitext --name sample --vocab sample-uncased --sentences icu \
  --train-shards 4 --test-shards 2 -o "$out"
"$bertprep" verify "$out"

shard=$out/hdf5_lower_case_1_seq_len_128_max_pred_20_masked_lm_prob_0.15_random_seed_12345_dupe_factor_5/sample/sample_training_0.hdf5
"$bertprep" inspect "$shard" --vocab sample-uncased --rows 0:2

if [ "$train" = yes ]; then
  echo "training"
  build/release/bin/berttrain --data "$(dirname "$shard")" --model tiny --max-steps 20 --batch-size 16 --learning-rate 0.01 \
    --log-every 5 --output build/quickstart/tiny --no-resume
fi
