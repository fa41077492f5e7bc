# shellcheck shell=bash disable=SC2154,SC2034
# The key of the job, and the sshd of this node.

# One key serves for login and as the key of every host: who has it belongs to the job, seen from both ends.
shared_key() { echo "$MNP_SSH_DIR/$job.key"; }

given_key() {
  if [[ $given == *-----BEGIN* ]]; then printf '%s\n' "$given"; else base64 -d <<<"$given"; fi
}

make_key() {
  if [ -n "$given" ]; then
    given_key >"$work/key.new" 2>/dev/null || true
  else
    rm -f "$work/key.new"
    ssh-keygen -q -t ed25519 -N '' -C "mnp $job" -f "$work/key.new"
  fi
  take_key || fail "$usage_status" "MNP_SSH_KEY is not a private key without passphrase, nor base64 of one"
}

publish_key() {
  [ -z "$given" ] || return 0
  local passing=$MNP_SSH_DIR/.$job.$$.tmp
  { mkdir -p "$MNP_SSH_DIR" && install -m 600 "$work/key" "$passing" && mv -f "$passing" "$(shared_key)"; } ||
    fail 1 "the key could not be written to MNP_SSH_DIR: is $MNP_SSH_DIR the shared folder, and writable?"
}

# Listing the folder first makes a client of NFS forget that the file was absent.
fetch_key() {
  if [ -n "$given" ]; then
    given_key >"$work/key.new" 2>/dev/null
  else
    ls "$MNP_SSH_DIR" >/dev/null 2>&1 || { reason="no folder $MNP_SSH_DIR"; return 1; }
    cat "$(shared_key)" >"$work/key.new" 2>/dev/null || { reason="no key of the main node in $MNP_SSH_DIR"; return 1; }
  fi
  ! cmp -s "$work/key.new" "$work/key" || return 0
  if ! take_key; then
    [ -z "$given" ] || fail "$usage_status" "MNP_SSH_KEY is not a private key without passphrase, nor base64 of one"
    reason="the key in $MNP_SSH_DIR is not valid"
    return 1
  fi
  start_sshd
}

take_key() {
  chmod 600 "$work/key.new"
  ssh-keygen -y -P '' -f "$work/key.new" >"$work/key.pub" 2>/dev/null </dev/null || return 1
  mv -f "$work/key.new" "$work/key"
  cp "$work/key.pub" "$work/authorized_keys"
  echo "* $(cut -d' ' -f1,2 "$work/key.pub")" >"$work/known_hosts"
}

write_ssh_config() {
  cat >"$work/ssh_config" <<CONFIG
Host *
  Port $port
  IdentityFile $work/key
  IdentitiesOnly yes
  UserKnownHostsFile $work/known_hosts
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking yes
  BatchMode yes
  LogLevel ERROR
  ConnectTimeout 5
  ServerAliveInterval $((lost_seconds / 4))
  ServerAliveCountMax 3
CONFIG
}

write_sshd_config() {
  cat >"$work/sshd_config" <<CONFIG
AddressFamily inet
ListenAddress $address:$port
HostKey $work/key
PidFile none
AuthorizedKeysFile $work/authorized_keys
AllowUsers $(id -un)
PermitRootLogin prohibit-password
PubkeyAuthentication yes
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
DisableForwarding yes
PermitTTY no
PrintMotd no
LoginGraceTime 30
MaxStartups $((nodes + 100))
ClientAliveInterval $((lost_seconds / 4))
ClientAliveCountMax 3
ForceCommand exec bash '$entrypoint' --serve '$work'
CONFIG
}

start_sshd() {
  local program=/usr/sbin/sshd
  [ -x "$program" ] || program=$(type -P sshd)
  stop_sshd
  [ "$(id -u)" -ne 0 ] || install -d -m 755 /run/sshd
  : >"$work/sshd.log"
  "$program" -D -f "$work/sshd_config" -E "$work/sshd.log" &
  sshd=$!
  until grep -q 'Server listening' "$work/sshd.log"; do
    kill -0 "$sshd" 2>/dev/null || fail 1 "sshd did not start: $(xargs -0 <"$work/sshd.log")"
    sleep 0.1
  done
}

stop_sshd() {
  [ -n "${sshd:-}" ] || return 0
  kill "$sshd" 2>/dev/null || true
  wait "$sshd" 2>/dev/null || true
  sshd=
}

# Sessions get the environment of this container, not the few variables that sshd gives: each host keeps its own.
set_up() {
  work=$(mktemp -d "${TMPDIR:-/tmp}/mnp.XXXXXX")
  export MNP_ENTRYPOINT=$entrypoint
  mkdir "$work/joined"
  given=${MNP_SSH_KEY:-}
  unset MNP_SSH_KEY
  export -p | grep -v '^declare -[a-z]*r' >"$work/environment"  # what bash keeps to itself can't be set
  printf 'cd %q\n' "$PWD" >>"$work/environment"
  write_ssh_config
  write_sshd_config
}

clean_up() {
  stop_sshd
  [ "$node" -ne "$main" ] || [ -n "$given" ] || [ -z "${MNP_SSH_DIR:-}" ] || [ "$nodes" -eq 1 ] ||
    rm -f "$(shared_key)"
  rm -rf "$work"
}
