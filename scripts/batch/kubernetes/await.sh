#!/bin/sh
# Waits for the end of a Job, written by bertprep submit kubernetes: sh await.sh [OPTIONS OF KUBECTL] JOB
# Status 1 when it failed or is gone.
set -u
for job in "$@"; do :; done
misses=0
while [ "$misses" -lt 30 ]; do
  if ends=$(kubectl get -o 'jsonpath={.status.conditions[?(@.status=="True")].type}' "$@"); then
    misses=0
  else
    misses=$((misses + 1))
  fi
  case " $ends " in
    *' Complete '*) echo "$job"; exit 0 ;;
    *' Failed '*) echo "$job failed; see: kubectl describe $*" >&2; exit 1 ;;
  esac
  sleep "${BERTPREP_AWAIT_SECONDS:-10}"
done
exit 1
