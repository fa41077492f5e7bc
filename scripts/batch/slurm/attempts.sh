# The rest is the same in all job files. It runs ${command[@]}, and again where that can help.
#
# What fails for a moment (exit status 75) or was killed is tried again here, not by Slurm's RequeueExit: that shows the
# task as failed for a moment, and then jobs that wait for it never start.
#
# At TERM, which comes before the time limit ends and when the job makes room for others, the program leaves within ten
# seconds and the task goes back into the queue: it is resumable. A task that is cancelled is not RUNNING any more and
# stays away.
set -u
export HDF5_USE_FILE_LOCKING=FALSE # nothing relies on locks, and some shared file systems have none
most_attempts=8
task=${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID}
task=${task:-${SLURM_JOB_ID:-}}
child=
stopped=
trap 'stopped=yes; kill -TERM $child 2>/dev/null' TERM INT

status=75
for attempt in $(seq "$most_attempts"); do
  [ -z "$stopped" ] || break
  "${command[@]}" &
  child=$!
  wait "$child"
  status=$?
  [ -z "$stopped" ] || { wait "$child"; status=$?; } # the first wait ended with the signal, this one with the program
  [ -z "$stopped" ] || break
  [ "$status" -eq 75 ] || [ "$status" -gt 128 ] || exit "$status"
  echo "attempt $attempt of $most_attempts ended with status $status" >&2
  sleep $((attempt * 5)) &
  child=$!
  wait "$child"
done

if [ -n "$stopped" ] && { [ "$status" -eq 75 ] || [ "$status" -gt 128 ]; } &&
  [ "${SLURM_RESTART_COUNT:-0}" -lt "$most_attempts" ] && [ "$(squeue -h -o %T -j "$task")" = RUNNING ]; then
  echo "back into the queue" >&2
  # Not SLURM_JOB_ID: the last task of an array has the number of the whole array.
  scontrol requeue "$task" && sleep 60
fi
exit "$status"
