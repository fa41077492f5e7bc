# shellcheck shell=bash disable=SC2154,SC2034
# The main node: waits for the children, checks their hosts, ends with a word to them.

run_main() {
  program=$1 stopping=''
  trap 'exit 143' TERM
  trap 'exit 130' INT
  trap 'end_main $?' EXIT
  for ((child = 0; child < nodes; child++)); do
    [ "$child" -eq "$main" ] || children+=("$child")
  done
  if [ "$nodes" -gt 1 ]; then
    make_key
    start_sshd
    publish_key
    wait_for_children
  fi
  write_hostfile
  check_hosts
  launch "$@"
}

# Stays until the children know, or have been silent for too long. Batch ends them once this node has ended.
end_main() {
  local give_up=$((SECONDS + lost_seconds / 2))
  trap '' TERM INT
  echo "$1" >"$work/end.new"
  mv "$work/end.new" "$work/end"
  while tell_children && [ "$SECONDS" -lt "$give_up" ]; do
    sleep 0.2
  done
  clean_up
}

# Whether there was one left to tell.
tell_children() {
  local child session told=1
  for child in "${children[@]}"; do
    { read -r _ _ session <"$work/joined/$child"; } 2>/dev/null || continue
    kill -USR1 "$session" 2>/dev/null || true
    told=0
  done
  return "$told"
}

find_missing() {
  local child
  missing=
  for child in "${children[@]}"; do
    [ -e "$work/joined/$child" ] || missing+=" $child"
  done
  missing=${missing# }
}

wait_for_children() {
  local give_up=$((SECONDS + join_seconds)) remind=$((SECONDS + 30))
  while find_missing; [ -n "$missing" ]; do
    [ ! -e "$work/stop" ] || fail 143 "a node was told to stop before all had joined"
    [ "$SECONDS" -lt "$give_up" ] || fail "$try_again" \
      "of $nodes nodes, these have not reported within $join_seconds s: $missing.$(refusals)" \
      "Do they run, have they the same key, and may they reach $address port $port?"
    if [ "$SECONDS" -ge "$remind" ]; then
      say "waiting for these of $nodes nodes: $missing"
      remind=$((SECONDS + 30))
    fi
    sleep 0.2
  done
}

# What sshd says of those that came and were not let in.
refusals() {
  local words
  words=$(grep -iE 'not allowed|failed|invalid|error|refused|denied|preauth' "$work/sshd.log" | tail -n 1) || return 0
  echo " sshd: ${words%$'\r'}."
}

# A line a node, by index. mpirun gives the first ranks to its own host, wherever that stands.
write_hostfile() {
  local index host rest twice
  for ((index = 0; index < nodes; index++)); do
    if [ "$index" -eq "$main" ]; then
      echo "$address slots=$slots"
    else
      read -r host rest _ <"$work/joined/$index" || fail "$try_again" "node $index has left"
      echo "$host $rest"
    fi
  done >"$work/hostfile"
  twice=$(cut -d' ' -f1 "$work/hostfile" | sort | uniq -d | xargs)
  [ -z "$twice" ] || fail "$usage_status" "several nodes report the address $twice: set MNP_INTERFACE to what tells them apart"
  say "hosts: $(paste -s -d ';' "$work/hostfile")"
}

host_of() { sed -n "$(($1 + 1))s/ .*//p" "$work/hostfile"; }

check_hosts() {
  local child expected answer unfit='' checks=()
  expected=$(identity "$program")
  [[ $expected != 'no program '* ]] || fail "$usage_status" "$expected on the main node"
  for child in "${children[@]}"; do
    timeout 30 ssh -n -F "$work/ssh_config" "$(host_of "$child")" "mnp-check $interface $program" \
      >"$work/check.$child" 2>&1 &
    checks+=($!)
  done
  [ "${#checks[@]}" -eq 0 ] || wait "${checks[@]}" || true
  for child in "${children[@]}"; do
    answer=$(tail -n 1 "$work/check.$child")
    [ "$answer" != "$expected" ] || continue
    unfit=yes
    say "node $child ($(host_of "$child")) is unfit: it says '${answer:-nothing}', the main node '$expected'"
  done
  [ -z "$unfit" ] || fail "$try_again" "all hosts must answer, with the same program and the same Open MPI"
}
