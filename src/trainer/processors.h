// What this process has to compute with.
#pragma once

namespace bertprep {

// How many processors it may use, at least 1.
int available_processors();

// Whether they multiply bfloat16 faster than f32. To have instructions for it is not enough: Intel's with AVX512_BF16
// since Sapphire Rapids do it at half the rate of f32 where AMX is missing or hidden.
bool has_fast_bf16();

}  // namespace bertprep
