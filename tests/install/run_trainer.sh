#!/usr/bin/env bash
# run_trainer.sh PREFIX CONSUMER TICKETS: has the built consumer train six steps on shards that it made of its tickets.
set -euo pipefail
[ -x "$2/custom_corpus" ] || { echo "skipped: it could not be built here"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$3" "$folder/tickets.txt"
cd "$folder"
export OMP_WAIT_POLICY=passive
unset BERT_PREP_WORKING_DIR BERTPREP_VOCAB_DIR XDG_DATA_HOME HOME
"$2/custom_corpus" > /dev/null
shards=(dataset/hdf5_*_seq_len_128_*/tickets)
losses=$("$2/train_tiny" "${shards[0]}" 6)
# A new model knows nothing, ln 3448 + ln 2 with the sample's vocabulary, and then learns.
awk 'NR == 1 {first = $1} END {exit !(NR == 6 && first > 8.3 && first < 9.4 && $1 < first - 1)}' <<< "$losses" ||
  { echo "losses of six steps: $losses" >&2; exit 1; }
