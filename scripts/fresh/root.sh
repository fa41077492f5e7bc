# shellcheck shell=bash
# Minimal Debian roots: made with debootstrap, copied, entered and removed. To be sourced by scripts that run as root.
#
# What runs in a root has namespaces of its own for mounts and processes (scripts/fresh/enter.sh). Both end with the
# command, so nothing is ever mounted in a root that is removed.

fresh_here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")

# require_for_roots PROGRAM...: ends the script unless it runs as root and finds what it needs.
require_for_roots() {
  [ "$(id -u)" -eq 0 ] || { echo "run this as root: it makes and enters roots" >&2; exit 2; }
  local program
  for program in debootstrap unshare pivot_root "$@"; do
    command -v "$program" >/dev/null || { echo "$program is missing: apt-get install $program" >&2; exit 2; }
  done
}

this_release() { . /etc/os-release && echo "$VERSION_CODENAME"; }

# The release of the roots: $suite, if set.
release_name() { echo "${suite:-$(this_release)}"; }

# The lines "URI SUITE" of this machine's apt sources that are the distribution's own, for the release of the roots.
apt_suites() {
  local release
  release=$(this_release)
  # shellcheck disable=SC2016  # apt expands them
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk -v release="$release" '$3 == "main" && ($2 == release || index($2, release "-") == 1) { print $1, $2 }' |
    sed "s/ $release/ $(release_name)/" | sort -u
}

# How this machine's apt reaches its mirrors: proxies, and checks that are switched off.
apt_settings() {
  apt-config dump | grep -E '^Acquire::(https?|ftp|Check-|Retries|ForceIPv)' | grep -v -E ' "";$' || true
}

# make_base ROOT [MIRROR]: a root with debootstrap's minbase and nothing else, and apt set up as here. MIRROR takes the
# place of this machine's sources.
make_base() {
  local root=$1 mirror=${2:-} release suites
  release=$(release_name)
  if [ -n "$mirror" ]; then
    suites="$mirror $release"
  else
    suites=$(apt_suites)
    mirror=$(awk -v release="$release" '$2 == release { print $1; exit }' <<<"$suites")
    [ -n "$mirror" ] || { echo "no mirror of $release is among the apt sources: give --mirror URL" >&2; return 1; }
  fi
  local extra=()
  [[ $mirror != https:* ]] || extra=(--include=ca-certificates)
  in_namespaces --mount-proc debootstrap --variant=minbase "${extra[@]}" "$release" "$root" "$mirror"
  awk '{ print "deb", $1, $2, "main" }' <<<"$suites" >"$root/etc/apt/sources.list"
  apt_settings >"$root/etc/apt/apt.conf.d/90fresh"
  printf '127.0.0.1 localhost\n127.0.1.1 %s\n' "$(hostname)" >"$root/etc/hosts"
}

# in_namespaces [OPTION] COMMAND...: what COMMAND mounts or leaves running ends with it.
in_namespaces() {
  unshare --mount --pid --fork --kill-child "$@"
}

# in_root ROOT USER FOLDER COMMAND...: runs COMMAND there as USER. $fresh_shared, if set, is a folder mounted next to
# FOLDER as `shared`, read-only.
in_root() {
  FRESH_SHARED=${fresh_shared:-} in_namespaces "$fresh_here/enter.sh" "$@"
}

# remove_tree DIR: removes what the script made, unless something is mounted in it.
remove_tree() {
  local tree
  [ -e "$1" ] || return 0
  tree=$(realpath "$1")
  if awk '{ print $5 }' /proc/self/mountinfo | grep -q -F "$tree/"; then
    echo "something is mounted in $tree: it stays" >&2
    return 1
  fi
  rm -rf --one-file-system -- "$tree"
}
