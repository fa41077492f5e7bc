#!/usr/bin/env bash
# run_consumer.sh PREFIX CONSUMER TICKETS: runs the built consumer on its tickets, and reads its shards back.
set -euo pipefail
[ -x "$2/custom_corpus" ] || { echo "skipped: it could not be built here"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$3" "$folder/tickets.txt"
cd "$folder"
# The library needs no file of its own at run time.
unset BERT_PREP_WORKING_DIR BERTPREP_VOCAB_DIR XDG_DATA_HOME HOME
rows=$("$2/custom_corpus")
[[ $rows =~ ^[1-9][0-9]*\ rows$ ]] || { echo "printed '$rows'" >&2; exit 1; }

shards=(dataset/hdf5_*/tickets/*.hdf5)
[ ${#shards[@]} = 6 ] || { echo "${#shards[@]} shards instead of 2 training and 1 test of two phases" >&2; exit 1; }
"$2/count_rows" "${shards[@]}" > counts
read_back=$(awk '{sum += $1} END {print sum " rows"}' counts)
[ "$read_back" = "$rows" ] || { echo "$rows were made, $read_back were read back" >&2; exit 1; }
grep -q 'rows of 128 tokens, ' counts
rows=$("$2/iterate_rows" dataset/hdf5_*_seq_len_128_*/tickets)
[[ $rows =~ ^([1-9][0-9]*)\ rows,\ ([0-9]+)\ different,\ resumes\ alike$ && ${BASH_REMATCH[1]} = "${BASH_REMATCH[2]}" ]] ||
  { echo "an epoch of rows: '$rows'" >&2; exit 1; }
sentences=$("$2/own_sentences")
[ "$sentences" = "6 sentences" ] || { echo "its own splitter: '$sentences'" >&2; exit 1; }
grep -q '"sentences": "semicolons 1"' lists_dataset/hdf5_*_seq_len_128_*/lists/manifest.json
grep -q 'rows of 512 tokens, ' counts
