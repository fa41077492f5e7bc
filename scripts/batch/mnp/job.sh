# shellcheck shell=bash disable=SC2154,SC2034
# The job itself: mpirun, its watcher, and the wrapper of a rank.

# Variables already set in the environment are kept.
preset() {
  local name=OMPI_MCA_$1
  export "$name=${!name:-$2}"
}

preset_open_mpi() {
  preset plm rsh
  preset plm_rsh_agent ssh
  preset plm_rsh_args "-F $work/ssh_config"
  preset plm_rsh_no_tree_spawn 1
  preset oob_tcp_keepalive_time $((lost_seconds / 4))
  preset oob_tcp_keepalive_intvl $((lost_seconds / 4))
  preset oob_tcp_keepalive_probes 3
  preset pml ob1
  preset btl tcp,vader,self
  preset btl_vader_single_copy_mechanism none
  preset hwloc_base_binding_policy none
  [ -n "${OMPI_MCA_oob_tcp_if_exclude:-}" ] || preset oob_tcp_if_include "$interface"
  [ -n "${OMPI_MCA_btl_tcp_if_exclude:-}" ] || preset btl_tcp_if_include "$interface"
  [ "$slots" -le "$(nproc)" ] || preset mpi_yield_when_idle 1
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
}

launch() {
  local arguments=() status interrupted=yes
  read -r -a arguments <<<"${MNP_MPIRUN_ARGUMENTS:-}"
  preset_open_mpi
  trap 'interrupted=yes stopping=143; : >"$work/stop"' TERM
  trap 'interrupted=yes stopping=130; : >"$work/stop"' INT
  # In a session of its own, so that a terminal's Ctrl-C comes once, from here. MNP_ENTRYPOINT is each host's own.
  # shellcheck disable=SC2016
  setsid mpirun --hostfile "$work/hostfile" "${arguments[@]}" \
    bash -c 'exec bash "$MNP_ENTRYPOINT" --rank "$@"' mnp "$@" &
  mpirun=$!
  watch_job &
  watcher=$!
  while [ -n "$interrupted" ]; do
    interrupted='' status=0
    wait "$mpirun" || status=$?
  done
  kill "$watcher" 2>/dev/null || true
  say "mpirun ended with $status"
  [ ! -e "$work/lost" ] || status=$try_again
  [ "$status" -eq 0 ] || [ ! -e "$work/stop" ] || status=${stopping:-143}
  exit "$status"
}

# Ends mpirun when a child has been away for too long (mpirun itself may wait for it without end), or when some node was
# told to stop and the ranks have had their time.
watch_job() {
  local seen=$SECONDS asked='' again=0
  trap - TERM INT EXIT
  while sleep 0.5; do
    find_missing
    [ -n "$missing" ] || seen=$SECONDS
    if [ $((SECONDS - seen)) -gt "$lost_seconds" ]; then
      say "lost node $missing: ends the job"
      : >"$work/lost"
      break
    fi
    [ -e "$work/stop" ] || continue
    asked=${asked:-$SECONDS}
    [ $((SECONDS - asked)) -lt "$stop_seconds" ] || break
    # Once more now and then: mpirun has none to pass it on to before the ranks run.
    [ "$SECONDS" -lt "$again" ] || { say "SIGTERM to all ranks"; kill -USR2 "$mpirun"; again=$((SECONDS + 5)); }
  done
  kill -TERM "$mpirun" || true
  sleep 5 >/dev/null 2>&1
  kill -KILL "$mpirun" || true
}

# mpirun passes SIGUSR2 on to all ranks at once and leaves them their time. SIGTERM it does not pass on: it kills.
run_rank() {
  local rank interrupted=yes stopped='' status
  trap '' USR2
  "$@" <&0 &
  rank=$!
  trap 'interrupted=yes; [ -n "$stopped" ] || { stopped=yes; kill -TERM "$rank" || true; }' USR2
  trap 'interrupted=yes' TERM  # comes to the whole group, so the program has it already
  while [ -n "$interrupted" ]; do
    interrupted='' status=0
    wait "$rank" || status=$?
  done
  exit "$status"
}
