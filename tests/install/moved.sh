#!/usr/bin/env bash
# moved.sh CMAKE BUILD SOURCE: an installed tree, by --prefix or DESTDIR, runs wherever it is moved, finds its
# data relative to itself, and never looks into the project's folders or the configured prefix.
set -euo pipefail
cmake=$1 build=$2 source=$3
[ -e "$build/bin/bertprep" ] || { echo "skipped: the program is not built"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$1" >&2; exit 1; }

"$cmake" --install "$build" --prefix "$folder/installed" --component runtime >/dev/null
mv "$folder/installed" "$folder/moved here"
DESTDIR="$folder/staged" "$cmake" --install "$build" --component runtime >/dev/null
staged=$(find "$folder/staged" -path '*/bin/bertprep')
cp "$source/samples/sample.wikitext" "$folder"

# Names of sources may only occur in messages of failed assertions.
program="$folder/moved here/bin/bertprep"
configured=$(sed -n 's/^CMAKE_INSTALL_PREFIX:PATH=//p' "$build/CMakeCache.txt")
! grep -aoE "($source|$build)/[[:alnum:]_./-]*" "$program" | grep -vE '\.(cpp|h)$' || fail "the program names the project's folders"
! grep -aoF "$configured/share/bertprep" "$program" || fail "the program names the configured prefix"

# With nothing there in place of the project's folders, where one may make it so.
hidden=(env)
for unshare in "unshare --mount" "unshare --map-root-user --mount"; do
  if $unshare true 2>/dev/null; then
    # shellcheck disable=SC2016,SC2206  # the inner shell expands it; $unshare has words
    hidden=($unshare sh -c 'for hide; do [ "$hide" != -- ] || break; mount -t tmpfs none "$hide" || exit; done
                            while [ "$1" != -- ]; do shift; done; shift; exec "$@"' - "$build")
    [[ $folder == "$source"/* ]] || hidden+=("$source")
    hidden+=(--)
    break
  fi
done

try() {
  local program=$1 vocab out=$folder/out
  vocab=${program%/bin/bertprep}/share/bertprep/vocab/sample-uncased-vocab.txt
  (cd "$folder" && env -i PATH="$PATH" HOME="$folder" "${hidden[@]}" "$program" "${@:2}") >"$out" 2>&1 || {
    cat "$out" >&2
    fail "failed: $*"
  }
  [ "$2" != vocab ] || grep -q -F "$vocab" "$out" || { cat "$out" >&2; fail "$program does not find $vocab"; }
}

run=(run --input sample.wikitext --format wikitext --name sample --vocab sample-uncased --sentences icu --phase 1
     --train-shards 2 --test-shards 1)
number=0
for program in "$program" "$staged"; do
  number=$((number + 1))
  try "$program" vocab list
  try "$program" "${run[@]}" -o "data $number/hdf5_dataset"
  try "$program" verify "data $number/hdf5_dataset"
done

# Without its data folder, the program still has its built-in data.
cp "$program" "$folder/alone"
rm -r "$folder/moved here" "$folder/staged"
try "$folder/alone" "${run[@]}" -o kept/hdf5_dataset
grep -q . "$folder"/kept/hdf5_dataset/*/sample/manifest.json
