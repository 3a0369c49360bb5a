/* The loop of the simulator for two games, hand-written in C over the same arrays, as a reference for the generated
 * loop. The counts must agree cell by cell. The benchmark passes the constants with -D.
 */
#include <stdint.h>

#define KEYS ((UINT64_C(1) << KEY_BITS) - 1)
#define LONG_UP_TO(suit) (LONG_SUIT & ((UINT64_C(1) << (KEY_BITS + COUNTER_BITS * ((suit) + 1))) - 1))
#define REST ((UINT64_C(1) << BITS) - 1)
#define INLINE static inline __attribute__((always_inline))

typedef struct { uint64_t a, b, c, d; } state;

INLINE uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

INLINE state stream(uint64_t seed, uint64_t block)
{
    const uint64_t golden = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t x = mix(seed + golden) ^ mix(block * UINT64_C(0xD1342543DE82EF95) + 1);
    return (state){mix(x + golden), mix(x + 2 * golden), mix(x + 3 * golden), mix(x + 4 * golden)};
}

INLINE uint64_t next_word(state *s)
{
    uint64_t x = s->a + s->d, word = (x << 23 | x >> 41) + s->a, t = s->b << 17;
    s->c ^= s->a;
    s->d ^= s->b;
    s->b ^= s->c;
    s->a ^= s->d;
    s->c ^= t;
    s->d = s->d << 45 | s->d >> 19;
    return word;
}

/* Draws cards number `first` to `last` - 1 to the top of the deck; the bounds are constants to the compiler. */
INLINE void draw(state *s, uint8_t *deck, const uint64_t first, const uint64_t last)
{
    uint64_t product = 1, place[8], x;
    for (uint64_t n = first; n < last; n++)
        product *= 52 - n;
    do {
        x = next_word(s) >> (64 - BITS);
        for (uint64_t n = first; n < last; n++) {
            x *= 52 - n;
            place[n - first] = (x >> BITS) + n;
            x &= REST;
        }
    } while (x < (UINT64_C(1) << BITS) % product);
    for (uint64_t n = first; n < last; n++) {
        uint8_t card = deck[place[n - first]];
        deck[place[n - first]] = deck[n];
        deck[n] = card;
    }
}

typedef struct { const uint64_t *words; const int16_t *by_ranks, *by_suit; uint64_t start; } ranking;

INLINE uint64_t sum(const uint64_t *words, const uint8_t *hand, const int cards)
{
    uint64_t total = 0;
    for (int n = 0; n < cards; n++)
        total += words[hand[n]];
    return total;
}

INLINE int64_t suited(uint64_t total, const uint8_t *hand, const int cards, const int16_t *by_suit)
{
    uint64_t suit = total & LONG_UP_TO(0) ? 0 : total & LONG_UP_TO(1) ? 1 : total & LONG_UP_TO(2) ? 2 : 3, set = 0;
    for (int n = 0; n < cards; n++)
        set |= UINT64_C(1) << hand[n];
    return by_suit[suit * 8192 + (set >> (13 * suit) & 8191)];
}

INLINE int64_t strength(ranking r, const uint8_t *hand, const int cards)
{
    uint64_t total = sum(r.words, hand, cards) + r.start;
    int64_t best = r.by_ranks[total & KEYS];
    if (total & LONG_SUIT) {
        int64_t other = suited(total, hand, cards, r.by_suit);
        best = (other > best ? other : best) & (DECISIVE - 1);
    }
    return best;
}

/* The segment of a hand: from a small table, or by its strength if a suit is long. */
INLINE int64_t part(ranking r, const uint8_t *parts, const uint8_t *segments, const uint8_t *hand, const int cards)
{
    uint64_t total = sum(r.words, hand, cards) + r.start;
    if (total & LONG_SUIT) {
        int64_t best = r.by_ranks[total & KEYS], other = suited(total, hand, cards, r.by_suit);
        return segments[(other > best ? other : best) & (DECISIVE - 1)];
    }
    return parts[total & KEYS];
}

typedef struct { const uint64_t *keys; const uint8_t *displaced; } classes;

INLINE uint64_t slot(classes c, const uint8_t *hand, const int cards, int shift, uint64_t last, uint64_t *set)
{
    uint64_t bits = 0, key = 0;
    for (int n = 0; n < cards; n++)
        bits |= UINT64_C(1) << hand[n];
    for (int suit = 0; suit < 4; suit++)
        key += c.keys[bits >> (13 * suit) & 8191];
    *set = bits;
    return ((key >> SLOT_SHIFT) + c.displaced[key >> shift]) & last;
}

typedef struct {
    ranking three, six;
    const uint8_t *first, *patterns;
    const uint16_t *pattern_of;
    classes classes;
    const uint8_t *contest, *pairs, *parts_six, *segments_six, *parts_colors;
    const uint64_t *player_colors, *dealer_colors;
    const int64_t *net[4];
    int64_t qualifies, offset[4];
} three_card;

void simulate_three_card(const three_card *g, uint64_t seed, int64_t rounds, int64_t *counts, int64_t *sums)
{
    uint8_t deck[52];
    int64_t high = 0, low = 0;
    for (int64_t block = 0; block * BLOCK < rounds; block++) {
        state s = stream(seed, (uint64_t)block);
        for (int n = 0; n < 52; n++)
            deck[n] = (uint8_t)n;
        int64_t left = rounds - block * BLOCK < BLOCK ? rounds - block * BLOCK : BLOCK;
        for (; left > 0; left--) {
            draw(&s, deck, 0, 7);
            const uint8_t *dealer = deck, *player = deck + 3;
            uint8_t both[6] = {deck[3], deck[4], deck[5], deck[0], deck[1], deck[2]};
            int64_t d = strength(g->three, dealer, 3), p = strength(g->three, player, 3);
            int64_t choice = g->first[p];
            if (choice == 255) {
                uint64_t set;
                uint64_t at = slot(g->classes, player, 3, SMALL_BUCKET_SHIFT, SMALL_SLOT_MASK, &set);
                choice = g->patterns[g->pattern_of[at]];
            }
            int64_t outcome = d < g->qualifies ? 0 : p > d ? 1 : p == d ? 2 : 3;
            int64_t k0 = (g->contest[p] * 4 + outcome) * 2 + choice;
            int64_t k1 = g->parts_colors[sum(g->player_colors, both, 3) + sum(g->dealer_colors, both + 3, 3)];
            int64_t k2 = g->pairs[p] * 2 + (deck[6] % 13 == 0);
            int64_t k3 = part(g->six, g->parts_six, g->segments_six, both, 6);
            counts[g->offset[0] + k0]++;
            counts[g->offset[1] + k1]++;
            counts[g->offset[2] + k2]++;
            counts[g->offset[3] + k3]++;
            int64_t net = g->net[0][k0] + g->net[1][k1] + g->net[2][k2] + g->net[3][k3];
            high += net * net >> 32;
            low += net * net & 0xFFFFFFFF;
        }
    }
    sums[0] += high;
    sums[1] += low;
}

typedef struct {
    ranking player, dealer, five, six;
    const uint8_t *first, *patterns;
    const uint16_t *pattern_of;
    const uint32_t *suit_order;
    classes classes;
    const uint8_t *segments[6], *parts[6], *paid[6];
    const int64_t *net[6];
    int64_t offset[6];
} four_card;

int64_t simulate_four_card(const four_card *g, uint64_t seed, int64_t rounds, int64_t *counts, int64_t *sums)
{
    uint8_t deck[52];
    int64_t high = 0, low = 0, hits = 0;
    for (int64_t block = 0; block * BLOCK < rounds; block++) {
        state s = stream(seed, (uint64_t)block);
        for (int n = 0; n < 52; n++)
            deck[n] = (uint8_t)n;
        int64_t left = rounds - block * BLOCK < BLOCK ? rounds - block * BLOCK : BLOCK;
        for (; left > 0; left--) {
            draw(&s, deck, 0, 8);
            draw(&s, deck, 8, 12);
            /* Five dealer cards, the bonus card, the upcard, five player cards. */
            const uint8_t *player = deck + 7, up = deck[6];
            uint8_t dealer[6] = {deck[0], deck[1], deck[2], deck[3], deck[4], up};
            uint8_t bonus[6] = {deck[7], deck[8], deck[9], deck[10], deck[11], deck[5]};
            int64_t d = strength(g->dealer, dealer, 6), p = strength(g->player, player, 5);
            int64_t choice = g->first[p * 13 + up % 13];
            if (choice == 255) {
                uint64_t set, at = slot(g->classes, player, 5, FIVE_BUCKET_SHIFT, FIVE_SLOT_MASK, &set);
                uint32_t order = g->suit_order[set >> (13 * (up / 13)) & 8191];
                int64_t before = 0;
                for (int suit = 0; suit < 4; suit++)
                    before += g->suit_order[set >> (13 * suit) & 8191] > order;
                choice = g->patterns[(int64_t)g->pattern_of[at] * 52 + before * 13 + up % 13];
            }
            int64_t folded = choice == 0, outcome = p > d ? 1 : p == d ? 2 : 3;
            int64_t k[6] = {
                (g->segments[0][p] * 4 + outcome) * 4 + choice,
                p == d ? 0 : g->segments[1][p < d ? p : d] + 1,
                g->segments[2][p] * 2 + folded,
                part(g->five, g->parts[3], g->segments[3], player, 5) * 2 + folded,
                part(g->five, g->parts[4], g->segments[4], dealer, 5),
                part(g->six, g->parts[5], g->segments[5], bonus, 6),
            };
            int64_t net = 0;
            for (int n = 0; n < 6; n++) {
                counts[g->offset[n] + k[n]]++;
                net += g->net[n][k[n]];
            }
            hits += g->paid[2][k[2]] + g->paid[3][k[3]] + g->paid[4][k[4]];
            high += net * net >> 32;
            low += net * net & 0xFFFFFFFF;
        }
    }
    sums[0] += high;
    sums[1] += low;
    return hits;
}
