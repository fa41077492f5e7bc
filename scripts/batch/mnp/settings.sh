# shellcheck shell=bash disable=SC2154,SC2034
# The settings of a node, from the environment and its own properties.

number() {  # NAME VALUE LEAST
  if [[ ! $2 =~ ^(0|[1-9][0-9]{0,8})$ ]] || [ "$2" -lt "$3" ]; then
    fail "$usage_status" "$1 is '$2', not a number of at least $3: set MNP_$1 where AWS Batch does not"
  fi
}

read_settings() {
  node=${MNP_NODE_INDEX:-${AWS_BATCH_JOB_NODE_INDEX:-}}
  nodes=${MNP_NODES:-${AWS_BATCH_JOB_NUM_NODES:-}}
  # Told nothing about nodes, this is the only one.
  [ -n "$node$nodes" ] || { node=0 nodes=1; }
  main=${MNP_MAIN_INDEX:-${AWS_BATCH_JOB_MAIN_NODE_INDEX:-0}}
  main_address=${MNP_MAIN_ADDRESS:-${AWS_BATCH_JOB_MAIN_NODE_PRIVATE_IPV4_ADDRESS:-}}
  job=${MNP_JOB_ID:-${AWS_BATCH_JOB_ID:-job}}
  job=${job%%#*}  # AWS Batch's identifier of a node is JOB#INDEX
  job=${job//[^A-Za-z0-9._-]/_}
  port=${MNP_SSH_PORT:-2022}
  join_seconds=${MNP_JOIN_SECONDS:-600}
  lost_seconds=${MNP_LOST_SECONDS:-20}
  stop_seconds=${MNP_STOP_SECONDS:-25}
}

check_settings() {
  number NODE_INDEX "$node" 0
  number NODES "$nodes" 1
  number MAIN_INDEX "$main" 0
  number SSH_PORT "$port" 1
  number JOIN_SECONDS "$join_seconds" 1
  number LOST_SECONDS "$lost_seconds" 4
  number STOP_SECONDS "$stop_seconds" 0
  [ "$node" -lt "$nodes" ] || fail "$usage_status" "NODE_INDEX $node is not below NODES $nodes: nodes are numbered from 0"
  [ "$main" -lt "$nodes" ] || fail "$usage_status" "MAIN_INDEX $main is not below NODES $nodes: nodes are numbered from 0"
  [ "$node" -eq "$main" ] || [ -n "$main_address" ] ||
    fail "$usage_status" "the address of the main node is not known: set MNP_MAIN_ADDRESS"
  [ "$nodes" -eq 1 ] || [ -n "${MNP_SSH_KEY:-}${MNP_SSH_DIR:-}" ] ||
    fail "$usage_status" "no way to a key: set MNP_SSH_DIR to a folder that all nodes share, or MNP_SSH_KEY to a private key"
}

check_programs() {
  local program programs=(mpirun ip setsid)
  [ "$nodes" -eq 1 ] || programs+=(sshd ssh ssh-keygen)
  for program in "${programs[@]}"; do
    type -P "$program" >/dev/null || [ -x "/usr/sbin/$program" ] ||
      fail "$usage_status" "'$program' is missing: install openmpi-bin, openssh-server, openssh-client and iproute2"
  done
}


# The first IPv4 address of an interface, or within a network: a.b.c.d/n.
address_on() {
  local where=(dev "$1")
  [[ $1 != */* ]] || where=(to "$1")
  { ip -o -4 address show "${where[@]}" 2>/dev/null || true; } | awk 'NR == 1 { sub("/.*", "", $4); print $4 }'
}

device_in() { awk 'NR == 1 { for (i = 1; i < NF; i++) if ($i == "dev") print $(i + 1) }'; }

find_interface() {
  if [ -n "${MNP_INTERFACE:-}" ]; then
    echo "$MNP_INTERFACE"
  elif [ "$node" -ne "$main" ]; then
    local numeric
    numeric=$({ getent ahostsv4 "$main_address" || true; } | awk 'NR == 1 { print $1 }')
    { ip -o -4 route get "${numeric:-$main_address}" 2>/dev/null || true; } | device_in
  elif [ -n "$(address_on eth0)" ]; then
    echo eth0
  else
    ip -o -4 route show default 2>/dev/null | device_in
  fi
}

find_address() {
  interface=$(find_interface)
  # A lone node needs no network.
  [ "$nodes" -gt 1 ] || [ -n "$interface" ] || interface=lo
  address=$(address_on "${interface:-none}")
  [ -n "$address" ] || fail "$usage_status" "no IPv4 address on '${interface:-any interface}': set MNP_INTERFACE to an" \
    "interface, or to a network such as 10.0.0.0/16. There are: $(ip -o -4 address show | awk '{ print $2, $4 }' | xargs)"
}

find_slots() {
  local gpus
  gpus=$(find /dev -maxdepth 1 -name 'nvidia[0-9]*' | wc -l)
  [ "$gpus" -gt 0 ] || gpus=$(nproc)
  slots=${MNP_SLOTS:-$gpus}
  number SLOTS "$slots" 1
}
