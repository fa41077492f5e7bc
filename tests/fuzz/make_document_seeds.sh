#!/usr/bin/env bash
# Makes the seeds of the targets that read intermediate files, by runs over a part of samples/.
#   tests/fuzz/make_document_seeds.sh PROGRAM      writes into tests/fuzz/corpus
# What names the machine or the time is replaced; the targets seal documents anew.
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")"
corpus=$PWD/corpus
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
head -c 3000 "$corpus/../../../samples/sample.wikitext" >part.wikitext
run=("$program" run --input part.wikitext --format wikitext --name s --vocab sample-uncased --sentences icu
     --train-shards 1 --test-shards 1 --dupe-factor 1 -j 1 -q)
keep() {  # TARGET NAME FILE
  mkdir -p "$corpus/$1"
  sed "s#$work#/corpora#g" "$3" >"$corpus/$1/$2"
}

"${run[@]}" --phase 1 -o root --work work --keep formatted
phase=$(echo root/hdf5_*)
keep manifest run "$phase/s/manifest.json"
awk '{ print } /^}$/ { exit }' "$phase/.s.bertprep/records/1.journal" >shard.json
keep completion_record shard shard.json
keep completion_record formatted work/.formatted_one_article_per_line.bertprep/records/*.json
sed -i 's#hdf5_.*/s"#h/s"#' "$phase/.s.bertprep/run.json"  # the folder in which the target puts it
keep run_journal run.json "$phase/.s.bertprep/run.json"

for stage in fetch format place shard; do "${run[@]}" -o many --work array --stage $stage; done
job=$(echo array/array/s-*)
phases=(many/hdf5_*)
keep announcement job "${phases[0]}"/.s.bertprep/array-*.json
keep array_plan plan "$job/plan.json"
keep completion_record piece "$job/.format.bertprep/records/piece_00000.json"
keep completion_record placement "$job/.shard.bertprep/records/placement.json"
keep assignment two_shards "$job/shard/placement.bin"
mkdir -p "$corpus/sentence_index" "$corpus/bundle"
{ printf '\x40'; cat "$job/format/piece_00000.sentences"; } >"$corpus/sentence_index/piece"
{ printf '\x02\xff'; cat "$job/shard/piece_00000.bundle"; } >"$corpus/bundle/two_shards"
"${run[@]}" -o out --print-config >config.json
keep config_file printed config.json
