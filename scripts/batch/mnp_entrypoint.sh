#!/usr/bin/env bash
# Entry point of every node of a job over several hosts: an AWS Batch multi-node-parallel job, or plain hosts.
#   mnp_entrypoint.sh PROGRAM ARGUMENT...      for example: berttrain --data DIR --model base
# It is started once on each node with the same arguments. Every node runs an sshd of its own; the children report
# "INDEX IP slots=N" to the main node, which checks every host and runs PROGRAM on all of them with mpirun.
# Exit status: mpirun's; 75 when a host is missing, unfit or lost (try again); 2 wrong usage; 143 after SIGTERM.
# docs/how-to/multi-node.md has the variables and says why each setting is there.
# shellcheck disable=SC2034,SC2154  # the parts use what others set
set -euo pipefail

entrypoint=$(realpath "${BASH_SOURCE[0]}")
parts=${entrypoint%/*}/mnp
usage_status=2 try_again=75

say() { echo "mnp node ${node:-?}: $*" >&2; }

fail() {
  local status=$1
  shift
  say "$*"
  exit "$status"
}

for part in settings ssh session child main_node job; do
  # shellcheck source=/dev/null
  . "$parts/$part.sh"
done

case ${1:-} in
  --serve)
    # shellcheck source=/dev/null
    . "$2/environment"
    work=$2
    read_settings
    serve
    ;;
  --rank)
    shift
    run_rank "$@"
    ;;
  '' | -*)
    echo "usage: mnp_entrypoint.sh PROGRAM [ARGUMENT...]" >&2
    exit 2
    ;;
  *)
    children=()
    read_settings
    check_settings
    check_programs
    find_slots
    find_address
    set_up
    if [ "$node" -eq "$main" ]; then run_main "$@"; else run_child; fi
    ;;
esac
