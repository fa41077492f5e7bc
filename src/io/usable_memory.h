// The memory that this process may use.
#pragma once

#include <cstdint>
#include <filesystem>

namespace bertprep {

// That of the machine, or the limit of a cgroup (v1 or v2) that holds the process, if it is lower: of a container, or a
// job of a batch system. `root` stands for / in tests.
std::uint64_t usable_memory_bytes(const std::filesystem::path& root = "/");

}  // namespace bertprep
