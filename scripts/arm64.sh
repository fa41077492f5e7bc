#!/usr/bin/env bash
# Tries arm64 on an x86-64 machine: a cross build in a minimal Debian root, its unit, property and golden tests under
# qemu's user mode, and the sample's shards of both phases, which must be those of x86-64. Runs as root, needs debootstrap
# and a package mirror. Takes 1.5 hours of one core.
#   scripts/arm64.sh                 everything
#   --tests, --bytes                 only the tests, only the comparison of shards
#   --suite bookworm|trixie          the release; by default this machine's
#   --mirror URL    a package mirror; by default that of this machine's apt sources
#   --shared DIR    golden data, seen read-only beside the clone; by default ../shared where there is one; none: without
#   --folder DIR    a new folder for the roots, some 6 GB; by default one in $TMPDIR or /var/tmp
#   --keep          leaves the folder
# Prints what passed, and how long it took. Logs are in build/logs/fresh.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/fresh/root.sh
. scripts/fresh/attempt.sh

suite=''
mirror='' shared='' folder='' keep=no tests=yes bytes=yes
while [ $# -gt 0 ]; do
  case $1 in
    --tests) bytes=no ;;
    --bytes) tests=no ;;
    --keep) keep=yes ;;
    --suite | --mirror | --shared | --folder)
      [ $# -gt 1 ] || show_usage "$0"
      case $1 in
        --suite) suite=$2 ;;
        --mirror) mirror=$2 ;;
        --shared) shared=$2 ;;
        --folder) folder=$2 ;;
      esac
      shift
      ;;
    *) show_usage "$0" ;;
  esac
  shift
done
[ "$tests$bytes" != nono ] || show_usage "$0"
[ -n "$shared" ] || { [ -d ../shared ] && shared=../shared || shared=none; }
fresh_shared=''
[ "$shared" = none ] || fresh_shared=$(realpath -e "$shared")

require_for_roots git
make_work_folder "$folder" "$keep"
[ -z "$(git status --porcelain)" ] || echo "note: what is not committed is not tried"

place=/srv/project/bertprep # the clone, in every root

# fresh_root NAME: a copy of the minimal root with the clone.
fresh_root() {
  cp -a "$work/base" "$work/$1"
  mkdir -p "$work/$1$place"
  git clone -q --no-local . "$work/$1$place"
}

in_clone() { in_root "$work/$1" root "$place" scripts/fresh/arm64.sh "${@:2}"; }

# compare_shards: both lists of digests name the same files and values.
compare_shards() {
  local lists=("$work"/{x86-64,arm64}"$place/build/arm64.tsv")
  cmp "${lists[@]}"
  echo "$(grep -c '\*file\*' "${lists[0]}") shards, $(sha256sum <"${lists[0]}")"
}

# last_line NAME: of the log of a step.
last_line() { tail -n 1 "$logs/${1//[^a-zA-Z0-9.]/_}.log"; }

attempt "minimal root of $(release_name)" make_base "$work/base" "$mirror" || exit 1
attempt "clone of $(git rev-parse --short HEAD)" fresh_root arm64 || exit 1
attempt "arm64 libraries" in_clone arm64 install || exit 1
attempt "arm64 program" in_clone arm64 build bertprep_program || exit 1
if [ "$tests" = yes ]; then
  if attempt "arm64 tests built" in_clone arm64 build tests/{unit,property,golden,trainer/unit}/all; then
    attempt "arm64 tests" in_clone arm64 test || true
    last_line "arm64 tests"
  fi
fi
if [ "$bytes" = yes ]; then
  if attempt "shards on arm64" in_clone arm64 shards qemu-aarch64 build/arm64/bin/bertprep &&
     attempt "clone for x86-64" fresh_root x86-64 &&
     attempt "x86-64 program" in_clone x86-64 native &&
     attempt "shards on x86-64" in_clone x86-64 shards build/release/bin/bertprep &&
     attempt "the same shards" compare_shards; then
    last_line "the same shards"
  fi
fi
[ "$failed" -eq 0 ]
