#pragma once

namespace bertprep {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace bertprep
