// BERTPREP_CLONES before a function compiles it for several processor levels; the loader picks the best one at start.
// Functions it calls must be inlined into it.
#pragma once

// The loader picks the clone before sanitizers have started.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define BERTPREP_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define BERTPREP_CLONES
#endif

#define BERTPREP_INLINE inline __attribute__((always_inline))
