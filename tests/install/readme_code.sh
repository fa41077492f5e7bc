#!/usr/bin/env bash
# readme_code.sh README SOURCE: the first C++ block of the README is SOURCE, which the consumer test builds and runs.
set -euo pipefail
if ! grep -q '^```cpp' "$1" 2> /dev/null; then
  echo "skipped: the README shows no C++ yet"
  exit 77
fi
diff <(awk '/^```cpp/ {inside = 1; next} /^```/ && inside {exit} inside' "$1") "$2"
