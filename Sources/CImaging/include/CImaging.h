#pragma once

#include <stddef.h>
#include <stdint.h>

// The row loops of development and of frame statistics, in whole numbers only, so that every machine gives the same
// bits. In C because one function can be compiled for several instruction sets here and the machine's best is chosen when
// the program starts (x86-64: AVX2 or the baseline; NEON is always there on arm64); Swift compiles for one.
//
// Samples lie in lanes: 16 bits with full scale 2047 (8-bit sensors), or 32 bits with full scale 32,767 (deeper ones).
// Vectors may write up to 15 lanes beyond `count`, so rows of lanes have room for them; rows of bytes are never touched
// beyond their end.

enum {
    fl_white_16 = 2047,
    fl_white_32 = 32767,
    // Lanes behind a row that vectors may write to.
    fl_lane_padding = 16,
};

// How samples of one row become lanes: even columns [0], odd columns [1].
// lane = min(round(max(sample - black, 0) * 2^up * factor / 2^down), full scale); factors are below 65,536.
typedef struct {
    uint16_t black[2];
    uint16_t factor[2];
    // 16-bit lanes: up is 8, down is 16 + 1…8 (the first 16 cut off, the rest rounded); 32-bit lanes: down is 1…31.
    uint8_t up;
    uint8_t down;
} fl_row_scale;

void fl_scale_row_16(const uint8_t *samples, size_t count, const fl_row_scale *scale, int16_t *lanes);
void fl_scale_row_32(const uint8_t *samples, size_t count, const fl_row_scale *scale, int32_t *lanes);
// The same from little-endian samples of two bytes.
void fl_scale_row_wide_32(const uint8_t *samples, size_t count, const fl_row_scale *scale, int32_t *lanes);

// Interpolates one row of a Bayer pattern from five (Malvar, He, Cutler 2004), two lanes readable left of each row and
// behind it. `own` is the colour that shares the row with green, `other` the one of the rows above and below;
// `isOwnFirst` is whether the row begins with its own colour.
void fl_demosaic_row_16(
    const int16_t *const rows[5], size_t count, int isOwnFirst, int16_t *own, int16_t *green, int16_t *other);
void fl_demosaic_row_32(
    const int32_t *const rows[5], size_t count, int isOwnFirst, int32_t *own, int32_t *green, int32_t *other);

// Mixes colours by a 3×3 matrix whose rows add up to 1, in place, and cuts off at both ends: red += m[0]·(green − red) +
// m[1]·(blue − red), green with m[2] of red and m[3] of blue, blue with m[4] of red and m[5] of green. Greys stay exactly
// what they are. The matrix is in 1/8192, each element below 4 in magnitude.
void fl_mix_row_16(int16_t *red, int16_t *green, int16_t *blue, size_t count, const int16_t matrix[6]);
void fl_mix_row_32(int32_t *red, int32_t *green, int32_t *blue, size_t count, const int16_t matrix[6]);

// Looks lanes up and writes them one pixel after the other. Tables for 8-bit results have 2048 entries for 16-bit lanes
// and 4097 for 32-bit lanes (the lane divided by 8 and rounded), those for 16-bit results 32,768.
void fl_write_rgb8_16(
    const int16_t *red, const int16_t *green, const int16_t *blue, size_t count, const uint8_t *table, uint8_t *output);
void fl_write_rgb8_32(
    const int32_t *red, const int32_t *green, const int32_t *blue, size_t count, const uint8_t *table, uint8_t *output);
void fl_write_rgb16_32(
    const int32_t *red, const int32_t *green, const int32_t *blue, size_t count, const uint16_t *table, uint8_t *output);
void fl_write_grey8_16(const int16_t *lanes, size_t count, const uint8_t *table, uint8_t *output);
void fl_write_grey8_32(const int32_t *lanes, size_t count, const uint8_t *table, uint8_t *output);
void fl_write_grey16_32(const int32_t *lanes, size_t count, const uint16_t *table, uint8_t *output);
// The same without a table, the lane divided by 8 and cut off: what a linear 8-bit result is.
void fl_write_linear8_16(
    const int16_t *red, const int16_t *green, const int16_t *blue, size_t count, uint8_t *output);

// ---- Signal values -------------------------------------------------------------------------------------------------

// Columns of a row of 4:2:2 as RGB of 8 bits: ITU-R BT.601, limited range, 8-bit arithmetic with 8 bits behind the point.
// Both pixels of a pair have its chroma; the first column may be the second of a pair.
void fl_rgb_of_422(const uint8_t *row, size_t first, size_t count, int isLumaFirst, uint8_t *output);

// ---- Sums of samples -----------------------------------------------------------------------------------------------

// Bytes that are taken at a time: samples are summed by their place in such a vector.
enum { fl_sum_vector = 32 };

// The same part of some rows, and what is done with it.
typedef struct {
    // From one row to the next, in bytes.
    ptrdiff_t row_step;
    size_t rows;
    // How many whole vectors of a row count, and from one to the next, in bytes; what lies between them does not count.
    size_t vectors;
    size_t vector_step;
    // How many bytes of one more vector count, 0 to 31: whole samples.
    size_t rest;
    // Sums: the code that is counted as saturated. Differences: how far the neighbour is, in bytes.
    size_t other;
    // Behind the last byte that may be read.
    const uint8_t *end;
    // Where the as many rows lie that come next, or NULL. Processors foresee only who reads row by row, so these are
    // fetched along the way, into the second-level cache.
    const uint8_t *ahead;
} fl_sum_rows;

// What samples add up to, by their place in the vector. All 0 at first.
typedef struct {
    // Samples of one byte, by the remainder of their place divided by 4. A place takes 2^24 vectors.
    uint32_t bytes[4][fl_sum_vector / 4];
    // Samples of two bytes and squared differences, of even [0] and of odd places [1].
    uint64_t words[2][fl_sum_vector / 4];
    // How many samples at even [0] and at odd places [1] are saturated, in eight parts.
    uint32_t hits[2][fl_sum_vector / 4];
    // All bits that short words had.
    uint16_t seen[fl_sum_vector / 2];
} fl_sums;

// Adds samples of one byte.
void fl_sum_bytes(const uint8_t *samples, const fl_sum_rows *rows, fl_sums *sums);
// Adds little-endian samples of two bytes.
void fl_sum_words(const uint8_t *samples, const fl_sum_rows *rows, fl_sums *sums);
// The same, quicker, for samples of up to 13 bits; `seen` tells whether there was another, and the sums are wrong then.
void fl_sum_short_words(const uint8_t *samples, const fl_sum_rows *rows, fl_sums *sums);
// Adds the squares of samples minus their neighbours, of one byte and of two. `rows` lie below `end` with neighbours.
void fl_sum_byte_differences(const uint8_t *samples, const fl_sum_rows *rows, fl_sums *sums);
void fl_sum_word_differences(const uint8_t *samples, const fl_sum_rows *rows, fl_sums *sums);

// The sum of the samples at a place and at each `step` places behind it.
static inline uint64_t fl_sum_of(const fl_sums *sums, size_t place, size_t step) {
    uint64_t sum = 0;
    for (size_t i = place; i < fl_sum_vector; i += step) sum += sums->bytes[i % 4][i / 4];
    for (size_t i = place; i < fl_sum_vector / 2; i += step) sum += sums->words[i % 2][i / 2];
    return sum;
}

// Sums put together.
typedef struct {
    // Samples at places whose remainder divided by 4 is the index; words lie in the first two, by their parity.
    uint64_t samples[4];
    // How many samples at even [0] and at odd places [1] are saturated.
    uint64_t hits[2];
    // All bits that any short word had.
    uint16_t seen;
} fl_sum_totals;

// Puts sums together and begins again at 0.
fl_sum_totals fl_take_sums(fl_sums *sums);
