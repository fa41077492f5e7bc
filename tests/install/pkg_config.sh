#!/usr/bin/env bash
# pkg_config.sh PREFIX COMPILER CONSUMER FOLDER: builds the consumer's programs into FOLDER with what pkg-config says of
# the installed libraries, which serves those who say --static, too.
set -euo pipefail
command -v pkg-config > /dev/null || { echo "skipped: no pkg-config"; exit 77; }
description=$(find "$1" -name bertprep.pc)
export PKG_CONFIG_PATH=${description%/*}
pkg-config --exists --print-errors bertprep
read -ra cflags <<< "$(pkg-config --cflags bertprep)"
read -ra libs <<< "$(pkg-config --libs bertprep)"
read -ra static_libs <<< "$(pkg-config --static --libs bertprep)"
mkdir -p "$4"
"$2" -std=c++20 "${cflags[@]}" "$3/main.cpp" "${libs[@]}" -o "$4/custom_corpus"
"$2" -std=c++20 "${cflags[@]}" "$3/own_sentences.cpp" "${libs[@]}" -o "$4/own_sentences"
read -ra shard_libs <<< "$(pkg-config --cflags --libs bertprep_shard)"
"$2" -std=c++20 "$3/count_rows.cpp" "${shard_libs[@]}" -o "$4/count_rows"
"$2" -std=c++20 "$3/iterate_rows.cpp" "${shard_libs[@]}" -o "$4/iterate_rows"
"$2" -std=c++20 "${cflags[@]}" "$3/count_rows.cpp" "${static_libs[@]}" -o "$4/count_rows_static"
