/* The sweeps of croupier/maths/sweep.py over the same arrays, in C: what the kernels are held against.
 *
 * Going down the strengths, players read the counters of the subsets of their cards, then dealer hands add
 * themselves to the counters of theirs. A hand is four sets of ranks, one a suit; the sum of the keys of the
 * four sets names a subset, and a displacement gives it a slot of its own. Counters hold 24 times a number
 * of hands. The constants are those of sweep.py, passed by the benchmark with -D.
 */
#include <stdint.h>
#include <stdlib.h>

#define SLOT(key) ((uint32_t)(((key) >> SLOT_SHIFT) + displacements[(key) >> BUCKET_SHIFT]) & SLOTS)
#define ODD(set) (__builtin_popcount(set) & 1)
#define EACH_SUBSET(s, m) for (uint32_t s = (m), more_##s = 1; more_##s; more_##s = s != 0, s = (s - 1) & (m))

typedef struct {
    const uint16_t *masks;
    const uint8_t *sizes;
    const int64_t *starts;
} Hands;

/* Adds a class of dealer hands to the counters of its subsets, all but itself. */
static inline void add(const uint16_t *mask, int32_t size, int32_t *restrict counters, const uint64_t *restrict keys,
                       const uint32_t *restrict displacements, const int32_t *restrict multipliers)
{
    uint32_t m0 = mask[0], m1 = mask[1], m2 = mask[2], m3 = mask[3];
    EACH_SUBSET(s0, m0) {
        uint64_t k0 = keys[s0];
        EACH_SUBSET(s1, m1) {
            uint64_t k1 = k0 + keys[s1];
            EACH_SUBSET(s2, m2) {
                uint64_t k2 = k1 + keys[s2];
                EACH_SUBSET(s3, m3) {
                    if (s0 == m0 && s1 == m1 && s2 == m2 && s3 == m3)
                        continue;
                    uint32_t slot = SLOT(k2 + keys[s3]);
                    counters[slot] += size * multipliers[slot];
                }
            }
        }
    }
}

/* 24 times the number of dealer hands counted so far that avoid a player's cards. */
static inline int64_t avoiding(const uint16_t *mask, const int32_t *restrict counters, const uint64_t *restrict keys,
                               const uint32_t *restrict displacements)
{
    uint32_t m0 = mask[0], m1 = mask[1], m2 = mask[2], m3 = mask[3];
    int64_t total = 0;
    EACH_SUBSET(s0, m0) {
        uint64_t k0 = keys[s0];
        EACH_SUBSET(s1, m1) {
            uint64_t k1 = k0 + keys[s1];
            EACH_SUBSET(s2, m2) {
                uint64_t k2 = k1 + keys[s2];
                EACH_SUBSET(s3, m3) {
                    int64_t value = counters[SLOT(k2 + keys[s3])];
                    total += ODD(s0 ^ s1 ^ s2 ^ s3) ? -value : value;
                }
            }
        }
    }
    return total;
}

void sweep_hidden(int64_t strengths, Hands *players, Hands *dealers, const uint64_t *keys,
                  const uint32_t *displacements, const int32_t *multipliers, int64_t *beaten, int64_t *tied)
{
    int32_t *counters = calloc(SLOTS + 1, sizeof *counters);
    for (int64_t strength = strengths - 1; strength >= 0; strength--) {
        int64_t first = players->starts[strength], stop = players->starts[strength + 1];
        for (int64_t row = first; row < stop; row++)
            beaten[row] = avoiding(players->masks + 4 * row, counters, keys, displacements) / 24;
        for (int64_t row = dealers->starts[strength]; row < dealers->starts[strength + 1]; row++)
            add(dealers->masks + 4 * row, dealers->sizes[row], counters, keys, displacements, multipliers);
        for (int64_t row = first; row < stop; row++)
            tied[row] = avoiding(players->masks + 4 * row, counters, keys, displacements) / 24 - beaten[row];
    }
    free(counters);
}

/* For each rank of the last suit that the player lacks: 24 times the dealer hands with that card.
 * All subsets of the player's cards but the whole of them, whose hand is the player's and that card. */
static inline void seeing(uint32_t m0, uint32_t m1, uint32_t m2, uint32_t m3, const int32_t *restrict counters,
                          const uint64_t *restrict keys, const uint32_t *restrict displacements,
                          int64_t *restrict sums)
{
    uint32_t ranks[13], count = 0;
    int64_t found[13] = {0};
    for (uint32_t rank = 0; rank < 13; rank++)
        if (!(m3 >> rank & 1))
            ranks[count++] = rank;
    EACH_SUBSET(s0, m0) {
        uint64_t k0 = keys[s0];
        EACH_SUBSET(s1, m1) {
            uint64_t k1 = k0 + keys[s1];
            EACH_SUBSET(s2, m2) {
                uint64_t k2 = k1 + keys[s2];
                EACH_SUBSET(s3, m3) {
                    if (s0 == m0 && s1 == m1 && s2 == m2 && s3 == m3)
                        continue;
                    int64_t sign = ODD(s0 ^ s1 ^ s2 ^ s3) ? -1 : 1;
                    for (uint32_t place = 0; place < count; place++)
                        found[place] += sign * counters[SLOT(k2 + keys[s3 | 1u << ranks[place]])];
                }
            }
        }
    }
    for (uint32_t place = 0; place < count; place++)
        sums[ranks[place]] = found[place];
}

void sweep_seeing(int64_t strengths, Hands *players, Hands *dealers, const uint64_t *keys,
                  const uint32_t *displacements, const int32_t *multipliers, const int64_t *rank_keys,
                  const int16_t *by_ranks, const int16_t *by_suit, const uint8_t *lengths, int64_t long_suit,
                  int32_t *beaten)
{
    int32_t *counters = calloc(SLOTS + 1, sizeof *counters);
    int64_t sums[13];
    for (int64_t strength = strengths - 1; strength >= 0; strength--) {
        for (int64_t row = players->starts[strength]; row < players->starts[strength + 1]; row++) {
            const uint16_t *mask = players->masks + 4 * row;
            int32_t *out = beaten + 52 * row;
            int64_t key = 0;
            for (int suit = 0; suit < 4; suit++)
                for (int rank = 0; rank < 13; rank++)
                    if (mask[suit] >> rank & 1)
                        key += rank_keys[rank];
            for (int suit = 0; suit < 4; suit++) {
                if (suit && mask[suit] == mask[suit - 1]) {
                    for (int rank = 0; rank < 13; rank++)
                        out[suit * 13 + rank] = out[suit * 13 - 13 + rank];
                    continue;
                }
                uint32_t held[4] = {mask[0], mask[1], mask[2], mask[3]};
                held[suit] = mask[3];
                seeing(held[0], held[1], held[2], mask[suit], counters, keys, displacements, sums);
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
            add(dealers->masks + 4 * row, dealers->sizes[row], counters, keys, displacements, multipliers);
    }
    free(counters);
}
