#include "CStorage.h"

#include <pthread.h>

// FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotated(uint32_t word, int count) {
    return word >> count | word << (32 - count);
}

static void portable(uint32_t state[8], const unsigned char *next, size_t blocks) {
    for (; blocks > 0; blocks--, next += 64) {
        uint32_t schedule[64];
        for (int i = 0; i < 16; i++) {
            schedule[i] = (uint32_t)next[4 * i] << 24 | (uint32_t)next[4 * i + 1] << 16
                | (uint32_t)next[4 * i + 2] << 8 | (uint32_t)next[4 * i + 3];
        }
        for (int i = 16; i < 64; i++) {
            uint32_t early = schedule[i - 15], late = schedule[i - 2];
            schedule[i] = schedule[i - 16] + schedule[i - 7]
                + (rotated(early, 7) ^ rotated(early, 18) ^ early >> 3)
                + (rotated(late, 17) ^ rotated(late, 19) ^ late >> 10);
        }
        uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
        uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
        for (int i = 0; i < 64; i++) {
            uint32_t first = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25))
                + ((e & f) ^ (~e & g)) + constants[i] + schedule[i];
            uint32_t second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22))
                + ((a & b) ^ (a & c) ^ (b & c));
            h = g, g = f, f = e, e = d + first;
            d = c, c = b, b = a, a = first + second;
        }
        state[0] += a, state[1] += b, state[2] += c, state[3] += d;
        state[4] += e, state[5] += f, state[6] += g, state[7] += h;
    }
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

// CPUID leaf 7, subleaf 0: bit 29 of EBX is SHA. The shuffles are of SSSE3 and SSE4.1, which all such processors have.
static bool has_instructions(void) {
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 29 & 1) != 0
        && __builtin_cpu_supports("sse4.1");
}

// The instructions keep the state as the words A B E F and C D G H, the highest first.
__attribute__((target("sha,sse4.1"))) static void
instructed(uint32_t state[8], const unsigned char *next, size_t blocks) {
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i abef = _mm_set_epi32(
        (int)state[0], (int)state[1], (int)state[4], (int)state[5]);
    __m128i cdgh = _mm_set_epi32(
        (int)state[2], (int)state[3], (int)state[6], (int)state[7]);
    for (; blocks > 0; blocks--, next += 64) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i words[4];
#pragma unroll
        for (int four = 0; four < 16; four++) {
            __m128i *now = &words[four % 4];
            if (four < 4) {
                *now = _mm_shuffle_epi8(
                    _mm_loadu_si128((const __m128i *)(next + 16 * four)), big_endian);
            } else {
                const __m128i last = words[(four + 3) % 4];
                *now = _mm_sha256msg2_epu32(
                    _mm_add_epi32(
                        _mm_sha256msg1_epu32(*now, words[(four + 1) % 4]),
                        _mm_alignr_epi8(last, words[(four + 2) % 4], 4)),
                    last);
            }
            __m128i round = _mm_add_epi32(
                *now, _mm_loadu_si128((const __m128i *)(constants + 4 * four)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, round);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(round, 0x0e));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    state[0] = (uint32_t)_mm_extract_epi32(abef, 3);
    state[1] = (uint32_t)_mm_extract_epi32(abef, 2);
    state[2] = (uint32_t)_mm_extract_epi32(cdgh, 3);
    state[3] = (uint32_t)_mm_extract_epi32(cdgh, 2);
    state[4] = (uint32_t)_mm_extract_epi32(abef, 1);
    state[5] = (uint32_t)_mm_extract_epi32(abef, 0);
    state[6] = (uint32_t)_mm_extract_epi32(cdgh, 1);
    state[7] = (uint32_t)_mm_extract_epi32(cdgh, 0);
}
#elif defined(__aarch64__) && defined(__linux__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#include <arm_neon.h>
#include <sys/auxv.h>

// HWCAP_SHA2 of asm/hwcap.h. A Raspberry Pi 5 has it, a Raspberry Pi 4 has not.
static bool has_instructions(void) { return (getauxval(AT_HWCAP) >> 6 & 1) != 0; }

__attribute__((target("sha2"))) static void
instructed(uint32_t state[8], const unsigned char *next, size_t blocks) {
    uint32x4_t abcd = vld1q_u32(state), efgh = vld1q_u32(state + 4);
    for (; blocks > 0; blocks--, next += 64) {
        const uint32x4_t abcd_before = abcd, efgh_before = efgh;
        uint32x4_t words[4];
#pragma unroll
        for (int four = 0; four < 16; four++) {
            uint32x4_t *now = &words[four % 4];
            if (four < 4) {
                *now = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(next + 16 * four)));
            } else {
                *now = vsha256su1q_u32(
                    vsha256su0q_u32(*now, words[(four + 1) % 4]), words[(four + 2) % 4],
                    words[(four + 3) % 4]);
            }
            const uint32x4_t round = vaddq_u32(*now, vld1q_u32(constants + 4 * four));
            const uint32x4_t abcd_now = abcd;
            abcd = vsha256hq_u32(abcd, efgh, round);
            efgh = vsha256h2q_u32(efgh, abcd_now, round);
        }
        abcd = vaddq_u32(abcd, abcd_before);
        efgh = vaddq_u32(efgh, efgh_before);
    }
    vst1q_u32(state, abcd);
    vst1q_u32(state + 4, efgh);
}
#else
static bool has_instructions(void) { return false; }
static void instructed(uint32_t state[8], const unsigned char *next, size_t blocks) {
    portable(state, next, blocks);
}
#endif

static bool accelerated;
static pthread_once_t prepared = PTHREAD_ONCE_INIT;

static void prepare(void) { accelerated = has_instructions(); }

void fl_sha256(uint32_t state[8], const void *bytes, size_t blocks) {
    pthread_once(&prepared, prepare);
    if (accelerated) {
        instructed(state, bytes, blocks);
    } else {
        portable(state, bytes, blocks);
    }
}

void fl_sha256_portable(uint32_t state[8], const void *bytes, size_t blocks) {
    portable(state, bytes, blocks);
}

bool fl_sha256_is_accelerated(void) {
    pthread_once(&prepared, prepare);
    return accelerated;
}
