#!/usr/bin/env bash
# arm64.sh STEP ARGUMENT...: a step of scripts/arm64.sh, in the root of the clone in a minimal root.
#   install           the cross compiler, qemu, and what install-deps.sh installs, for arm64
#   build TARGET...   builds targets for arm64 in build/arm64
#   test              the tests that are built, under qemu; the last line counts
#   native            the program for this machine
#   shards COMMAND... makes shards with the program that COMMAND runs, and lists their digests in build/arm64.tsv
set -euo pipefail
step=$1
shift

# The libraries of the project are arm64's; tools, and packages for all architectures, are this machine's.
install_arm64() {
  local packages=(g++-aarch64-linux-gnu qemu-user xz-utils) package
  dpkg --add-architecture arm64
  apt-get update -q
  while read -r package; do
    case $package in
      *-dev) apt-cache show --no-all-versions "$package" | grep -q '^Architecture: all' || package+=:arm64 ;;
    esac
    packages+=("$package")
  done < <(sed -n '/^packages=(/,/)/p' scripts/install-deps.sh | sed 's/^packages=(\|)//g' | xargs -n 1)
  DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${packages[@]}"
}

build_arm64() {
  cmake -G Ninja -B build/arm64 --toolchain cmake/arm64.cmake -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON \
    -DCMAKE_UNITY_BUILD_BATCH_SIZE=40 -DBERTPREP_BUILD_TRAINER=OFF
  cmake --build build/arm64 --target "$@"
}

test_arm64() {
  local log=build/arm64/tests.log status=0
  # Emulated code is ten times slower than the processor's.
  ctest --test-dir build/arm64 -L 'unit|property|golden' -LE slow -j "$(nproc)" --timeout 3000 --output-on-failure >"$log" 2>&1 ||
    status=$?
  grep -v -E '^ *Start |  Passed  ' "$log"
  local total bad skipped
  read -r bad total < <(sed -n 's/.* \([0-9]*\) tests failed out of \([0-9]*\)$/\1 \2/p' "$log")
  skipped=$(grep -c '\*\*\*Skipped' "$log" || true)
  echo "$((total - bad - skipped)) passed, $bad failed, $skipped skipped"
  return "$status"
}

# make_shards COMMAND...: of the samples, both phases.
make_shards() {
  local program=("$@") out=build/arm64-shards
  rm -rf "$out"
  run() {
    "${program[@]}" run --name sample --vocab sample-uncased --train-shards 4 --test-shards 2 -q -o "$out/$1" "${@:2}"
  }
  run icu --input samples/sample.wikitext --format wikitext --sentences icu
  run reference-layout --input samples/sample.wikitext --format wikitext --sentences icu --layout reference
  run pages --input samples/sample_wiki.xml --sentences icu
  run clean-pages --input samples/sample_wiki.xml --sentences icu --clean
  if [ -d ../shared/models/punkt_tab/english ]; then
    run punkt --input samples/sample.wikitext --format wikitext --sentences punkt --punkt ../shared/models/punkt_tab/english
  fi
  "${program[@]}" verify "$out/icu"
  "${program[@]}" hash "$out" >build/arm64.tsv
}

case $step in
  install) install_arm64 ;;
  build) build_arm64 "$@" ;;
  test) test_arm64 ;;
  native)
    scripts/install-deps.sh
    cmake --preset release -DBERTPREP_BUILD_TRAINER=OFF
    cmake --build --preset release --target bertprep_program
    ;;
  shards) make_shards "$@" ;;
esac
