# How the scripts show their steps: a line a step, and the log of a step only when it fails. To be sourced.

# step LOG COMMAND...: runs COMMAND with its output in LOG; on failure shows the end of LOG and ends the script.
step() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  if ! "$@" >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    echo "failed: $* (whole output in $log)" >&2
    exit 1
  fi
}

# build PRESET [TARGET...]: configures and builds, which is a matter of a second when nothing has changed.
build() {
  local preset=$1
  shift
  local targets=()
  [ "$#" -gt 0 ] && targets=(--target "$@")
  step "build/logs/configure-$preset.log" cmake --preset "$preset"
  step "build/logs/build-$preset.log" cmake --build --preset "$preset" "${targets[@]}"
}
