#!/usr/bin/env bash
# Lays out all C++ sources of the project by clang-format 14, as the lint `layout` wants them.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(command -v clang-format-14 || command -v clang-format || true)
if [ -z "$program" ] || ! "$program" --version | grep -q 'version 14\.'; then
  echo "format: needs clang-format 14 (Debian's package clang-format)" >&2
  exit 1
fi
git ls-files -co --exclude-standard -z -- '*.cpp' '*.h' | xargs -0 -r "$program" -i --style=file
