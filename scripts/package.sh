#!/usr/bin/env bash
# Makes Debian packages of a release build: installs what the build needs, builds, and leaves
# build/release/packages/bertprep_VERSION_ARCH.deb. `apt install ./FILE` installs one.
#   scripts/package.sh                  the program bertprep, its data, manual pages and completions
#   scripts/package.sh --with-trainer   also berttrain, in a separate package that depends on libtorch
#   scripts/package.sh --python         also python3-bertprep, for this version of Python
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/steps.sh

targets=(bertprep_program)
components=runtime
needs=(--package)
for argument in "$@"; do
  case $argument in
    --with-trainer)
      targets+=(berttrain_program)
      components+=';trainer'
      needs+=(--with-trainer)
      ;;
    --python)
      targets+=(bertprep_python)
      components+=';python'
      needs+=(--python)
      ;;
    *) echo "usage: scripts/package.sh [--with-trainer] [--python]" >&2; exit 2 ;;
  esac
done

scripts/install-deps.sh "${needs[@]}"
build release "${targets[@]}"
rm -rf build/release/packages
(cd build/release && step ../logs/package.log cpack -D CPACK_COMPONENTS_ALL="$components")
ls build/release/packages/*.deb
