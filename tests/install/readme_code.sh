#!/usr/bin/env bash
# readme_code.sh README SOURCE...: the C++ blocks of the README are these sources in this order, which the consumer test
# builds and runs.
set -euo pipefail
readme=$1
shift
blocks=$(grep -c '^```cpp' "$readme" || true)
[ "$blocks" = $# ] || { echo "the README has $blocks blocks of C++, $# are tested" >&2; exit 1; }
number=0
for source; do
  number=$((number + 1))
  diff <(awk -v number=$number '/^```cpp/ {block += 1; next} /^```/ {if (block == number) exit; block += 0}
                                block == number && !/^```/' "$readme") "$source"
done
