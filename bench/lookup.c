/* The loop of croupier/hands/kernels.py over the same tables, in C, as a reference for the kernel.
 *
 * A hand is the sum of one word per card. The low bits of the sum encode its ranks; the top bit of the
 * counter of a suit marks a long suit, whose ranks are then looked up as well.
 * The constants are those of croupier/hands/lookup_tables.py, passed by the benchmark with -D.
 */
#include <stdint.h>

#define KEYS ((UINT64_C(1) << KEY_BITS) - 1)
#define LONG_UP_TO(suit) (LONG_SUIT & ((UINT64_C(1) << (KEY_BITS + COUNTER_BITS * ((suit) + 1))) - 1))

/* Inlined with a constant number of cards, so that the compiler unrolls the loops over the places. */
static inline __attribute__((always_inline)) void evaluate(
    const uint64_t cards, int64_t hands, const uint8_t *restrict hand, const uint64_t *restrict words,
    const int16_t *restrict by_ranks, const int16_t *restrict by_suit, int16_t *restrict strengths)
{
    for (int64_t row = 0; row < hands; row++, hand += cards) {
        uint64_t total = 0;
        for (uint64_t place = 0; place < cards; place++)
            total += words[place * 52 + hand[place]];
        int16_t strength = by_ranks[total & KEYS];
        if (total & LONG_SUIT) {
            uint64_t suit = total & LONG_UP_TO(0) ? 0 : total & LONG_UP_TO(1) ? 1 : total & LONG_UP_TO(2) ? 2 : 3;
            uint64_t set = 0;
            for (uint64_t place = 0; place < cards; place++)
                set |= UINT64_C(1) << hand[place];
            uint64_t ranks = set >> (13 * suit) & 8191;
            int16_t suited = by_suit[suit * 8192 + ranks];
            strength = (suited > strength ? suited : strength) & (DECISIVE - 1);
        }
        strengths[row] = strength;
    }
}

#define EVALUATE(cards)                                                                                       \
    void evaluate_##cards(int64_t hands, const uint8_t *hand, const uint64_t *words, const int16_t *by_ranks, \
                          const int16_t *by_suit, int16_t *strengths)                                         \
    {                                                                                                         \
        evaluate(cards, hands, hand, words, by_ranks, by_suit, strengths);                                    \
    }

EVALUATE(5)
EVALUATE(6)
