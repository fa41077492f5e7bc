#!/usr/bin/env bash
# Builds the libraries and the programs with every compiler that is installed here (g++ 12 and newer, clang 14 and newer):
# a warning of any of them is an error.
#   scripts/compilers.sh                    all that are found
#   scripts/compilers.sh g++-13 clang++-19  these
# Prints which passed, and how long each took. Builds are in build/compilers.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/fresh/attempt.sh
logs=build/logs/compilers
mkdir -p "$logs"

# installed_compilers: the commands with a version in their name, g++ first.
installed_compilers() {
  compgen -c | grep -E '^(g\+\+-(1[2-9]|[2-9][0-9])|clang\+\+-(1[4-9]|[2-9][0-9]))$' | sort -u -t- -k1,1r -k2,2n
}

build_with() {
  cmake --preset release -B "build/compilers/$1" -D CMAKE_CXX_COMPILER="$1" -D BERTPREP_WERROR=ON \
    -D BERTPREP_BUILD_TESTS=OFF -D BERTPREP_BUILD_BENCHMARKS=OFF
  cmake --build "build/compilers/$1"
}

compilers=("$@")
[ "${#compilers[@]}" -gt 0 ] || mapfile -t compilers < <(installed_compilers)
[ "${#compilers[@]}" -gt 0 ] || { echo "no compiler with a version in its name is installed, such as g++-13" >&2; exit 2; }
for compiler in "${compilers[@]}"; do
  attempt "$compiler" build_with "$compiler" || true
done
[ "$failed" -eq 0 ]
