#!/usr/bin/env bash
# package.sh CPACK BUILD SAMPLES: the Debian package holds the program, its data, manual pages and completions, depends on
# the packages of the libraries that it links, and runs from where it is unpacked.
set -euo pipefail
cpack=$1 build=$2 samples=$3
[ -e "$build/bin/bertprep" ] || { echo "skipped: the program is not built"; exit 77; }
for program in dpkg-deb dpkg-shlibdeps file; do
  command -v "$program" >/dev/null || { echo "skipped: needs $program (scripts/install-deps.sh --package)"; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$1" >&2; exit 1; }

"$cpack" --config "$build/CPackConfig.cmake" -D CPACK_COMPONENTS_ALL=runtime -B "$folder" >"$folder/log" 2>&1 ||
  { cat "$folder/log" >&2; fail "cpack failed"; }
packages=("$folder"/*.deb)
package=${packages[0]}
version=$("$build/bin/bertprep" --version | sed -n '1s/^bertprep \([0-9.]*\).*/\1/p')
name=bertprep_${version}_$(dpkg --print-architecture).deb
[ "${packages[*]##*/}" = "$name" ] || fail "made ${packages[*]##*/} instead of $name"

dpkg-deb -c "$package" | awk '{ print $2, $6 }' >"$folder/list"
for file in bin/bertprep share/man/man1/bertprep.1 share/man/man1/bertprep-run.1 share/doc/bertprep/LICENSE \
            share/bash-completion/completions/bertprep share/zsh/site-functions/_bertprep \
            share/fish/vendor_completions.d/bertprep.fish share/bertprep/vocab/catalogue.json \
            share/bertprep/vocab/sample-uncased-vocab.txt share/bertprep/datasets/catalogue.json; do
  grep -q -x -F "root/root ./usr/$file" "$folder/list" || fail "not in the package: /usr/$file"
done
! grep -E ' \./(usr/(include|lib)|[^u])' "$folder/list" || fail "the package holds what is no part of the program"

depends=$(dpkg-deb -f "$package" Depends)
# Of codecs and digests the package may hold the archives.
for library in libc6 libstdc++6 libhdf5 libicu libarchive libcurl libtbb ca-certificates; do
  [[ ", $depends" == *", $library"* ]] || fail "the package does not depend on $library: $depends"
done
[[ $depends != *torch* ]] || fail "the package depends on libtorch: $depends"

dpkg-deb -x "$package" "$folder/root"
cd "$folder"
env -i PATH="$PATH" HOME="$folder" root/usr/bin/bertprep run --input "$samples/sample.wikitext" --format wikitext --name sample \
  --vocab sample-uncased --sentences icu --phase 1 --train-shards 2 --test-shards 1 -q -o hdf5_dataset
root/usr/bin/bertprep verify hdf5_dataset
