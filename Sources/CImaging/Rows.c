#include "CImaging.h"
#include "Machines.h"

// ---- Samples to lanes ----------------------------------------------------------------------------------------------

// One 16-bit lane; the vectors below compute the same.
static int16_t scaled_16(uint8_t sample, const fl_row_scale *scale, size_t column) {
    uint32_t above = sample > scale->black[column & 1] ? (uint32_t)sample - scale->black[column & 1] : 0;
    uint32_t product = (above << scale->up) * scale->factor[column & 1] >> 16;
    uint32_t lane = ((product >> (scale->down - 17)) + 1) >> 1;
    return (int16_t)(lane < fl_white_16 ? lane : fl_white_16);
}

EVERY_MACHINE
void fl_scale_row_16(const uint8_t *samples, size_t count, const fl_row_scale *scale, int16_t *lanes) {
    words_16 black, factor;
    for (int lane = 0; lane < LANES; lane++) {
        black[lane] = scale->black[lane & 1];
        factor[lane] = scale->factor[lane & 1];
    }
    const uint16_t down = scale->down - 17;
    const uint16_t up = scale->up;
    const words_16 white = (words_16){} + fl_white_16;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        const words_16 sample = CONVERTED(*(const bytes_16 *)(samples + i), words_16);
        const words_16 above = ((sample - black) & (words_16)(sample > black)) << up;
        const words_16 product =
            CONVERTED(CONVERTED(above, words_32) * CONVERTED(factor, words_32) >> 16, words_16);
        const words_16 lane = ((product >> down) + 1) >> 1;
        const words_16 in = (words_16)(lane < white);
        *(words_16 *)(lanes + i) = (lane & in) | (white & ~in);
    }
    for (; i < count; i++) lanes[i] = scaled_16(samples[i], scale, i);
}

static int32_t scaled_32(uint32_t sample, const fl_row_scale *scale, size_t column) {
    uint32_t above = sample > scale->black[column & 1] ? sample - scale->black[column & 1] : 0;
    uint32_t product = (above << scale->up) * scale->factor[column & 1];
    uint32_t lane = ((product >> (scale->down - 1)) + 1) >> 1;
    return (int32_t)(lane < fl_white_32 ? lane : fl_white_32);
}

ROW_LOOP
void fl_scale_row_32(const uint8_t *samples, size_t count, const fl_row_scale *scale, int32_t *lanes) {
    for (size_t i = 0; i < count; i++) lanes[i] = scaled_32(samples[i], scale, i);
}

EVERY_MACHINE
void fl_scale_row_wide_32(const uint8_t *samples, size_t count, const fl_row_scale *scale, int32_t *lanes) {
    words_32 black, factor;
    for (int lane = 0; lane < LANES; lane++) {
        black[lane] = scale->black[lane & 1];
        factor[lane] = scale->factor[lane & 1];
    }
    const uint32_t down = scale->down - 1;
    const uint32_t up = scale->up;
    const words_32 white = (words_32){} + fl_white_32;
    size_t i = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (; i + LANES <= count; i += LANES) {
        const words_32 sample = CONVERTED(*(const words_16 *)(samples + 2 * i), words_32);
        const words_32 above = ((sample - black) & (words_32)(sample > black)) << up;
        const words_32 lane = ((above * factor >> down) + 1) >> 1;
        const words_32 in = (words_32)(lane < white);
        *(words_32 *)(lanes + i) = (lane & in) | (white & ~in);
    }
#endif
    for (; i < count; i++) {
        lanes[i] = scaled_32(samples[2 * i] | (uint32_t)samples[2 * i + 1] << 8, scale, i);
    }
}

// ---- Colours -------------------------------------------------------------------------------------------------------

// Sixteen times a difference of 16-bit lanes still fits; the high half of its product with 1/8192 is then in halves.
#define HALVES(difference, element) \
    CONVERTED(CONVERTED((difference) << 4, lanes_32) * (element) >> 16, lanes_16)
// Within 0 and full scale.
#define LIMITED(v, white) (((v) & ((v) > 0) & ((v) < (white))) | ((white) & ((v) >= (white))))

EVERY_MACHINE
void fl_mix_row_16(int16_t *red, int16_t *green, int16_t *blue, size_t count, const int16_t matrix[6]) {
    const lanes_16 white = (lanes_16){} + fl_white_16;
    int32_t m[6];
    for (int index = 0; index < 6; index++) m[index] = matrix[index];
    for (size_t i = 0; i < count; i += LANES) {
        const lanes_16 r = *(lanes_16 *)(red + i);
        const lanes_16 g = *(lanes_16 *)(green + i);
        const lanes_16 b = *(lanes_16 *)(blue + i);
        const lanes_16 x = r + ((HALVES(g - r, m[0]) + HALVES(b - r, m[1]) + 1) >> 1);
        const lanes_16 y = g + ((HALVES(r - g, m[2]) + HALVES(b - g, m[3]) + 1) >> 1);
        const lanes_16 z = b + ((HALVES(r - b, m[4]) + HALVES(g - b, m[5]) + 1) >> 1);
        *(lanes_16 *)(red + i) = LIMITED(x, white);
        *(lanes_16 *)(green + i) = LIMITED(y, white);
        *(lanes_16 *)(blue + i) = LIMITED(z, white);
    }
}

EVERY_MACHINE
void fl_mix_row_32(int32_t *red, int32_t *green, int32_t *blue, size_t count, const int16_t matrix[6]) {
    const lanes_32 white = (lanes_32){} + fl_white_32;
    int32_t m[6];
    for (int index = 0; index < 6; index++) m[index] = matrix[index];
    for (size_t i = 0; i < count; i += LANES) {
        const lanes_32 r = *(lanes_32 *)(red + i);
        const lanes_32 g = *(lanes_32 *)(green + i);
        const lanes_32 b = *(lanes_32 *)(blue + i);
        // Two products of 15 bits each and their rounding fit into 32 bits.
        const lanes_32 x = r + (((g - r) * m[0] + (b - r) * m[1] + 4096) >> 13);
        const lanes_32 y = g + (((r - g) * m[2] + (b - g) * m[3] + 4096) >> 13);
        const lanes_32 z = b + (((r - b) * m[4] + (g - b) * m[5] + 4096) >> 13);
        *(lanes_32 *)(red + i) = LIMITED(x, white);
        *(lanes_32 *)(green + i) = LIMITED(y, white);
        *(lanes_32 *)(blue + i) = LIMITED(z, white);
    }
}

// ---- Lanes to results ----------------------------------------------------------------------------------------------

ROW_LOOP
void fl_write_rgb8_16(
    const int16_t *red, const int16_t *green, const int16_t *blue, size_t count, const uint8_t *restrict table, uint8_t *restrict output) {
    for (size_t i = 0; i < count; i++) {
        output[3 * i] = table[red[i]];
        output[3 * i + 1] = table[green[i]];
        output[3 * i + 2] = table[blue[i]];
    }
}

ROW_LOOP
void fl_write_rgb8_32(
    const int32_t *red, const int32_t *green, const int32_t *blue, size_t count, const uint8_t *restrict table, uint8_t *restrict output) {
    for (size_t i = 0; i < count; i++) {
        output[3 * i] = table[(red[i] + 4) >> 3];
        output[3 * i + 1] = table[(green[i] + 4) >> 3];
        output[3 * i + 2] = table[(blue[i] + 4) >> 3];
    }
}

static void put_16(uint8_t *output, uint16_t value) {
    output[0] = (uint8_t)value;
    output[1] = (uint8_t)(value >> 8);
}

ROW_LOOP
void fl_write_rgb16_32(
    const int32_t *red, const int32_t *green, const int32_t *blue, size_t count, const uint16_t *table, uint8_t *output) {
    for (size_t i = 0; i < count; i++) {
        put_16(output + 6 * i, table[red[i]]);
        put_16(output + 6 * i + 2, table[green[i]]);
        put_16(output + 6 * i + 4, table[blue[i]]);
    }
}

ROW_LOOP
void fl_write_grey8_16(const int16_t *lanes, size_t count, const uint8_t *restrict table, uint8_t *restrict output) {
    for (size_t i = 0; i < count; i++) output[i] = table[lanes[i]];
}

ROW_LOOP
void fl_write_grey8_32(const int32_t *lanes, size_t count, const uint8_t *restrict table, uint8_t *restrict output) {
    for (size_t i = 0; i < count; i++) output[i] = table[(lanes[i] + 4) >> 3];
}

ROW_LOOP
void fl_write_grey16_32(const int32_t *lanes, size_t count, const uint16_t *table, uint8_t *output) {
    for (size_t i = 0; i < count; i++) put_16(output + 2 * i, table[lanes[i]]);
}

// Writes 16 pixels one after the other; red and green first, places for blue left open, then blue goes into them.
static inline void put_rgb(uint8_t *output, bytes_16 r, bytes_16 g, bytes_16 b) {
    const bytes_16 a0 = __builtin_shufflevector(r, g, 0, 16, -1, 1, 17, -1, 2, 18, -1, 3, 19, -1, 4, 20, -1, 5);
    const bytes_16 a1 = __builtin_shufflevector(r, g, 21, -1, 6, 22, -1, 7, 23, -1, 8, 24, -1, 9, 25, -1, 10, 26);
    const bytes_16 a2 = __builtin_shufflevector(r, g, -1, 11, 27, -1, 12, 28, -1, 13, 29, -1, 14, 30, -1, 15, 31, -1);
    bytes_16 *out = (bytes_16 *)output;
    out[0] = __builtin_shufflevector(a0, b, 0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15);
    out[1] = __builtin_shufflevector(a1, b, 0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15);
    out[2] = __builtin_shufflevector(a2, b, 26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31);
}

#define EIGHTHS(pointer) CONVERTED(*(const lanes_16 *)(pointer) >> 3, bytes_16)

EVERY_MACHINE
void fl_write_linear8_16(
    const int16_t *red, const int16_t *green, const int16_t *blue, size_t count, uint8_t *output) {
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        put_rgb(output + 3 * i, EIGHTHS(red + i), EIGHTHS(green + i), EIGHTHS(blue + i));
    }
    for (; i < count; i++) {
        output[3 * i] = (uint8_t)(red[i] >> 3);
        output[3 * i + 1] = (uint8_t)(green[i] >> 3);
        output[3 * i + 2] = (uint8_t)(blue[i] >> 3);
    }
}

// ---- Signal values -------------------------------------------------------------------------------------------------

static uint8_t limited_8(int32_t value) { return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value); }

// One pixel of 4:2:2; the vectors below compute the same.
static void put_422(const uint8_t *row, size_t column, size_t luma, uint8_t *output) {
    const uint8_t *pair = row + (column & ~(size_t)1) * 2;
    const int32_t y = 298 * (row[column * 2 + luma] - 16) + 128;
    const int32_t u = pair[1 - luma] - 128, v = pair[3 - luma] - 128;
    output[0] = limited_8((y + 409 * v) >> 8);
    output[1] = limited_8((y - 100 * u - 208 * v) >> 8);
    output[2] = limited_8((y + 516 * u) >> 8);
}

#define EVERY_SECOND(a, b, first)                                                                                       \
    __builtin_shufflevector(                                                                                            \
        a, b, first, first + 2, first + 4, first + 6, first + 8, first + 10, first + 12, first + 14, first + 16,        \
        first + 18, first + 20, first + 22, first + 24, first + 26, first + 28, first + 30)
#define TWICE_EVERY_SECOND(v, first)                                                                                    \
    __builtin_shufflevector(                                                                                            \
        v, v, first, first, first + 2, first + 2, first + 4, first + 4, first + 6, first + 6, first + 8, first + 8,     \
        first + 10, first + 10, first + 12, first + 12, first + 14, first + 14)
#define LIMITED_8(v) CONVERTED(LIMITED((v) >> 8, (lanes_32){} + 255), bytes_16)

EVERY_MACHINE
void fl_rgb_of_422(const uint8_t *row, size_t first, size_t count, int isLumaFirst, uint8_t *output) {
    const size_t luma = isLumaFirst ? 0 : 1, end = first + count;
    size_t i = first;
    if (i < end && i % 2 == 1) put_422(row, i++, luma, output);
    for (; i + LANES <= end; i += LANES) {
        const bytes_16 a = *(const bytes_16 *)(row + 2 * i), b = *(const bytes_16 *)(row + 2 * i + LANES);
        const bytes_16 even = EVERY_SECOND(a, b, 0), odd = EVERY_SECOND(a, b, 1);
        const bytes_16 chroma = isLumaFirst ? odd : even;
        const lanes_32 y = (CONVERTED(isLumaFirst ? even : odd, lanes_32) - 16) * 298 + 128;
        const lanes_32 u = CONVERTED(TWICE_EVERY_SECOND(chroma, 0), lanes_32) - 128;
        const lanes_32 v = CONVERTED(TWICE_EVERY_SECOND(chroma, 1), lanes_32) - 128;
        put_rgb(
            output + 3 * (i - first), LIMITED_8(y + 409 * v), LIMITED_8(y - 100 * u - 208 * v), LIMITED_8(y + 516 * u));
    }
    for (; i < end; i++) put_422(row, i, luma, output + 3 * (i - first));
}
