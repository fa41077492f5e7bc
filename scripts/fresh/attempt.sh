# shellcheck shell=bash
# How the scripts that try fresh machines run a step and say what passed. To be sourced in the root of the project, with
# `set -euo pipefail`, behind scripts/fresh/root.sh.

logs=build/logs/fresh
failed=0
running=''
mkdir -p "$logs"

# attempt NAME COMMAND...: runs COMMAND, says whether it passed and how long it took, and keeps its output.
attempt() {
  local name=$1 log start=$SECONDS status=0
  log=$logs/${name//[^a-zA-Z0-9.]/_}.log
  shift
  # In the background, where a function ends at its first failure, and in a group of processes that can be ended.
  set -m
  "$@" </dev/null >"$log" 2>&1 &
  running=$!
  set +m
  wait "$running" || status=$?
  running=''
  if [ "$status" -eq 0 ]; then
    printf 'passed %5s s  %s\n' $((SECONDS - start)) "$name"
    return
  fi
  tail -n 40 "$log" >&2
  printf 'FAILED %5s s  %s: status %s, whole output in %s\n' $((SECONDS - start)) "$name" "$status" "$log"
  failed=$((failed + 1))
  return "$status"
}

# make_work_folder DIR KEEP: makes DIR, or a folder of its own where DIR is empty, and sets $work to it. When the script
# ends, what runs is ended, and the folder removed unless KEEP is yes.
make_work_folder() {
  if [ -n "$1" ]; then
    mkdir "$1" || { echo "--folder wants the name of a new folder" >&2; exit 2; }
    work=$(realpath "$1")
  else
    work=$(mktemp -d "${TMPDIR:-/var/tmp}/bertprep-fresh.XXXXXX")
  fi
  keep_work=$2
  [ "$keep_work" = no ] || echo "roots stay in $work"
  trap end_work EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

end_work() {
  if [ -n "$running" ]; then
    kill -KILL -- "-$running" 2>/dev/null || true
    wait "$running" 2>/dev/null || true
  fi
  [ "$keep_work" = yes ] || remove_tree "$work"
}

# show_usage SCRIPT: the comment at its head; ends the script.
show_usage() {
  sed -n '2,/^set /s/^# \{0,1\}//p' "$1" >&2
  exit 2
}
