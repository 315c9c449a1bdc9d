/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arithmetic modulo p = 2^61 - 1. Because 2^61 = 1, a number of up to 64 bits is reduced by adding
 * its upper bits to its lower 61, and multiplying by a power of two turns the bits round.
 *
 * Products without 128-bit integers: with a = a1 2^31 + a0, b = b1 2^31 + b0 and the middle
 * m = a1 b0 + a0 b1 = m1 2^30 + m0,
 *     a b = a1 b1 2^62 + m 2^31 + a0 b0 = 2 a1 b1 + m1 + m0 2^31 + a0 b0,
 * of which no term exceeds 2^62 and the sum not 2^64.
 */
#include <config.h>

#include "lib/linalg/modular.h"

#include <math.h>

enum { BITS = 61 };

/* x of up to 64 bits. */
static uint64_t reduce(uint64_t x)
{
    x = (x & HA__PRIME) + (x >> BITS);
    return x >= HA__PRIME ? x - HA__PRIME : x;
}

uint64_t ha__mod_add(uint64_t a, uint64_t b)
{
    return reduce(a + b);
}

uint64_t ha__mod_sub(uint64_t a, uint64_t b)
{
    return reduce(a + HA__PRIME - b);
}

uint64_t ha__mod_mul(uint64_t a, uint64_t b)
{
    const uint64_t low31 = (UINT64_C(1) << 31) - 1, low30 = (UINT64_C(1) << 30) - 1;
    uint64_t a1 = a >> 31, a0 = a & low31, b1 = b >> 31, b0 = b & low31;
    uint64_t middle = a1 * b0 + a0 * b1;

    return reduce(2 * a1 * b1 + (middle >> 30) + ((middle & low30) << 31) + a0 * b0);
}

uint64_t ha__mod_power(uint64_t a, uint64_t exponent)
{
    uint64_t result = 1;

    for (; exponent > 0; exponent >>= 1) {
        if ((exponent & 1) != 0) {
            result = ha__mod_mul(result, a);
        }
        a = ha__mod_mul(a, a);
    }
    return result;
}

/* By Fermat: a^(p - 1) = 1. */
uint64_t ha__mod_inverse(uint64_t a)
{
    return a <= 1 ? a : ha__mod_power(a, HA__PRIME - 2);
}

uint64_t ha__mod_of_double(double x)
{
    int exponent = 0;
    double mantissa = ldexp(frexp(fabs(x), &exponent), 53);
    uint64_t residue = (uint64_t) mantissa; /* an integer below 2^53 */
    int turn = ((exponent - 53) % BITS + BITS) % BITS;

    /* turn the 61 bits to the left */
    residue = reduce(((residue << turn) & HA__PRIME) | (residue >> (BITS - turn)));
    return x < 0.0 ? ha__mod_sub(0, residue) : residue;
}

/* p / q, the first convergent of m that is near enough, 1 <= m <= 10; the terms by Euclid's
   algorithm, p and q by their recurrence. Both stay below 2^53: |m - p / q| < 1 / q^2. */
static uint64_t fraction(double m)
{
    const double near = 1e-14 * m;
    double p = 1.0, q = 0.0, p_before = 0.0, q_before = 1.0, rest = m;

    for (;;) {
        double term = floor(rest), p_next = term * p + p_before, q_next = term * q + q_before;
        p_before = p;
        q_before = q;
        p = p_next;
        q = q_next;
        if (fabs(m - p / q) <= near || !(rest > term)) {
            return ha__mod_mul(ha__mod_of_double(p), ha__mod_inverse(ha__mod_of_double(q)));
        }
        rest = 1.0 / (rest - term);
    }
}

uint64_t ha__mod_of_meant(double x)
{
    int k = x == 0.0 ? 0 : (int) floor(log10(fabs(x)));

    if (x == 0.0 || k < -300 || k > 300) {
        return ha__mod_of_double(x);
    }

    uint64_t scale = ha__mod_power(10, (uint64_t) (k < 0 ? -k : k));
    uint64_t m = fraction(k < 0 ? fabs(x) * pow(10.0, -k) : fabs(x) / pow(10.0, k));
    uint64_t residue = ha__mod_mul(m, k < 0 ? ha__mod_inverse(scale) : scale);
    return x < 0.0 ? ha__mod_sub(0, residue) : residue;
}

/* The finaliser of splitmix64 (Steele, Lea, Flood 2014), once for each key. */
static uint64_t scatter(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

uint64_t ha__mod_chance(uint64_t a, uint64_t b)
{
    uint64_t residue = reduce(scatter(scatter(a) ^ b));

    return residue == 0 ? 1 : residue;
}
