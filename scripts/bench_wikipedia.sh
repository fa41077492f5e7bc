#!/usr/bin/env bash
# Measures the way from a Wikipedia dump to both phases as whole processes, in turns with bzip2 and lbzip2.
#   scripts/bench_wikipedia.sh              125 MB of XML made of dumps in $BERTPREP_SHARED (../shared), else of the sample
#   scripts/bench_wikipedia.sh DUMP...      made of these dumps
#   --write                                 replaces the table of docs/performance.md
#   MEGABYTES=125 REPEATS=3 BERTPREP=path   size of the XML; runs of each command, whose least CPU and wall time count
# Results go to $TMPDIR: on a memory file system the disk has no say.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

write=false
if [ "${1:-}" = --write ]; then
  write=true
  shift
fi
shared=${BERTPREP_SHARED:-../shared}
repeats=${REPEATS:-3}
bertprep=${BERTPREP:-build/release/bin/bertprep}
[ -n "${BERTPREP:-}" ] || build release bertprep_program
work=$(mktemp -d "${TMPDIR:-/tmp}/bertprep-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%R %U %S'

dumps=("$@")
if [ "$#" -eq 0 ]; then
  for name in enwiki-gensim-shortened enwiki-wikipedia2vec-sample enwiki-20150112-bliki enwiki-jsonwikipedia-small; do
    [ ! -f "$shared/corpora/wikidump/$name.xml.bz2" ] || dumps+=("$shared/corpora/wikidump/$name.xml.bz2")
  done
fi
[ "${#dumps[@]}" -gt 0 ] || dumps=(samples/sample_wiki.xml)

pages() {
  for dump in "${dumps[@]}"; do
    case $dump in
      *.bz2) bzip2 -dc "$dump" ;;
      *) cat "$dump" ;;
    esac
  done
}

# The pages again and again; titles differ, and so does the last letter of some words, which keeps caches honest.
larger_dump() {
  pages | awk -v most="$((${MEGABYTES:-125} * 1000000))" '
    !in_head && !seen { in_head = 1 }
    in_head && /<page>/ { in_head = 0; seen = 1 }
    in_head { print; next }
    /<page>/ { inside = 1 }
    inside { page[++lines] = $0 }
    /<\/page>/ { inside = 0 }
    END {
      for (copy = 0; written < most; ++copy) for (i = 1; i <= lines && (written < most || page[i] !~ /<page>/); ++i) {
        line = page[i]
        if (copy > 0 && line ~ /<title>/) sub(/<\/title>/, " " copy "</title>", line)
        else if (copy > 0 && (i + copy) % 3 == 0) {
          letter = substr("abcdefghij", copy % 10 + 1, 1)
          gsub("tion ", "tio" letter " ", line)
          gsub("ing ", "in" letter " ", line)
        }
        written += length(line) + 1
        print line
      }
      print "</mediawiki>"
    }'
}

LC_ALL=C larger_dump >"$work/dump.xml"
if command -v lbzip2 >/dev/null; then lbzip2 -k "$work/dump.xml"; else bzip2 -k "$work/dump.xml"; fi

vocab=$shared/models/vocab/bert-large-uncased-vocab.txt
[ -f "$vocab" ] || vocab=sample-uncased
sentences=(--sentences icu)
[ -d "$shared/models/punkt_tab/english" ] && sentences=(--punkt "$shared/models/punkt_tab/english")
run=("$bertprep" run --format mediawiki --name bench --vocab "$vocab" "${sentences[@]}" -w "$work/made/work"
  -o "$work/made/data")

names=("bzip2 -dc" "lbzip2 -n1 -dc" "extract -j 1 (of XML)" "extract --clean -j 1 (of XML)" "extract -j 1" "run -j 1"
  "run -j 2")
measure() {
  case $1 in
    0) bzip2 -dc "$work/dump.xml.bz2" ;;
    1) lbzip2 -n1 -dc "$work/dump.xml.bz2" ;;
    2) "$bertprep" extract "$work/dump.xml" -j 1 -o "$work/made/text" ;;
    3) "$bertprep" extract "$work/dump.xml" --clean -j 1 -o "$work/made/text" ;;
    4) "$bertprep" extract "$work/dump.xml.bz2" -j 1 -o "$work/made/text" ;;
    5) "${run[@]}" --input "$work/dump.xml.bz2" -j 1 ;;
    6) "${run[@]}" --input "$work/dump.xml.bz2" -j 2 ;;
  esac >/dev/null 2>"$work/log.txt"
}

for _ in $(seq "$repeats"); do
  for command in "${!names[@]}"; do
    [ "$command" -ne 1 ] || command -v lbzip2 >/dev/null || continue
    rm -rf "$work/made"
    mkdir "$work/made"
    echo "$command $({ time measure "$command" || { cat "$work/log.txt" >&2; exit 1; }; } 2>&1 | tail -n 1)"
  done
done >"$work/times.txt"

table() {
  echo "$(wc -c <"$work/dump.xml" | awk '{ printf "%.0f MB of XML", $1 / 1e6 }'), $(wc -c <"$work/dump.xml.bz2" |
    awk '{ printf "%.0f MB", $1 / 1e6 }') as bzip2; the least of $repeats runs in turns:"
  echo
  echo '| command | CPU seconds | seconds | CPU by `bzip2 -dc` |'
  echo '| --- | --- | --- | --- |'
  for command in "${!names[@]}"; do echo "$command ${names[$command]}"; done | awk -v times="$work/times.txt" '
    BEGIN {
      while ((getline line < times) > 0) {
        split(line, t, " "); cpu = t[3] + t[4]
        if (!(t[1] in least) || cpu < least[t[1]]) least[t[1]] = cpu
        if (!(t[1] in wall) || t[2] < wall[t[1]]) wall[t[1]] = t[2]
      }
    }
    ($1 in least) {
      name = $0
      sub(/^[0-9]+ /, "", name)
      printf "| `%s` | %.2f | %.2f | %.2f |\n", name, least[$1], wall[$1], least[$1] / least[0]
    }
    END {
      printf "\nClean extraction has %.2f times the speed of the exact one. ", least[2] / least[3]
      printf "Two threads are %.2f times as fast as one.\n", wall[5] / wall[6]
    }'
}

table | tee "$work/table.md"
if $write; then
  awk -v table="$work/table.md" '
    /<!-- bench_wikipedia.sh begins -->/ {
      print
      print ""
      while ((getline line < table) > 0) print line
      print ""
      skip = 1
    }
    /<!-- bench_wikipedia.sh ends -->/ { skip = 0 }
    !skip' docs/performance.md >"$work/performance.md"
  cp "$work/performance.md" docs/performance.md
fi
