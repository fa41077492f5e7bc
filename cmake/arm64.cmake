# Toolchain for Linux on arm64, on a Debian machine of another architecture that has the libraries of arm64 beside its
# own (dpkg --add-architecture arm64). Tests run under qemu's user mode. scripts/arm64.sh sets such a machine up.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
find_program(BERTPREP_QEMU NAMES qemu-aarch64 qemu-aarch64-static)
if(BERTPREP_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${BERTPREP_QEMU})
endif()
