// Amounts in the options of jobs: memory and time. All throw ConfigError that names the option.
#pragma once

#include <cstdint>
#include <string>

namespace bertprep {

// "16G", "15000M", "1T" -> MiB. Engines take whole MiB, so "0.5G" is refused.
std::uint64_t task_memory_mib(const std::string& text);

// "90m", "8h", "2d", "30s", "HH:MM:SS", "D-HH:MM:SS" -> seconds, at least a minute: no engine takes less.
std::uint64_t attempt_seconds(const std::string& text);

// "1-02:00:00", as Slurm writes it.
std::string slurm_time(std::uint64_t seconds);

}  // namespace bertprep
