# shellcheck shell=bash disable=SC2154,SC2034
# A child: joins the main node and stays until that ends.

run_child() {
  local remind=$((SECONDS + 30))
  deadline=$((SECONDS + join_seconds)) joined='' told='' reason=''
  trap end_child EXIT
  trap ask_for_stop TERM INT
  mkfifo "$work/leash"
  exec 3<>"$work/leash"
  while :; do
    ! fetch_key || hold_lease
    [ "$SECONDS" -lt "$deadline" ] || give_up
    if [ "$SECONDS" -ge "$remind" ]; then
      say "waiting for the main node: $reason"
      remind=$((SECONDS + 30))
    fi
    sleep 0.5
  done
}

give_up() {
  [ -n "$joined" ] || fail "$try_again" "the main node $main_address was not reached within $join_seconds s: $reason"
  fail "$try_again" "the main node $main_address is gone: $reason"
}

end_child() {
  kill ${link:+"$link"} ${patience:+"$patience"} 2>/dev/null || true
  clean_up
}

# SIGTERM may come to this host alone. Its ranks can save their work only if those of all hosts do: the main node is
# asked to end the job, and this host stays until then.
ask_for_stop() {
  [ -n "$joined" ] || exit 143
  [ -z "$told" ] || return 0
  told=yes
  say "told to stop: asks the main node to end the job"
  echo stop >&3
  (sleep $((stop_seconds + 5)); kill "$link") >/dev/null 2>&1 &
  patience=$!
}

# The lease is an ssh session on the main node. Returns when it is over and the job, for what is known, is not.
hold_lease() {
  local word rest connected=''
  exec 4< <(exec ssh -F "$work/ssh_config" "$main_address" "mnp-join $node $address slots=$slots" \
    <&3 2>"$work/ssh.log")
  link=$!
  while read -r -u 4 word rest; do
    case $word in
      joined)
        connected=yes joined=yes
        say "joined the main node $main_address as $address slots=$slots"
        ;;
      refused) fail "$usage_status" "the main node refused: $rest" ;;
      end)
        say "the main node ended with $rest"
        exit "$rest"
        ;;
    esac
  done
  exec 4<&-
  link=
  reason=$(tail -n 1 "$work/ssh.log")
  reason=${reason:-the connection was closed}
  [ -n "$connected" ] || return 0
  say "lost the main node: $reason"
  [ -z "$told" ] || exit 143
  deadline=$((SECONDS + lost_seconds))
}
