/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SHA-256 (FIPS 180-4) and base64 (RFC 4648): a page allows the scripts and styles that have the
 * digests its policy names, and holds its numbers as base64.
 *
 * The message, a bit 1, bits 0 and its length in 64 bits make blocks of 64 bytes. A block is
 * extended to 64 words, W[t] = s1(W[t-2]) + W[t-7] + s0(W[t-15]) + W[t-16], with which the eight
 * words of the state are turned 64 times. The constants are the fractions of the roots of the first
 * primes: the state begins with those of square roots of 8, K are those of cube roots of 64.
 */
#include <config.h>

#include "tools/shared/sha256.h"

#include <string.h>

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t turned(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static void add_block(uint32_t state[8], const uint8_t block[64])
{
    uint32_t W[64], s[8];

    for (int t = 0; t < 16; t++) {
        const uint8_t *b = &block[4 * t];
        W[t] = (uint32_t) b[0] << 24 | (uint32_t) b[1] << 16 | (uint32_t) b[2] << 8 | b[3];
    }
    for (int t = 16; t < 64; t++) {
        uint32_t s0 = turned(W[t - 15], 7) ^ turned(W[t - 15], 18) ^ W[t - 15] >> 3;
        uint32_t s1 = turned(W[t - 2], 17) ^ turned(W[t - 2], 19) ^ W[t - 2] >> 10;
        W[t] = W[t - 16] + s0 + W[t - 7] + s1;
    }
    memcpy(s, state, sizeof s);
    for (int t = 0; t < 64; t++) {
        uint32_t S1 = turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25);
        uint32_t S0 = turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22);
        uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        uint32_t T1 = s[7] + S1 + choice + K[t] + W[t];
        memmove(&s[1], &s[0], 7 * sizeof *s);
        s[4] += T1;
        s[0] = T1 + S0 + majority;
    }
    for (int i = 0; i < 8; i++) {
        state[i] += s[i];
    }
}

void sha256(const void *bytes, size_t length, uint8_t digest[SHA256_SIZE])
{
    uint32_t state[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    const uint8_t *at = bytes;
    uint8_t last[128] = { 0 };
    size_t rest = length % 64, n_last = rest < 56 ? 64 : 128;

    for (size_t i = 0; i + 64 <= length; i += 64) {
        add_block(state, at + i);
    }
    memcpy(last, at + (length - rest), rest);
    last[rest] = 0x80;
    for (size_t i = 0; i < 8; i++) {
        last[n_last - 1 - i] = (uint8_t) ((uint64_t) length * 8 >> 8 * i & 0xff);
    }
    for (size_t i = 0; i < n_last; i += 64) {
        add_block(state, last + i);
    }
    for (int i = 0; i < SHA256_SIZE; i++) {
        digest[i] = (uint8_t) (state[i / 4] >> (24 - 8 * (i % 4)) & 0xff);
    }
}

void add_base64(ha__strbuf *out, const uint8_t *bytes, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < length; i += 3) {
        size_t n = length - i < 3 ? length - i : 3;
        uint32_t word = (uint32_t) bytes[i] << 16;
        word |= n > 1 ? (uint32_t) bytes[i + 1] << 8 : 0;
        word |= n > 2 ? (uint32_t) bytes[i + 2] : 0;
        const char four[4] = { digits[word >> 18 & 63], digits[word >> 12 & 63],
                               n > 1 ? digits[word >> 6 & 63] : '=',
                               n > 2 ? digits[word & 63] : '=' };
        ha__strbuf_add_bytes(out, four, 4);
    }
}
