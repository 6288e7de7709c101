#include "CStorage.h"

#include <pthread.h>
#include <string.h>

// The reflected Castagnoli polynomial.
#define POLYNOMIAL 0x82F63B78u

// The instructions take one word each cycle but answer after three, so three stretches are worked on side by side and
// joined afterwards: advancing a CRC over n bytes is a linear map, kept as four tables of 256 words for two sizes of n.
// Sizes: long enough that joining is cheap, short enough that three stretches stay in the first-level cache.
#define LONG_STRETCH 8192
#define SHORT_STRETCH 256

typedef uint32_t Advance[4][256];

static uint32_t byte_tables[8][256];
static Advance advance_long, advance_short;
static bool accelerated;
static pthread_once_t prepared = PTHREAD_ONCE_INIT;

static uint32_t load_word32(const unsigned char *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16
        | (uint32_t)bytes[3] << 24;
}

// The remainder of `remainder` followed by one zero byte.
static uint32_t advance_one(uint32_t remainder) {
    return byte_tables[0][remainder & 0xFF] ^ (remainder >> 8);
}

static void prepare_advance(Advance table, size_t count) {
    // The image of each single bit; any other value is a sum of those.
    uint32_t images[32];
    for (int bit = 0; bit < 32; bit++) {
        uint32_t value = 1u << bit;
        for (size_t i = 0; i < count; i++) value = advance_one(value);
        images[bit] = value;
    }
    for (int part = 0; part < 4; part++) {
        for (int value = 0; value < 256; value++) {
            uint32_t sum = 0;
            for (int bit = 0; bit < 8; bit++) {
                if (value >> bit & 1) sum ^= images[part * 8 + bit];
            }
            table[part][value] = sum;
        }
    }
}

static uint32_t advance(const Advance table, uint32_t crc) {
    return table[0][crc & 0xFF] ^ table[1][crc >> 8 & 0xFF] ^ table[2][crc >> 16 & 0xFF]
        ^ table[3][crc >> 24];
}

static uint32_t portable(uint32_t crc, const unsigned char *next, size_t count) {
    while (count >= 8) {
        uint32_t low = crc ^ load_word32(next), high = load_word32(next + 4);
        crc = byte_tables[7][low & 0xFF] ^ byte_tables[6][low >> 8 & 0xFF]
            ^ byte_tables[5][low >> 16 & 0xFF] ^ byte_tables[4][low >> 24]
            ^ byte_tables[3][high & 0xFF] ^ byte_tables[2][high >> 8 & 0xFF]
            ^ byte_tables[1][high >> 16 & 0xFF] ^ byte_tables[0][high >> 24];
        next += 8;
        count -= 8;
    }
    while (count-- > 0) crc = byte_tables[0][(crc ^ *next++) & 0xFF] ^ (crc >> 8);
    return crc;
}

#if defined(__x86_64__)
#include <nmmintrin.h>
#define ACCELERATED __attribute__((target("sse4.2")))
#define CRC_WORD(crc, word) ((uint32_t)_mm_crc32_u64((crc), (word)))
#define CRC_BYTE(crc, byte) _mm_crc32_u8((crc), (byte))
static bool has_instructions(void) { return __builtin_cpu_supports("sse4.2"); }
#elif defined(__aarch64__) && defined(__linux__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#include <arm_acle.h>
#include <sys/auxv.h>
#define ACCELERATED __attribute__((target("crc")))
#define CRC_WORD(crc, word) __crc32cd((crc), (word))
#define CRC_BYTE(crc, byte) __crc32cb((crc), (byte))
// HWCAP_CRC32 of asm/hwcap.h.
static bool has_instructions(void) { return (getauxval(AT_HWCAP) >> 7 & 1) != 0; }
#endif

#if defined(ACCELERATED)
static inline uint64_t load_word64(const unsigned char *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

ACCELERATED static const unsigned char *
three_stretches(uint32_t *crc, const unsigned char *next, size_t size, const Advance table) {
    uint32_t first = *crc, second = 0, third = 0;
    for (size_t i = 0; i < size; i += 8) {
        first = CRC_WORD(first, load_word64(next + i));
        second = CRC_WORD(second, load_word64(next + size + i));
        third = CRC_WORD(third, load_word64(next + 2 * size + i));
    }
    *crc = advance(table, advance(table, first) ^ second) ^ third;
    return next + 3 * size;
}

ACCELERATED static uint32_t instructed(uint32_t crc, const unsigned char *next, size_t count) {
    for (; count >= 3 * LONG_STRETCH; count -= 3 * LONG_STRETCH) {
        next = three_stretches(&crc, next, LONG_STRETCH, advance_long);
    }
    for (; count >= 3 * SHORT_STRETCH; count -= 3 * SHORT_STRETCH) {
        next = three_stretches(&crc, next, SHORT_STRETCH, advance_short);
    }
    for (; count >= 8; count -= 8, next += 8) crc = CRC_WORD(crc, load_word64(next));
    while (count-- > 0) crc = CRC_BYTE(crc, *next++);
    return crc;
}
#else
static bool has_instructions(void) { return false; }
static uint32_t instructed(uint32_t crc, const unsigned char *next, size_t count) {
    return portable(crc, next, count);
}
#endif

static void prepare(void) {
    for (uint32_t value = 0; value < 256; value++) {
        uint32_t remainder = value;
        for (int bit = 0; bit < 8; bit++) {
            remainder = remainder >> 1 ^ (remainder & 1 ? POLYNOMIAL : 0);
        }
        byte_tables[0][value] = remainder;
    }
    for (int table = 1; table < 8; table++) {
        for (int value = 0; value < 256; value++) {
            byte_tables[table][value] = advance_one(byte_tables[table - 1][value]);
        }
    }
    accelerated = has_instructions();
    if (!accelerated) return;
    prepare_advance(advance_long, LONG_STRETCH);
    prepare_advance(advance_short, SHORT_STRETCH);
}

uint32_t fl_crc32c(uint32_t crc, const void *bytes, size_t count) {
    pthread_once(&prepared, prepare);
    return ~(accelerated ? instructed(~crc, bytes, count) : portable(~crc, bytes, count));
}

uint32_t fl_crc32c_portable(uint32_t crc, const void *bytes, size_t count) {
    pthread_once(&prepared, prepare);
    return ~portable(~crc, bytes, count);
}

bool fl_crc32c_is_accelerated(void) {
    pthread_once(&prepared, prepare);
    return accelerated;
}
