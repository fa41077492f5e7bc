#!/usr/bin/env bash
# tree.sh PREFIX SOURCE BUILD: an installed tree has what users need, runs from its place, and names nothing of the
# build.
set -euo pipefail
prefix=$1 source=$2 build=$3

fail() { echo "$1" >&2; exit 1; }
one() { find "$prefix" -path "*/$1" | grep -q . || fail "not installed: $1"; }

for file in libbertprep.a libbertprep_shard.a cmake/bertprep/bertprepConfig.cmake cmake/bertprep/dependencies.cmake \
            cmake/bertprep/bertprepConfigVersion.cmake pkgconfig/bertprep.pc pkgconfig/bertprep_shard.pc bertprep/vocab/catalogue.json LICENSE; do
  one "$file"
done

# Every public header, and no other; those of the trainer come with it.
trainer=$(find "$prefix" -name libbertprep_trainer.a)
diff <(find "$source/include" ${trainer:+"$source/trainer/include"} -name '*.h' -printf '%P\n' | sort) \
     <(cd "$prefix/include" && find . -type f | cut -c3- | sort) || fail "the installed headers are not those of the include folders"

exported=$(grep -oE 'add_library\([^ )]+' "$(find "$prefix" -name bertprepTargets.cmake)" | sort -u)
[ "$exported" = $'add_library(bertprep::bertprep\nadd_library(bertprep::shard' ] || fail "exported targets: $exported"
! grep -rlE "room_|bertprep_flags" "$prefix"/lib* --include='*.cmake' --include='*.pc' ||
  fail "the build's own targets are named"
! grep -rlF -e "$source" -e "$build" "$prefix" --include='*.cmake' --include='*.pc' ||
  fail "the build's folders are named"

if [ -d "$prefix/bin" ]; then
  for program in bertprep ${trainer:+berttrain}; do
    for file in man/man1/$program.1 man/man1/$program-completion.1 bash-completion/completions/$program \
                zsh/site-functions/_$program fish/vendor_completions.d/$program.fish; do
      [ -s "$prefix/share/$file" ] || fail "not installed: share/$file"
    done
  done
  grep -q '^\.SS Array jobs' "$prefix/share/man/man1/bertprep-run.1" || fail "bertprep-run(1) lacks its options"
  [ -f "$prefix/share/bertprep/bertprep_rows.py" ] || fail "not installed: bertprep_rows.py"
  [ -z "$trainer" ] || [ -x "$prefix/share/bertprep/torch_to_safetensors.py" ] || fail "not installed: torch_to_safetensors.py"
  "$prefix/bin/bertprep" --version | grep -q '^bertprep [0-9]' || fail "the installed program does not run"
  [ -z "$trainer" ] || "$prefix/bin/berttrain" --version | grep -q '^berttrain [0-9]' ||
    fail "the installed trainer does not run"
fi
