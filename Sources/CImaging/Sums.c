#include <stdbool.h>
#include <string.h>

#include "CImaging.h"
#include "Machines.h"

// Sums over parts of rows. Vectors that lie below each other come first, eight rows at a time: a short part takes little
// longer than its share of a long one.

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are summed as they lie");

#define INLINED static inline __attribute__((always_inline))

typedef uint8_t octets __attribute__((vector_size(fl_sum_vector), aligned(1)));
typedef uint16_t words __attribute__((vector_size(fl_sum_vector), aligned(1)));
typedef uint32_t pairs __attribute__((vector_size(fl_sum_vector), aligned(1)));
typedef uint64_t quads_8 __attribute__((vector_size(2 * fl_sum_vector), aligned(1)));

enum kind { BYTES, WORDS, SHORT_WORDS, BYTE_DIFFERENCES, WORD_DIFFERENCES };

// Rows that are added at a time.
enum { AT_ONCE = 8 };

// Vectors until a lane may overflow. Bytes: 255 codes in 255 vectors stay below 2^16, 255 hits fit into a byte. Words:
// (2^16 - 1) * 2^14 < 2^32, 2^14 hits fit into a word. Squares: two halves of 16 bits in each vector and lane.
#define ROOM(kind) ((kind) == BYTES ? 255u : 1u << 14)

// Sums in the making, which stay in registers.
struct lanes {
    // Bytes: sums of words modulo 2^16, of which `odd` tells the even bytes. Words: sums of pairs modulo 2^32, of which
    // `odd` tells the even words. Differences of bytes: squares of even and of odd ones. Of words: low halves of both.
    pairs all, odd;
    // Differences of words: high halves of the squares.
    pairs high_all, high_odd;
    // A lane for each sample.
    words hits;
    // Short words: since the last eight vectors; of 13 bits, eight fit into their own lanes.
    words recent, seen;
};

// Adds one vector. What does not count is 0, in both.
INLINED void add(enum kind kind, struct lanes *l, const octets *samples, const octets *other) {
    if (kind == BYTES) {
        const words these = (words)*samples;
        l->all = (pairs)((words)l->all + these);
        l->odd = (pairs)((words)l->odd + (these >> 8));
        // A lane that equals is -1.
        l->hits = (words)((octets)l->hits - (octets)(*samples == *other));
    } else if (kind == WORDS) {
        l->all += (pairs)*samples;
        l->odd += (pairs)*samples >> 16;
        l->hits -= (words)((words)*samples == (words)*other);
    } else if (kind == SHORT_WORDS) {
        l->recent += (words)*samples;
        l->seen |= (words)*samples;
        l->hits -= (words)((words)*samples == (words)*other);
    } else if (kind == BYTE_DIFFERENCES) {
        const words low = (words){} + 0xFF;
        // Below 2^16 once squared, whatever the sign.
        const words even = ((words)*samples & low) - ((words)*other & low);
        const words odd = ((words)*samples >> 8) - ((words)*other >> 8);
        const pairs evens = (pairs)(even * even), odds = (pairs)(odd * odd);
        l->all += (evens & 0xFFFF) + (evens >> 16);
        l->odd += (odds & 0xFFFF) + (odds >> 16);
    } else {
        // Below 2^32 once squared, whatever the sign.
        const pairs even = ((pairs)*samples & 0xFFFF) - ((pairs)*other & 0xFFFF);
        const pairs odd = ((pairs)*samples >> 16) - ((pairs)*other >> 16);
        const pairs evens = even * even, odds = odd * odd;
        l->all += evens & 0xFFFF;
        l->odd += odds & 0xFFFF;
        l->high_all += evens >> 16;
        l->high_odd += odds >> 16;
    }
}

// After up to eight vectors.
INLINED void settle(enum kind kind, struct lanes *l) {
    if (kind != SHORT_WORDS) return;
    l->all += (pairs)l->recent;
    l->odd += (pairs)l->recent >> 16;
    l->recent = (words){};
}

// Carries lanes over and begins again at 0.
INLINED void carry(enum kind kind, struct lanes *l, fl_sums *sums) {
    pairs *hits = (pairs *)sums->hits;
    if (kind == BYTES) {
        const pairs even = (pairs)((words)l->all - ((words)l->odd << 8)), odd = l->odd;
        const words even_hits = l->hits & 0xFF, odd_hits = l->hits >> 8;
        pairs *quarters = (pairs *)sums->bytes;
        quarters[0] += even & 0xFFFF;
        quarters[1] += odd & 0xFFFF;
        quarters[2] += even >> 16;
        quarters[3] += odd >> 16;
        hits[0] += ((pairs)even_hits & 0xFFFF) + ((pairs)even_hits >> 16);
        hits[1] += ((pairs)odd_hits & 0xFFFF) + ((pairs)odd_hits >> 16);
    } else if (kind == WORDS || kind == SHORT_WORDS) {
        quads_8 *halves = (quads_8 *)sums->words;
        halves[0] += CONVERTED(l->all - (l->odd << 16), quads_8);
        halves[1] += CONVERTED(l->odd, quads_8);
        hits[0] += (pairs)l->hits & 0xFFFF;
        hits[1] += (pairs)l->hits >> 16;
        if (kind == SHORT_WORDS) *(words *)sums->seen |= l->seen;
    } else {
        quads_8 *halves = (quads_8 *)sums->words;
        halves[0] += CONVERTED(l->all, quads_8) + (CONVERTED(l->high_all, quads_8) << 16);
        halves[1] += CONVERTED(l->odd, quads_8) + (CONVERTED(l->high_odd, quads_8) << 16);
    }
    *l = (struct lanes){};
}

// As many bytes count as are behind the place before the middle.
static const uint8_t masks[2 * fl_sum_vector] = {[0 ... fl_sum_vector - 1] = 0xFF};

// A vector of which the mask's bytes count, and which may reach beyond what can be read.
INLINED void load(octets *vector, const uint8_t *place, const fl_sum_rows *rows, const octets *mask) {
    if (rows->end - place >= fl_sum_vector) {
        *vector = *(const octets *)place & *mask;
    } else {
        *vector = (octets){};
        memcpy(vector, place, rows->rest);
    }
}

// Adds the next one or eight rows.
INLINED void strip(
    enum kind kind, size_t height, const uint8_t *samples, const fl_sum_rows *rows, const uint8_t **ahead,
    struct lanes *l, size_t *room, fl_sums *sums
) {
    const bool compares = kind == BYTE_DIFFERENCES || kind == WORD_DIFFERENCES;
    const octets full =
        kind == BYTES ? (octets){} + (uint8_t)rows->other : (octets)((words){} + (uint16_t)rows->other);
    const size_t longest = ROOM(kind) / AT_ONCE - 1;
    const size_t last = rows->rest > 0;
    size_t left = rows->vectors;
    do {
        const size_t count = left < longest ? left : longest;
        left -= count;
        if (*room < height * (count + last)) {
            carry(kind, l, sums);
            *room = ROOM(kind);
        }
        *room -= height * (count + last);
        for (size_t i = 0; i < count; i++, samples += rows->vector_step) {
            if (height == AT_ONCE && *ahead) {
                // What the whole width of eight rows is to those, a vector of each is to this.
                for (size_t line = 0; line < AT_ONCE * fl_sum_vector; line += 64)
                    __builtin_prefetch(*ahead + line, 0, 2);
                *ahead += AT_ONCE * rows->vector_step;
            }
            for (size_t row = 0; row < height; row++) {
                const uint8_t *place = samples + (ptrdiff_t)row * rows->row_step;
                add(kind, l, (const octets *)place,
                    compares ? (const octets *)(place + rows->other) : &full);
            }
            settle(kind, l);
        }
    } while (left > 0);
    if (!last) return;
    const octets mask = *(const octets *)(masks + fl_sum_vector - rows->rest);
    for (size_t row = 0; row < height; row++, samples += rows->row_step) {
        octets here, there = full;
        load(&here, samples, rows, &mask);
        if (compares) load(&there, samples + rows->other, rows, &mask);
        add(kind, l, &here, &there);
    }
    settle(kind, l);
}

INLINED void sum(enum kind kind, const uint8_t *samples, const fl_sum_rows *rows, fl_sums *sums) {
    struct lanes l = {};
    size_t room = ROOM(kind);
    const uint8_t *ahead = rows->ahead;
    size_t row = 0;
    for (; row + AT_ONCE <= rows->rows; row += AT_ONCE, samples += AT_ONCE * rows->row_step)
        strip(kind, AT_ONCE, samples, rows, &ahead, &l, &room, sums);
    for (; row < rows->rows; row++, samples += rows->row_step)
        strip(kind, 1, samples, rows, &ahead, &l, &room, sums);
    carry(kind, &l, sums);
}

EVERY_MACHINE
void fl_sum_bytes(const uint8_t *samples, const fl_sum_rows *rows, fl_sums *sums) {
    sum(BYTES, samples, rows, sums);
}

EVERY_MACHINE
void fl_sum_words(const uint8_t *samples, const fl_sum_rows *rows, fl_sums *sums) {
    sum(WORDS, samples, rows, sums);
}

EVERY_MACHINE
void fl_sum_short_words(const uint8_t *samples, const fl_sum_rows *rows, fl_sums *sums) {
    sum(SHORT_WORDS, samples, rows, sums);
}

EVERY_MACHINE
void fl_sum_byte_differences(const uint8_t *samples, const fl_sum_rows *rows, fl_sums *sums) {
    sum(BYTE_DIFFERENCES, samples, rows, sums);
}

EVERY_MACHINE
void fl_sum_word_differences(const uint8_t *samples, const fl_sum_rows *rows, fl_sums *sums) {
    sum(WORD_DIFFERENCES, samples, rows, sums);
}

fl_sum_totals fl_take_sums(fl_sums *sums) {
    fl_sum_totals totals = {};
    for (size_t i = 0; i < fl_sum_vector / 4; i++) {
        for (size_t quarter = 0; quarter < 4; quarter++) totals.samples[quarter] += sums->bytes[quarter][i];
        for (size_t parity = 0; parity < 2; parity++) {
            totals.samples[parity] += sums->words[parity][i];
            totals.hits[parity] += sums->hits[parity][i];
        }
    }
    for (size_t i = 0; i < fl_sum_vector / 2; i++) totals.seen |= sums->seen[i];
    *sums = (fl_sums){};
    return totals;
}
