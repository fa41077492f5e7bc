# shellcheck shell=bash disable=SC2154,SC2034
# What a node does for another that comes by ssh.

serve() {
  local request=${SSH_ORIGINAL_COMMAND:-}
  case $request in
    'mnp-join '*) serve_join "${request#* }" ;;
    'mnp-check '*) request=${request#* }; serve_check "${request%% *}" "${request#* }" ;;
    *)
      unset SSH_CLIENT SSH_CONNECTION  # bash would take every rank's shell for one at the far end of ssh
      exec bash -c "$request"
      ;;
  esac
}

# The session lasts as long as the child and the main node do, so that each learns of the other's end.
serve_join() {
  local report='^(0|[1-9][0-9]{0,8}) ([0-9.]+) slots=[1-9][0-9]*$' child=$nodes
  [[ ! $1 =~ $report ]] || child=${BASH_REMATCH[1]}
  if [ "$child" -ge "$nodes" ] || [ "$child" -eq "$main" ]; then
    echo "refused '$1' is not the report of a child of $nodes nodes with main node $main"
    return 0
  fi
  lease=$work/joined/$child
  contents="${1#* } $$"
  trap '[ "$(cat "$lease" 2>/dev/null)" != "$contents" ] || rm -f "$lease"' EXIT
  trap 'echo "end $(cat "$work/end")"' USR1
  echo "$contents" >"$work/lease.$$"
  mv -f "$work/lease.$$" "$lease"
  echo joined
  # No time-out: one that comes while a line is read loses the line.
  local line
  while read -r line; do
    [ "$line" != stop ] || : >"$work/stop"
  done
}

serve_check() {
  [ -n "$(address_on "$1")" ] ||
    { echo "no address on $1: set MNP_INTERFACE to the network that all hosts share, such as 10.0.0.0/16"; return 0; }
  identity "$2"
}

# What must be the same on all hosts: the program and Open MPI.
identity() {
  local file
  file=$(type -P -- "$1") || { echo "no program '$1'"; return 0; }
  echo "$1 $(sha256sum <"$file" | cut -c1-16), $(mpirun --version 2>&1 | head -n 1)"
}
