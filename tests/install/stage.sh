#!/usr/bin/env bash
# stage.sh CMAKE BUILD PREFIX: installs BUILD below PREFIX, which holds nothing else afterwards.
set -euo pipefail
rm -rf "$3"
"$1" --install "$2" --prefix "$3" > /dev/null
