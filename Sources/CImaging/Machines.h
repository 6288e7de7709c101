#pragma once

// Lanes of a vector in all loops; rows have room for this many behind their end.
#define LANES 16
_Static_assert(LANES == fl_lane_padding, "callers leave room for a vector");

// A loop over a row is as fast wherever the linker puts it: its function begins at a cache line.
#define ROW_LOOP __attribute__((aligned(64)))

// Compiles such a function for each kind of machine; the loader takes the best one.
#if defined(__x86_64__) && defined(__gnu_linux__)
#define EVERY_MACHINE ROW_LOOP __attribute__((target_clones("avx2", "default")))
#else
#define EVERY_MACHINE ROW_LOOP
#endif

// What a lane of one width becomes in another; element by element.
#define CONVERTED(v, type) __builtin_convertvector(v, type)

typedef uint8_t bytes_16 __attribute__((vector_size(16), aligned(1)));
typedef int16_t lanes_16 __attribute__((vector_size(32), aligned(2)));
typedef uint16_t words_16 __attribute__((vector_size(32), aligned(2)));
typedef int32_t lanes_32 __attribute__((vector_size(64), aligned(4)));
typedef uint32_t words_32 __attribute__((vector_size(64), aligned(4)));
