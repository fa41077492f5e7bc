#pragma once

namespace bertprep {

inline constexpr const char* kVersion = "0.3.0";

}  // namespace bertprep
