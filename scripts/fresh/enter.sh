#!/usr/bin/env bash
# enter.sh ROOT USER FOLDER COMMAND...: the inner half of in_root (scripts/fresh/root.sh). Runs as the first process of a
# namespace of processes: when it ends, so does all that COMMAND left behind.
set -euo pipefail
root=$1 user=$2 folder=$3
shift 3

# With the root as this namespace's own instead of chroot's, users may make namespaces, as on a machine.
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
for device in null:3 zero:5 full:7 random:8 urandom:9; do
  mknod -m 666 "$root/dev/${device%:*}" c 1 "${device#*:}"
done
mknod -m 666 "$root/dev/tty" c 5 0
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
ln -s fd/0 "$root/dev/stdin"
ln -s fd/1 "$root/dev/stdout"
ln -s fd/2 "$root/dev/stderr"
if [ -n "${FRESH_SHARED:-}" ]; then
  beside=$root$(dirname "$folder")/shared
  mkdir -p "$beside"
  mount --bind "$FRESH_SHARED" "$beside"
  mount -o remount,bind,ro "$beside"
fi

# Nothing of this machine's environment but its proxies.
home=$(awk -F: -v user="$user" '$1 == user { print $6 }' "$root/etc/passwd")
environment=("HOME=$home" "USER=$user" "TERM=${TERM:-dumb}" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
  [ -z "${!name:-}" ] || environment+=("$name=${!name}")
done

# The first process of a namespace ignores signals that it does not handle.
trap 'exit 130' INT
trap 'exit 143' TERM
cd "$root"
pivot_root . .
umount --lazy .
cd "$folder"
setpriv --reuid="$user" --regid="$user" --init-groups env -i "${environment[@]}" "$@" </dev/null &
wait $!
