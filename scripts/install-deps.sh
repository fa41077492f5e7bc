#!/usr/bin/env bash
# Installs what the build needs from the distribution (Debian 12 or newer, Ubuntu 24.04 or newer).
#   scripts/install-deps.sh           to build
#   scripts/install-deps.sh --tests   to run the tests of a release build too
#   scripts/install-deps.sh --all-tests   to run those of sanitizers, of the engines of clusters and of Python too
#   scripts/install-deps.sh --nfs     to run the tests on NFS: a server and kernels of its clients, some 120 MB
#   scripts/install-deps.sh --python  to build and test the Python package
#   scripts/install-deps.sh --package to make Debian packages too
#   scripts/install-deps.sh --with-trainer   to build berttrain: libtorch, some 550 MB
# Prints nothing when everything is installed.
set -euo pipefail

# CMake asks for Python, which runs the lints; downloads over https need the certificates.
packages=(g++ cmake ninja-build pkg-config python3 ca-certificates libhdf5-dev libicu-dev libsimdjson-dev libtbb-dev
          nettle-dev libb2-dev zlib1g-dev libdeflate-dev libbz2-dev libzstd-dev libxxhash-dev libarchive-dev libxml2-dev
          libcurl4-openssl-dev libcli11-dev libexpat1-dev libsnappy-dev liblz4-dev libbrotli-dev
          libsqlite3-dev libgtest-dev libgmock-dev libbenchmark-dev)
tests=no
all_tests=no
nfs=no
package=no
python=no
trainer=no
for argument in "$@"; do
  case $argument in
    --tests) tests=yes ;;
    --all-tests) tests=yes all_tests=yes ;;
    --nfs) nfs=yes ;;
    --package) package=yes ;;
    --python) python=yes ;;
    --with-trainer) trainer=yes ;;
    *) echo "usage: scripts/install-deps.sh [--tests] [--all-tests] [--nfs] [--package] [--python] [--with-trainer]" >&2; exit 2 ;;
  esac
done
if [ "$tests" = yes ]; then
  packages+=(git binutils xz-utils sqlite3 python3-h5py python3-numpy nginx-light openssl clang-format openssh-client zsh fish groff-base)
fi
if [ "$all_tests" = yes ]; then
  python=yes
  packages+=(clang libclang-rt-dev lld slurm-wlm munge python3-botocore awscli openmpi-bin libopenmpi-dev openssh-server
             iproute2)
fi
if [ "$tests" = yes ] || [ "$package" = yes ]; then
  packages+=(dpkg-dev file)
fi
if [ "$nfs" = yes ]; then
  packages+=(nfs-ganesha nfs-ganesha-vfs user-mode-linux kmod iproute2)
fi

if [ "$python" = yes ]; then
  packages+=(pybind11-dev python3-dev python3-pip python3-numpy python3-h5py python3-pytest python3-mypy)
fi
if [ "$trainer" = yes ]; then
  # libtorch takes any BLAS; the reference's is more than ten times slower. MPI is for several processes.
  packages+=(libtorch-dev libopenblas0-pthread libopenmpi-dev openmpi-bin)
  [ "$all_tests" = no ] || packages+=(python3-torch)
fi

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
[ "${#missing[@]}" -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "install-deps: packages are missing (${missing[*]}): run it as root, or install sudo" >&2; exit 1; }
  as_root=(sudo)
fi
echo "installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${as_root[@]}" apt-get update -qq &&
       "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"; } \
     >"$log" 2>&1; then
  tail -n 30 "$log" >&2
  echo "install-deps: the packages could not be installed" >&2
  exit 1
fi
