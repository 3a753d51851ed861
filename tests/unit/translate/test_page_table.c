/* Page tables: mapping, placement, shares. */
#include <time.h>
#include "unit/test.h"
#include "memhelm/config_file.h"
#include "script.h"
#include "pages/page_table.h"

static void open_tables(struct mh_page_tables *pt, uint64_t bytes, uint64_t seed)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.memory.bytes = bytes;
    cfg.run.seed = seed;
    assert_int_equal(mh_pt_init(pt, &cfg), 0);
}

static uint32_t walk(const struct mh_page_tables *pt, uint32_t root, uint32_t vpn)
{
    uint32_t node = root;
    for (uint32_t depth = 1; depth <= pt->levels && node != MH_PT_NONE; depth++)
        node = mh_pt_entry(pt, node, vpn, depth);
    return node == MH_PT_NONE ? node : node & ~MH_PT_PAGE;
}

/* vpn = 27 bits: indices of depth 1..4 are bits 35..27 (always 0), 26..18, 17..9, 8..0. */
TEST(test_indices_by_hand)
{
    struct mh_page_tables pt;
    open_tables(&pt, 1 << 24, 1);
    uint32_t vpn = 0x1a5u << 18 | 0x0f3u << 9 | 0x17u;
    assert_int_equal(mh_pt_index(&pt, vpn, 1), 0);
    assert_int_equal(mh_pt_index(&pt, vpn, 2), 0x1a5);
    assert_int_equal(mh_pt_index(&pt, vpn, 3), 0x0f3);
    assert_int_equal(mh_pt_index(&pt, vpn, 4), 0x017);
    uint32_t root = mh_pt_root(&pt, 1);
    /* A node is a page of 32 lines with 16 entries each: entry 0x17 stands in line 1, entry 0x1a5 in line 26. */
    assert_int_equal(mh_pt_line(&pt, root, vpn, 4), pt.node[root].line[0] + 1);
    assert_int_equal(mh_pt_line(&pt, root, vpn, 2), pt.node[root].line[0] + 26);
    mh_pt_free(&pt);
}

/* Larger pages: the leaf index has 5 bits with 64 KiB pages (32 of them in 2 MiB); 2 MiB pages end a level earlier. */
TEST(test_larger_pages)
{
    static const struct {
        uint32_t page_bytes, levels, vpn, index[4];
    } cases[] = {
        {64 << 10, 4, 0x1a5u << 14 | 0x0f3u << 5 | 0x17u, {0, 0x1a5, 0x0f3, 0x17}},
        {2 << 20, 3, 0x1a5u << 9 | 0x0f3u, {0, 0x1a5, 0x0f3}},
    };
    for (uint32_t i = 0; i < 2; i++) {
        struct mh_config cfg = script_config(1, 1);
        struct mh_page_tables pt;
        cfg.memory.bytes = 1 << 30;
        cfg.memory.page_bytes = cases[i].page_bytes;
        cfg.walk.levels = cases[i].levels;
        assert_int_equal(mh_pt_init(&pt, &cfg), 0);
        for (uint32_t depth = 1; depth <= pt.levels; depth++)
            assert_int_equal(mh_pt_index(&pt, cases[i].vpn, depth), cases[i].index[depth - 1]);
        uint32_t root = mh_pt_root(&pt, 1);
        assert_int_equal(mh_pt_map(&pt, root, 1, cases[i].vpn, 1), 0);
        assert_int_equal(mh_pt_map(&pt, root, 1, cases[i].vpn + 1, 1), 0);
        assert_int_equal(pt.node_count, pt.levels); /* both are in one leaf node */
        assert_int_not_equal(walk(&pt, root, cases[i].vpn), walk(&pt, root, cases[i].vpn + 1));
        for (uint32_t n = 1; n < pt.node_count; n++) /* nodes follow each other in one frame */
            assert_int_equal(pt.node[n].line[0], pt.node[0].line[0] + 32 * n);
        assert_int_equal(pt.next[0], 3); /* frames: one for nodes, two pages */
        mh_pt_free(&pt);
    }
}

/*
 * Entries that stand further apart: a node of 512 * pte_bytes has a frame for each page of it, or shares one. Entry
 * 0x17 is the 24th, entry 0x1a5 the 422nd.
 */
TEST(test_sparse)
{
    static const struct {
        uint32_t pte, page, line, pieces, frames, frame[2],
            at[2]; /* frames of two nodes; piece of two entries, line in it */
    } cases[] = {
        {16, 4 << 10, 128, 2, 4, {0, 1}, {2, (0x1a5 - 256) / 8}},
        {128, 4 << 10, 128, 16, 32, {0, 0x1a5 / 32}, {0x17, 0x1a5 % 32}},
        {128, 4 << 10, 64, 16, 32, {0, 0x1a5 / 32}, {2 * 0x17, 2 * (0x1a5 % 32)}},
        {32, 64 << 10, 128, 1, 1, {0, 0}, {0x17 / 4, 0x1a5 / 4}},
        {128, 64 << 10, 128, 1, 2, {0, 0}, {0x17, 0x1a5}},
        {64, 2 << 20, 64, 1, 1, {0, 0}, {0x17, 0x1a5}},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mh_config cfg = script_config(1, 1);
        struct mh_page_tables pt;
        cfg.memory.bytes = 1 << 30;
        cfg.memory.page_bytes = cases[i].page;
        cfg.memory.line_bytes = cases[i].line;
        cfg.walk.levels = cases[i].page == 2 << 20 ? 3 : 4;
        cfg.walk.pte_bytes = cases[i].pte;
        assert_int_equal(mh_pt_init(&pt, &cfg), 0);
        uint32_t root = mh_pt_root(&pt, 1), shift = cases[i].page == 64 << 10 ? 5 : 9,
                 lines = cases[i].page / cases[i].line;
        assert_int_equal(pt.next[0], cases[i].pieces);
        for (uint32_t k = 0; k < 2; k++)
            assert_int_equal(mh_pt_line(&pt, root, (k ? 0x1a5u : 0x17u) << shift, pt.levels - 1),
                             pt.node[root].line[cases[i].frame[k]] + cases[i].at[k]);
        for (uint32_t a = 0; a < cases[i].pieces; a++) {
            assert_int_equal(pt.owner[pt.node[root].line[a] / lines], 1);
            for (uint32_t b = 0; b < a; b++)
                assert_int_not_equal(pt.node[root].line[a], pt.node[root].line[b]);
        }
        uint32_t second = mh_pt_root(&pt, 1);
        assert_int_equal(pt.next[0], cases[i].frames);
        assert_int_not_equal(pt.node[second].line[0], pt.node[root].line[0]);
        mh_pt_free(&pt);
    }
}

/* Nodes of 32 entries: those 128 bytes apart fill a frame, 16 of those 8 apart share one. */
TEST(test_small_nodes)
{
    static const struct {
        uint32_t page, levels, node_bits, pte, reach, frames;
    } cases[] = {
        {4 << 10, 4, 5, 128, 20, 7}, {4 << 10, 4, 5, 8, 20, 3}, {64 << 10, 4, 5, 128, 20, 3},
        {2 << 20, 3, 5, 8, 15, 3},   {4 << 10, 4, 9, 8, 36, 7}, {64 << 10, 4, 9, 8, 32, 3},
        {64 << 10, 4, 6, 8, 23, 3},  {2 << 20, 3, 9, 8, 27, 3},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mh_config cfg = script_config(1, 1);
        struct mh_page_tables pt;
        cfg.memory.page_bytes = cases[i].page;
        cfg.walk.levels = cases[i].levels;
        cfg.walk.node_bits = cases[i].node_bits;
        cfg.walk.pte_bytes = cases[i].pte;
        assert_int_equal(mh_pt_init(&pt, &cfg), 0);
        assert_int_equal(pt.reach_bits, cases[i].reach);
        uint32_t leaf = pt.mask[pt.levels] + 1, root = mh_pt_root(&pt, 1);
        assert_int_equal(mh_pt_map(&pt, root, 1, leaf - 1, 2), 0); /* the last of a leaf node, the first of the next */
        assert_int_equal(mh_pt_index(&pt, leaf - 1, pt.levels), leaf - 1);
        assert_int_equal(mh_pt_index(&pt, leaf, pt.levels - 1), 1);
        assert_int_equal(pt.node_count, pt.levels + 1);
        assert_int_equal(pt.next[0], cases[i].frames); /* of nodes, and two pages */
        assert_int_not_equal(walk(&pt, root, leaf - 1), walk(&pt, root, leaf));
        mh_pt_free(&pt);
    }
}

TEST(test_mapping)
{
    struct mh_page_tables pt;
    uint64_t rng = 5;
    open_tables(&pt, 1 << 28, 1);
    uint8_t *taken = calloc(1u << pt.frame_bits, 1);
    uint32_t root[3], vpn[1500], frame[1500], asid[1500];
    for (uint32_t a = 1; a <= 3; a++)
        root[a - 1] = mh_pt_root(&pt, a);
    for (uint32_t i = 0; i < 1500; i++) { /* scattered: many need nodes of their own */
        asid[i] = 1 + i % 3;
        vpn[i] = (uint32_t)(random_next(&rng) % (1u << 27)) & (i % 2 ? UINT32_MAX : 0x7ff);
        assert_int_equal(mh_pt_map(&pt, root[asid[i] - 1], asid[i], vpn[i], 1), 0);
        frame[i] = walk(&pt, root[asid[i] - 1], vpn[i]);
        assert_int_equal(pt.owner[frame[i]], asid[i]);
    }
    for (uint32_t i = 0; i < 1500; i++) {
        assert_int_equal(walk(&pt, root[asid[i] - 1], vpn[i]), frame[i]); /* nothing was moved by the others */
        for (uint32_t k = 0; k < i; k++)
            assert_int_equal(frame[k] == frame[i], asid[k] == asid[i] && vpn[k] == vpn[i]);
        taken[frame[i]] = 1;
    }
    for (uint32_t n = 0; n < pt.node_count; n++) { /* nodes have frames of their own as well */
        assert_int_equal(taken[pt.node[n].line[0] / 32], 0);
        taken[pt.node[n].line[0] / 32] = 1;
    }
    free(taken);
    mh_pt_free(&pt);
}

TEST(test_mapped_twice)
{
    struct mh_page_tables pt;
    open_tables(&pt, 1 << 24, 1);
    uint32_t root = mh_pt_root(&pt, 2);
    assert_int_equal(mh_pt_map(&pt, root, 2, 77, 1), 0);
    uint32_t frame = walk(&pt, root, 77);
    uint64_t used = pt.next[1];
    assert_int_equal(mh_pt_map(&pt, root, 2, 77, 1), 0);
    assert_int_equal(walk(&pt, root, 77), frame);
    assert_int_equal(pt.next[1], used);
    assert_int_equal(walk(&pt, root, 78), MH_PT_NONE);
    mh_pt_free(&pt);
}

/* Frames 0 .. 299 of `asid`, with `others` address spaces that take frames in between. */
static void placement(uint64_t seed, uint32_t asid, uint32_t others, uint32_t *frame)
{
    struct mh_page_tables pt;
    open_tables(&pt, 1ull << 32, seed);
    uint32_t root = mh_pt_root(&pt, asid), other[MH_MAX_TENANTS + 1] = {0};
    for (uint32_t vpn = 0; vpn < 300; vpn++) {
        for (uint32_t k = 1; k <= others; k++) {
            uint32_t a = 1 + (asid - 1 + k) % MH_MAX_TENANTS;
            if (!vpn)
                other[a] = mh_pt_root(&pt, a);
            assert_int_equal(mh_pt_map(&pt, other[a], a, vpn * 7, 1), 0);
        }
        assert_int_equal(mh_pt_map(&pt, root, asid, vpn, 1), 0);
        frame[vpn] = walk(&pt, root, vpn);
    }
    mh_pt_free(&pt);
}

TEST(test_same_frames_alone_and_shared)
{
    uint32_t alone[300], shared[300];
    for (uint32_t asid = 1; asid <= MH_MAX_TENANTS; asid += 3)
        for (uint32_t others = 1; others < MH_MAX_TENANTS; others += 2) {
            placement(9, asid, 0, alone);
            placement(9, asid, others, shared);
            assert_memory_equal(alone, shared, sizeof alone);
        }
}

TEST(test_seed_places)
{
    uint32_t a[300], b[300], c[300], same_seed = 0, same_asid = 0;
    placement(1, 1, 0, a);
    placement(2, 1, 0, b);
    placement(1, 2, 0, c);
    for (uint32_t i = 0; i < 300; i++) {
        same_seed += a[i] == b[i];
        same_asid += a[i] == c[i];
    }
    assert_in_range(same_seed, 0, 2); /* of a million frames */
    assert_int_equal(same_asid, 0);
    placement(1, 1, 0, b);
    assert_memory_equal(a, b, sizeof a);
}

/* 16 MiB are 4096 frames, 512 each: a root and three nodes below it; the rest are pages. */
TEST(test_share_used_up)
{
    struct mh_page_tables pt;
    open_tables(&pt, 1 << 24, 3);
    uint32_t root = mh_pt_root(&pt, 8), mapped = 0;
    while (mapped < 600 && !mh_pt_map(&pt, root, 8, mapped, 1))
        mapped++;
    assert_int_equal(mapped, 512 - 4);
    uint32_t other = mh_pt_root(&pt, 7); /* its share is untouched */
    assert_int_not_equal(other, MH_PT_NONE);
    assert_int_equal(mh_pt_map(&pt, other, 7, 0, 1), 0);
    assert_int_equal(mh_pt_root(&pt, 8), MH_PT_NONE);
    mh_pt_free(&pt);
}

/* A run of pages over the ends of leaf nodes: what mapping them one by one gives, with one mapped before, and without
 * room. */
TEST(test_runs)
{
    for (uint32_t room = 0; room < 2; room++) {
        struct mh_page_tables runs, singly;
        open_tables(&runs, room ? 1 << 28 : 1 << 24, 3);
        open_tables(&singly, room ? 1 << 28 : 1 << 24, 3);
        uint32_t root = mh_pt_root(&runs, 2), same = mh_pt_root(&singly, 2), first = 500, pages = 1100, bad = 0;
        assert_int_equal(mh_pt_map(&runs, root, 2, 700, 1), 0);
        assert_int_equal(mh_pt_map(&singly, same, 2, 700, 1), 0);
        for (uint32_t i = 0; i < pages && !bad; i++)
            bad = mh_pt_map(&singly, same, 2, first + i, 1) != 0;
        assert_int_equal(mh_pt_map(&runs, root, 2, first, pages), room ? 0 : -1);
        assert_int_equal(bad, !room);
        assert_int_equal(runs.next[1], singly.next[1]);
        for (uint32_t vpn = 0; vpn < 2048; vpn++)
            assert_int_equal(walk(&runs, root, vpn), walk(&singly, same, vpn));
        assert_int_equal(mh_pt_map(&runs, root, 2, 4000, 0), 0);
        assert_int_equal(walk(&runs, root, 4000), MH_PT_NONE);
        mh_pt_free(&runs);
        mh_pt_free(&singly);
    }
}

/* All frames of all address spaces are all the frames there are. */
TEST(test_permutation)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct mh_page_tables pt;
        uint32_t owned[MH_MAX_TENANTS + 1] = {0};
        open_tables(&pt, 1 << 24, seed * 1234567);
        for (uint32_t a = 1; a <= MH_MAX_TENANTS; a++) {
            uint32_t root = mh_pt_root(&pt, a);
            for (uint32_t vpn = 0; !mh_pt_map(&pt, root, a, vpn, 1); vpn++)
                ;
        }
        for (uint32_t f = 0; f < 1u << pt.frame_bits; f++)
            owned[pt.owner[f]]++;
        assert_int_equal(owned[0], 0);
        for (uint32_t a = 1; a <= MH_MAX_TENANTS; a++)
            assert_int_equal(owned[a], 512);
        mh_pt_free(&pt);
    }
}

/* memory.owned whole: any free frame, also of a memory that is no power of two, until there is none. */
TEST(test_whole)
{
    struct mh_config cfg = script_config(1, 1);
    struct mh_page_tables pt;
    uint32_t owned[MH_MAX_TENANTS + 1] = {0};
    cfg.memory.bytes = 48 << 20;
    cfg.memory.owned = MH_OWNED_WHOLE;
    assert_int_equal(mh_pt_init(&pt, &cfg), 0);
    uint32_t one = mh_pt_root(&pt, 1), two = mh_pt_root(&pt, 2);
    assert_int_equal(mh_pt_map(&pt, one, 1, 0, 8192), 0); /* of 12288: more than an eighth */
    assert_int_equal(mh_pt_map(&pt, two, 2, 0, 4096), -1);
    for (uint32_t f = 0; f < pt.frames; f++)
        owned[pt.owner[f]]++;
    assert_int_equal(owned[0], 0);
    /* Above the leaves, of 512 pages each: a node of depth 1, 2 and 3. */
    assert_int_equal(owned[1], 8192 + 8192 / 512 + 3);
    assert_int_equal(owned[1] + owned[2], 12288);
    mh_pt_free(&pt);
}

/* Alone or shared, an address space has the same frames, but for those that another has already. */
TEST(test_whole_alone_and_shared)
{
    enum { PAGES = 1000 };
    struct mh_config cfg = script_config(1, 1);
    uint32_t frame[2][PAGES], moved = 0;
    cfg.memory.owned = MH_OWNED_WHOLE;
    for (uint32_t shared = 0; shared < 2; shared++) {
        struct mh_page_tables pt;
        assert_int_equal(mh_pt_init(&pt, &cfg), 0);
        if (shared)
            assert_int_equal(mh_pt_map(&pt, mh_pt_root(&pt, 1), 1, 0, 1 << 17), 0); /* an eighth of all frames */
        uint32_t root = mh_pt_root(&pt, 2);
        for (uint32_t i = 0; i < PAGES; i++) {
            assert_int_equal(mh_pt_map(&pt, root, 2, i, 1), 0);
            frame[shared][i] = walk(&pt, root, i);
        }
        if (!shared) {
            mh_pt_free(&pt);
            continue;
        }
        /* In the same order: a frame that another has is left out, and all behind it move up. */
        for (uint32_t i = 0, k = 0; i < PAGES; i++) {
            if (frame[0][i] == frame[1][k])
                k++;
            else
                moved += pt.owner[frame[0][i]] == 1;
        }
        mh_pt_free(&pt);
    }
    assert_in_range(moved, PAGES / 8 - 40, PAGES / 8 + 40);
}

/* Every frame of a memory that is no power of two is somebody's, once. */
TEST(test_shares_of_an_odd_memory)
{
    struct mh_page_tables pt;
    uint32_t owned[MH_MAX_TENANTS + 1] = {0};
    open_tables(&pt, 40 << 20, 7);
    for (uint32_t a = 1; a <= MH_MAX_TENANTS; a++) {
        uint32_t root = mh_pt_root(&pt, a);
        for (uint32_t vpn = 0; !mh_pt_map(&pt, root, a, vpn, 1); vpn++)
            ;
    }
    for (uint32_t f = 0; f < pt.frames; f++)
        owned[pt.owner[f]]++;
    for (uint32_t a = 1; a <= MH_MAX_TENANTS; a++)
        assert_int_equal(owned[a], 1280);
    mh_pt_free(&pt);
}

/* The error says whose buffers, how much there is and what to do. */
TEST(test_error_text)
{
    struct mh_config cfg = script_config(1, 1);
    struct mh_error err;
    struct mh_workload *work;
    assert_int_equal(mh_config_workload(&cfg, "GUPS:1048576", &err), 0);
    cfg.tenants[0].asid = 1;
    cfg.tenants[0].sm_count = 1;
    cfg.memory.bytes = 1 << 24;
    work = mh_workload_create("GUPS", 1048576, 1, 64, &err);
    assert_non_null(work);
    assert_null(mh_gpu_create_with(&cfg, &work, &err)); /* and the sanitizer finds no leak */
    assert_non_null(strstr(err.text, "GUPS"));
    assert_non_null(strstr(err.text, "2 MiB"));
    assert_non_null(strstr(err.text, "raise memory.bytes"));
}

/* Sizes alone tell, or the workload that is made at once: before the graph of the other tenant is built. */
TEST(test_refused_first)
{
    static const char *const pairs[] = {"MIS:2097152+GUPS:1024", "MIS:524288+GUPS:4194304", "GUPS:1024+CFD:64"};
    static const char *const culprits[] = {"MIS:", "GUPS:", "CFD:"};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct mh_config cfg = script_config(2, 1);
        struct mh_error err;
        assert_int_equal(mh_config_workload(&cfg, pairs[i], &err), 0);
        cfg.memory.bytes = 1 << 27;
        clock_t start = clock();
        assert_null(mh_gpu_create(&cfg, &err));
        assert_true(clock() - start < CLOCKS_PER_SEC / 2);
        assert_memory_equal(err.text, culprits[i], strlen(culprits[i]));
        assert_non_null(strstr(err.text, "do not fit its share of physical memory (16 MiB"));
    }
}
