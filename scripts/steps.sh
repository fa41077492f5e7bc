# shellcheck shell=bash
# How the scripts show their steps: one line per step, and the log of a step only if it fails. To be sourced,
# with `set -euo pipefail`.

# step LOG COMMAND...: runs COMMAND with its output in LOG; on failure shows the end of LOG and ends the script.
step() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 || fail_step "$log" "$@"
}

fail_step() {
  tail -n 60 "$1" >&2
  echo "failed: ${*:2} (whole output in $1)" >&2
  exit 1
}

# What decides the result of tests: every file of the tree, the compiler, and whether golden data is there. The tree may
# belong to another user, and need not be a clone.
tree_digest() {
  { { git -c safe.directory='*' ls-files -co --exclude-standard -z 2>/dev/null ||
      find . \( -name .git -o -path ./build -o -path ./out \) -prune -o -type f -print0
    } | sort -z | xargs -0 sha256sum 2>/dev/null || true
    g++ --version
    echo "${BERTPREP_SHARED:-}"
    ls -d ../shared/goldens 2>/dev/null || true
  } | sha256sum | cut -d' ' -f1
}

# The seconds between two lines of progress, where they don't overwrite each other.
progress_seconds=30

# show_progress TITLE LOG: copies the output of a build to LOG, and says how far it is: on a terminal in one line,
# elsewhere in a line now and then. Words go to stderr.
show_progress() {
  local title=$1 log=$2 line percent shown='' said=$SECONDS
  [ ! -t 2 ] || printf '%s' "$title" >&2
  while IFS= read -r line; do
    printf '%s\n' "$line" >&3
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\  ]] || continue
    percent=$((100 * BASH_REMATCH[1] / BASH_REMATCH[2]))
    if [ -t 2 ]; then
      [ "$percent" = "$shown" ] || printf '\r%s: %s%%\033[K' "$title" "$percent" >&2
    elif [ $((SECONDS - said)) -ge "$progress_seconds" ] && [ "$percent" != "$shown" ]; then
      echo "$title: $percent%" >&2
      said=$SECONDS
    fi
    shown=$percent
  done 3>"$log"
  [ ! -t 2 ] || echo >&2
}

# build PRESET [TARGET...]: configures and builds, which is a matter of a second when nothing has changed.
build() {
  local preset=$1 log=build/logs/build-$1.log
  shift
  local targets=()
  [ "$#" -gt 0 ] && targets=(--target "$@")
  [ -t 2 ] || echo "building $preset" >&2
  # A user's build ends with no warning of a newer compiler; ours does.
  step "build/logs/configure-$preset.log" cmake --preset "$preset" ${CI:+-D BERTPREP_WERROR=ON}
  local command=(cmake --build --preset "$preset" "${targets[@]}")
  NINJA_STATUS='[%f/%t] ' "${command[@]}" 2>&1 | show_progress "building $preset" "$log" ||
    fail_step "$log" "${command[@]}"
}
