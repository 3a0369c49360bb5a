/* The sweeps of croupier/analysis/counting/sweep.py over the same arrays, in C, as a reference for the kernels.
 *
 * In descending order of strength, players read the counters of the subsets of their cards, then dealer hands
 * increment the counters of theirs. A hand is four sets of ranks, one per suit; the sum of the keys of the four
 * sets identifies a subset, and a displacement gives it a unique slot; subsets of five cards have a separate table.
 * Counters hold 24 times a number of hands. The constants of sweep.py are passed with -D.
 */
#include <stdint.h>
#include <stdlib.h>

#define SMALL(key) ((uint32_t)(((key) >> SLOT_SHIFT) + hash.small[(key) >> SMALL_BUCKET_SHIFT]) & SMALL_SLOT_MASK)
#define FIVE(key) ((uint32_t)(((key) >> SLOT_SHIFT) + hash.five[(key) >> FIVE_BUCKET_SHIFT]) & FIVE_SLOT_MASK)
#define CARDS(set) ((uint32_t)__builtin_popcount(set))
#define EACH_SUBSET(s, m) for (uint32_t s = (m), more_##s = 1; more_##s; more_##s = s != 0, s = (s - 1) & (m))

typedef struct {
    const uint16_t *masks;
    const uint8_t *sizes;
    const int64_t *starts;
} Hands;

typedef struct {
    const uint64_t *restrict keys;
    const uint8_t *restrict small, *restrict small_multipliers, *restrict five, *restrict five_multipliers;
} Hash;

/* Adds a class of dealer hands to the counters of its subsets; the longest suit is innermost. */
static inline void add(const uint16_t *mask, int32_t size, int32_t *restrict counters, int32_t *restrict fives, Hash hash)
{
    uint32_t m0 = mask[0], m1 = mask[1], m2 = mask[2], m3 = mask[3];
    EACH_SUBSET(s3, m3) {
        uint64_t k3 = hash.keys[s3];
        EACH_SUBSET(s2, m2) {
            uint64_t k2 = k3 + hash.keys[s2];
            EACH_SUBSET(s1, m1) {
                uint64_t k1 = k2 + hash.keys[s1];
                uint32_t cards = CARDS(s3) + CARDS(s2) + CARDS(s1);
                EACH_SUBSET(s0, m0) {
                    if (cards + CARDS(s0) > 4)
                        continue;
                    uint64_t key = k1 + hash.keys[s0];
                    uint32_t slot = SMALL(key);
                    counters[slot] += size * hash.small_multipliers[slot];
                }
            }
        }
    }
    uint64_t every = hash.keys[m0] + hash.keys[m1] + hash.keys[m2] + hash.keys[m3];
    for (int suit = 0; suit < 4; suit++) {
        uint64_t others = every - hash.keys[mask[suit]];
        for (uint32_t left = mask[suit]; left; left &= left - 1) {
            uint64_t key = others + hash.keys[mask[suit] ^ (left & -left)];
            uint32_t slot = FIVE(key);
            fives[slot] += size * hash.five_multipliers[slot];
        }
    }
}

/* 24 times the number of counted dealer hands without any of the player's cards. */
static inline int64_t avoiding(const uint16_t *mask, const int32_t *restrict counters, const int32_t *restrict fives,
                               Hash hash)
{
    uint32_t m0 = mask[0], m1 = mask[1], m2 = mask[2], m3 = mask[3];
    uint64_t every = hash.keys[m0] + hash.keys[m1] + hash.keys[m2] + hash.keys[m3];
    int64_t total = -(int64_t)fives[FIVE(every)];
    EACH_SUBSET(s3, m3) {
        uint64_t k3 = hash.keys[s3];
        EACH_SUBSET(s2, m2) {
            uint64_t k2 = k3 + hash.keys[s2];
            EACH_SUBSET(s1, m1) {
                uint64_t k1 = k2 + hash.keys[s1];
                EACH_SUBSET(s0, m0) {
                    if (s0 == m0 && s1 == m1 && s2 == m2 && s3 == m3)
                        continue;
                    uint64_t key = k1 + hash.keys[s0];
                    int64_t value = counters[SMALL(key)];
                    total += CARDS(s0 ^ s1 ^ s2 ^ s3) & 1 ? -value : value;
                }
            }
        }
    }
    return total;
}

void sweep_hidden(int64_t strengths, Hands *players, Hands *dealers, Hash *hash_arrays, int64_t *beaten, int64_t *tied)
{
    Hash hash = *hash_arrays;
    int32_t *counters = calloc(SMALL_SLOT_MASK + 1, sizeof *counters);
    int32_t *fives = calloc(FIVE_SLOT_MASK + 1, sizeof *fives);
    for (int64_t strength = strengths - 1; strength >= 0; strength--) {
        int64_t first = players->starts[strength], stop = players->starts[strength + 1];
        for (int64_t row = first; row < stop; row++)
            beaten[row] = avoiding(players->masks + 4 * row, counters, fives, hash) / 24;
        for (int64_t row = dealers->starts[strength]; row < dealers->starts[strength + 1]; row++)
            add(dealers->masks + 4 * row, dealers->sizes[row], counters, fives, hash);
        for (int64_t row = first; row < stop; row++)
            tied[row] = avoiding(players->masks + 4 * row, counters, fives, hash) / 24 - beaten[row];
    }
    free(counters);
    free(fives);
}

/* For each rank of the last suit that the player lacks: 24 times the number of dealer hands with that card.
 * Covers all proper subsets of the player's cards; the caller subtracts the hand of all of them and that card. */
static inline void with_upcards(uint32_t m0, uint32_t m1, uint32_t m2, uint32_t m3, const int32_t *restrict counters,
                          const int32_t *restrict fives, Hash hash, int64_t *restrict sums)
{
    uint32_t ranks[13], count = 0;
    int32_t totals[13] = {0};
    for (uint32_t rank = 0; rank < 13; rank++)
        if (!(m3 >> rank & 1))
            ranks[count++] = rank;
    EACH_SUBSET(s3, m3) {
        uint64_t extended[13];
        for (uint32_t place = 0; place < count; place++)
            extended[place] = hash.keys[s3 | 1u << ranks[place]];
        EACH_SUBSET(s0, m0) {
            uint64_t k0 = hash.keys[s0];
            EACH_SUBSET(s1, m1) {
                uint64_t k1 = k0 + hash.keys[s1];
                EACH_SUBSET(s2, m2) {
                    uint64_t k2 = k1 + hash.keys[s2];
                    uint32_t cards = CARDS(s0) + CARDS(s1) + CARDS(s2) + CARDS(s3);
                    if (cards == 5)
                        continue;
                    if (cards == 4)
                        for (uint32_t place = 0; place < count; place++)
                            totals[place] += fives[FIVE(k2 + extended[place])];
                    else if (cards & 1)
                        for (uint32_t place = 0; place < count; place++)
                            totals[place] -= counters[SMALL(k2 + extended[place])];
                    else
                        for (uint32_t place = 0; place < count; place++)
                            totals[place] += counters[SMALL(k2 + extended[place])];
                }
            }
        }
    }
    for (uint32_t place = 0; place < count; place++)
        sums[ranks[place]] = totals[place];
}

void sweep_upcard(int64_t strengths, Hands *players, Hands *dealers, Hash *hash_arrays, const int64_t *rank_keys,
                  const int16_t *by_ranks, const int16_t *by_suit, const uint8_t *lengths, int64_t long_suit,
                  int32_t *beaten)
{
    Hash hash = *hash_arrays;
    int32_t *counters = calloc(SMALL_SLOT_MASK + 1, sizeof *counters);
    int32_t *fives = calloc(FIVE_SLOT_MASK + 1, sizeof *fives);
    int64_t sums[13];
    for (int64_t strength = strengths - 1; strength >= 0; strength--) {
        for (int64_t row = players->starts[strength]; row < players->starts[strength + 1]; row++) {
            const uint16_t *mask = players->masks + 4 * row;
            int32_t *out = beaten + 52 * row;
            int64_t key = 0;
            for (int suit = 0; suit < 4; suit++)
                for (uint32_t left = mask[suit]; left; left &= left - 1)
                    key += rank_keys[__builtin_ctz(left)];
            for (int suit = 0; suit < 4; suit++) {
                if (suit && mask[suit] == mask[suit - 1]) {
                    for (int rank = 0; rank < 13; rank++)
                        out[suit * 13 + rank] = out[suit * 13 - 13 + rank];
                    continue;
                }
                uint32_t others[4] = {mask[0], mask[1], mask[2], mask[3]};
                others[suit] = mask[3];
                with_upcards(others[0], others[1], others[2], mask[suit], counters, fives, hash, sums);
                for (int rank = 0; rank < 13; rank++) {
                    if (mask[suit] >> rank & 1)
                        continue;
                    int best = by_ranks[key + rank_keys[rank]];
                    for (int other = 0; other < 4; other++) {
                        uint32_t set = other == suit ? mask[other] | 1u << rank : mask[other];
                        if (lengths[set] >= long_suit && (by_suit[set] & 16383) > best)
                            best = by_suit[set] & 16383;
                    }
                    out[suit * 13 + rank] = (int32_t)((sums[rank] - (best > strength ? 24 : 0)) / 24);
                }
            }
        }
        for (int64_t row = dealers->starts[strength]; row < dealers->starts[strength + 1]; row++)
            add(dealers->masks + 4 * row, dealers->sizes[row], counters, fives, hash);
    }
    free(counters);
    free(fives);
}
