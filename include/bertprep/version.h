#pragma once

namespace bertprep {

inline constexpr const char* kVersion = "0.2.0";

}  // namespace bertprep
