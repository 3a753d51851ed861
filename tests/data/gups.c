/*
 * Writes gups.w32.gmt.zst to standard output: what Oclgrind records of HPC Challenge's RandomAccess in OpenCL, 4 MB of
 * random addresses that nothing makes smaller. 65536 threads, the first 86 CTAs of which are recorded, xor 48 numbers
 * each into a table of 2^24 words. Thread t begins with number 1024 t of HPCC's sequence, x^(1024 t) modulo
 * x^64 + x^2 + x + 1. Status 1: it could not be written.
 */
#include <stdint.h>
#include <stdio.h>

enum { LANES = 32, WARPS = 8, CTAS = 86, UPDATES = 48, WORD = 8, LOG2_WORDS = 24, BLOCK = 1 << 17 };

/* Flags of a record (README.md): 8 bytes per lane, a list of addresses, a store. */
enum { BYTES_8 = 3 << 4, LIST = 8, STORE = 1 };

static const uint64_t table = 1ull << 32, seeds = (1ull << 32) + ((uint64_t)WORD << LOG2_WORDS);

static unsigned char out[16 << 20];
static size_t used;

static void put(uint64_t v)
{
    for (; v > 127; v >>= 7)
        out[used++] = (unsigned char)(v | 128);
    out[used++] = (unsigned char)v;
}

static void put_all(const uint64_t *v, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put(v[i]);
}

static void put_difference(uint64_t from, uint64_t to)
{
    put(to >= from ? (to - from) << 1 : ((from - to) << 1) - 1);
}

static uint64_t next(uint64_t number)
{
    return number << 1 ^ (number >> 63 ? 7 : 0);
}

/* Number 1024 t + 1024, from number 1024 t. */
static uint64_t next_seed(uint64_t number)
{
    for (int i = 0; i < 1024; i++)
        number = next(number);
    return number;
}

/* A record of instruction `pc`, `gap` instructions behind the one before; *last: the first lane's address there. */
static void put_update(unsigned flags, unsigned gap, unsigned pc, uint64_t *last, const uint64_t *number)
{
    uint64_t from = *last;

    put_all((uint64_t[]){BYTES_8 | LIST | flags, gap, pc}, 3);
    for (unsigned l = 0; l < LANES; l++) {
        const uint64_t address = table + (number[l] & ((1u << LOG2_WORDS) - 1)) * WORD;

        put_difference(from, address);
        from = address;
        if (l == 0)
            *last = address;
    }
}

static void put_warp(unsigned warp, uint64_t thread, uint64_t *number)
{
    uint64_t loaded = 0, stored = 0;

    out[used++] = 'W';
    put_all((uint64_t[]){warp, 1 + 2 * UPDATES, BYTES_8, 4, 5}, 5);
    put_difference(0, seeds + thread * WORD);
    put_difference(0, WORD);
    for (unsigned u = 0; u < UPDATES; u++) {
        for (unsigned l = 0; l < LANES; l++)
            number[l] = next(number[l]);
        put_update(0, u ? 9 : 7, 15, &loaded, number);
        put_update(STORE, 1, 17, &stored, number);
    }
}

static void write_bytes(uint64_t v, int count)
{
    for (int i = 0; i < count; i++)
        putchar((int)(v >> 8 * i & 255));
}

/* A frame of zstd (RFC 8878) that is not compressed: the same bytes with every libzstd, and so is the trace's hash. */
static void write_frame(void)
{
    write_bytes(0xFD2FB528, 4);
    write_bytes(0xA0, 1); /* one segment, its size in four bytes */
    write_bytes(used, 4);
    for (size_t at = 0, size; at < used; at += size) {
        size = used - at < BLOCK ? used - at : BLOCK;
        write_bytes(size << 3 | (at + size == used), 3);
        fwrite(out + at, 1, size, stdout);
    }
}

int main(void)
{
    uint64_t seed = 1, thread = 0;

    used = (size_t)sprintf((char *)out, "GMT1 warp=%d\nL%cgups", LANES, 4);
    put_all((uint64_t[]){256, 1, 1, LANES * WARPS, 1, 1, 128, 2, table, seeds - table, seeds, 65536 * WORD}, 12);
    for (unsigned cta = 0; cta < CTAS; cta++) {
        out[used++] = 'C';
        put_all((uint64_t[]){cta, WARPS}, 2);
        for (unsigned warp = 0; warp < WARPS; warp++, thread += LANES) {
            uint64_t number[LANES];

            for (unsigned l = 0; l < LANES; l++, seed = next_seed(seed))
                number[l] = seed;
            put_warp(warp, thread, number);
        }
    }
    out[used++] = 'E';
    write_frame();
    return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
