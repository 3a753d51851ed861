/* Accel-Sim's traces: what is wrong in a file is found, with its line and what was expected. */
#include "unit/test.h"
#include "workload/trace/trace.h"

/* Lines 1 to 8 */
#define HEADER                                                                                                         \
    "-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (40,1,1)\n-shmem = 0\n-nregs = 8\n"                           \
    "-accelsim tracer version = 4\n-enable lineinfo = 0\n\n"
/* Lines 9 to 12 */
#define BLOCK "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 2\n"
/* Lines 13 to 15 */
#define REST "0000 ffffffff 1 R1 MOV 0 0\n0010 ffffffff 0 EXIT 0 0\n#END_TB\n"

static struct mh_workload *parse(const char *text, struct mh_error *err)
{
    return mh_trace_parse(text, strlen(text), "k.traceg", (struct mh_trace_how){.lanes = 32}, err);
}

static void rejects(const char *text, const char *message)
{
    struct mh_error err = {{0}};

    assert_null(parse(text, &err));
    if (strcmp(err.text, message) != 0)
        fail_msg("expected '%s'\n     got '%s'", message, err.text);
    assert_null(parse(text, NULL));
}

/* The first instruction, in line 13, is this one. */
static void rejects_line(const char *line, const char *message)
{
    char text[4096], expected[512];

    snprintf(text, sizeof text, HEADER BLOCK "%s\n0010 ffffffff 0 EXIT 0 0\n#END_TB\n", line);
    snprintf(expected, sizeof expected, "k.traceg:13: %s", message);
    rejects(text, expected);
}

TEST(test_good)
{
    struct mh_error err;
    struct mh_workload *w = parse(HEADER BLOCK REST, &err);

    assert_good(w, err);
    assert_true(w->launch_count == 1 && w->launches[0].ctas == 1 && w->buffer_count == 0);
    w->destroy(w);
    w = parse("\n  \n" HEADER "#a comment\r\n\r\n" BLOCK REST "\n", &err);
    assert_good(w, err);
    w->destroy(w);
}

/* Cut anywhere but between thread blocks, a trace is incomplete; the line is where it ends. */
TEST(test_truncated)
{
    static const char whole[] = HEADER BLOCK REST;
    struct mh_error err;

    for (size_t size = 1; size < strlen(whole) - 1; size++) {
        struct mh_workload *w = mh_trace_parse(whole, size, "k.traceg", (struct mh_trace_how){.lanes = 32}, &err);

        if (w)
            fail_msg("accepted with %zu of %zu bytes", size, strlen(whole));
        assert_ptr_equal(strstr(err.text, "k.traceg:"), err.text);
    }
    rejects("-", "k.traceg:1: expected '-KEY = VALUE', found '-'; --trace-lenient skips it");
    rejects(HEADER, "k.traceg:9: expected the header of a kernel ('-kernel name = NAME'), but the file ends: the "
                    "trace is incomplete, get it again");
    rejects(HEADER BLOCK, "k.traceg:13: expected an instruction, but the file ends: the trace is incomplete, get it "
                          "again");
    rejects(HEADER "#", "k.traceg: the trace has no thread block");
}

TEST(test_bad_header)
{
    rejects("-kernel name = k\n-grid dim = (2,1)\n", "k.traceg:2: expected dimensions as (X,Y,Z), each from 1, found "
                                                     "'(2,1)'");
    rejects("-grid dim = (2,0,1)\n", "k.traceg:1: expected dimensions as (X,Y,Z), each from 1, found '(2,0,1)'");
    rejects("-block dim = (1024,3,1)\n",
            "k.traceg:1: expected dimensions with a product of at most 2048, found '(1024,3,1)'");
    rejects(
        "-kernel name = k\n\n-nregs = many\n",
        "k.traceg:3: expected a number from 0 to 1024, found 'many'; --trace-lenient assumes 32 registers per thread");
    rejects("-shmem=5\n", "k.traceg:1: expected '-KEY = VALUE', found '-shmem=5'; --trace-lenient skips it");
    rejects("-accelsim tracer version = 6\n", "k.traceg:1: expected a tracer version of at most 5, found 6: its "
                                              "instructions may differ");
    rejects("-kernel name = k\n-grid dim = (2,1,1)\n-shmem = 0\n-nregs = 8\n#BEGIN_TB\n",
            "k.traceg:5: expected '-block dim = (X,Y,Z)' in the header before this line");
    rejects("-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (1,1,1)\n-shmem = 0\n0 0 0 0 0000\n",
            "k.traceg:5: expected '-nregs = NUMBER' in the header before this line; --trace-lenient assumes 32 "
            "registers per thread");
}

TEST(test_bad_blocks)
{
    rejects(HEADER "0 0 0 0 0000 ffffffff 1 R1 MOV 0 0\n",
            "k.traceg:9: expected '#BEGIN_TB', found '0 0 0 0 0000 ffffffff 1 R1 MOV 0 0': a .trace file has to go "
            "through Accel-Sim's post-traces-processing, which makes a .traceg of it");
    rejects(HEADER "#BEGIN_TB\nwarp = 0\n", "k.traceg:10: expected 'thread block = X,Y,Z', found 'warp = 0'");
    rejects(HEADER "#BEGIN_TB\nthread block = 2,0,0\n",
            "k.traceg:10: expected a thread block of the grid (2,1,1), found 2,0,0");
    rejects(HEADER BLOCK REST BLOCK REST BLOCK REST,
            "k.traceg:24: expected at most the 2 thread blocks of the grid, found another");
    rejects(HEADER "#BEGIN_TB\nthread block = 0,0,0\nwarp = 2\n",
            "k.traceg:11: expected a warp from 0 to 1, in ascending order, found 2");
    rejects(HEADER BLOCK "0000 ffffffff 1 R1 MOV 0 0\n0010 ffffffff 0 EXIT 0 0\nwarp = 0\n",
            "k.traceg:15: expected a warp from 1 to 1, in ascending order, found 0");
    rejects(HEADER "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = x\n",
            "k.traceg:12: expected 'insts = N', N at most 1073741824, found 'insts = x'");
    rejects(HEADER BLOCK "0000 ffffffff 1 R1 MOV 0 0\n#END_TB\n",
            "k.traceg:14: expected instruction 2 of the 2 that the warp announces, found '#END_TB'");
    rejects(HEADER BLOCK "0000 ffffffff 1 R1 MOV 0 0\n0010 ffffffff 0 EXIT 0 0\n0020 ffffffff 0 EXIT 0 0\n",
            "k.traceg:15: expected 'warp = N' or '#END_TB', found '0020 ffffffff 0 EXIT 0 0'");
}

TEST(test_bad_columns)
{
    rejects_line("xyz ffffffff 0 MOV 0 0", "expected a pc (hexadecimal), found 'xyz'");
    rejects_line("0000 1ffffffff 0 MOV 0 0", "expected a mask of 32 lanes (hexadecimal), found '1ffffffff'");
    rejects_line("0000 ffffffff 9 MOV 0 0", "expected a number of destination registers, found '9'");
    rejects_line("0000 ffffffff 1 MOV 0 0", "expected a register (R0 to R255), found 'MOV'");
    rejects_line("0000 ffffffff 1 R256 MOV 0 0", "expected a register (R0 to R255), found '256'");
    rejects_line("0000 ffffffff 0 7 0 0", "expected an opcode, found '7'");
    rejects_line("0000 ffffffff 0 MOV", "expected a number of source registers, found the end of "
                                        "'0000 ffffffff 0 MOV'");
    rejects_line("0000 ffffffff 0 MOV 0", "expected a memory width, found the end of '0000 ffffffff 0 MOV 0'");
    rejects_line("0000 ffffffff 0 MOV 0 0 1 2 3", "expected the end of the line, found '3'");
    rejects_line("0000 ffffffff 0 MOV 0 0 Val", "expected an immediate or the end of the line, found 'Val'");
}

TEST(test_bad_accesses)
{
    rejects_line("0000 ffffffff 1 R1 LDG.E 1 R2 0", "expected a memory width above 0 for LDG.E");
    rejects_line("0000 ffffffff 1 R1 LDG.E 1 R2 4 3 0x10 4", "expected an address mode (0 list, 1 base and stride, "
                                                             "2 base and deltas), found '3'");
    rejects_line("0000 00000003 1 R1 LDG.E 1 R2 4 0 0x10", "expected an address for each active lane, found the end "
                                                           "of '0000 00000003 1 R1 LDG.E 1 R2 4 0 0x10'");
    rejects_line("0000 00000005 1 R1 LDG.E 1 R2 4 1 0x10 4",
                 "expected active lanes without gaps for address mode 1 (base and stride), found '0x10'");
    rejects_line("0000 00000003 1 R1 LDG.E 1 R2 4 1 0x10", "expected a stride, found the end of "
                                                           "'0000 00000003 1 R1 LDG.E 1 R2 4 1 0x10'");
    rejects_line("0000 00000007 1 R1 LDG.E 1 R2 4 2 0x10 4 x",
                 "expected the distance to the address of the next active lane, found 'x'");
    rejects_line("0000 00000001 1 R1 LDG.E 1 R2 4 0 0x10000000000000000",
                 "expected an address for each active lane, found '0x10000000000000000'");
    rejects_line("0000 00000001 1 R1 LDG.E 1 R2 4 0 0xfffffffffffffffe",
                 "expected an address, found 0xfffffffffffffffe, which wraps around");
    rejects_line("0000 ffffffff 0 UBLKCP 0 4 0 1 0x10", "UBLKCP: bulk copies (TMA) cannot be simulated");
    rejects_line("0000 ffffffff 0 UTMALDG.2D 0 0", "UTMALDG.2D: bulk copies (TMA) cannot be simulated");
    rejects(HEADER "#BEGIN_TB\nthread block = 0,0,0\nwarp = 1\ninsts = 1\n0000 00000100 1 R1 MOV 0 0\n",
            "k.traceg:13: expected a mask of some of the lanes 000000ff, found 00000100");
}

TEST(test_too_far_apart)
{
    static const char line[] = "0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x%llx 2097152\n";
    struct mh_error err;
    char *text = malloc(700000), *end;

    assert_non_null(text);
    end = text + sprintf(text, HEADER "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 8129\n");
    for (unsigned long long i = 0; i < 8129; i++) /* 8128 x 32 regions fit between 4 GiB and 2^39 */
        end += sprintf(end, line, i << 26);
    strcpy(end, "#END_TB\n");
    assert_null(parse(text, &err));
    assert_string_equal(err.text, "k.traceg:8141: the kernels touch more 2 MiB regions than fit below 2^39");
    free(text);
}

TEST(test_bad_list)
{
    rejects("MemcpyHtoD,0x10,5\n", "k.traceg:1: expected a file 'kernel-N.traceg', found none in the list");
    rejects("MemcpyHtoD,0x10\n", "k.traceg:1: expected 'MemcpyHtoD,0xADDRESS,BYTES', found 'MemcpyHtoD,0x10'");
    rejects("cudaMalloc,0x10,5\n#kernel-1.traceg\n",
            "k.traceg:2: expected a file 'kernel-N.traceg', found none in the list");
    rejects("MemcpyHtoD,0x10,5x\n", "k.traceg:1: expected 'MemcpyHtoD,0xADDRESS,BYTES', found 'MemcpyHtoD,0x10,5x'");
    rejects("no trace\n", "k.traceg: offset 0: expected the line 'GMT1 warp=W' or 'GMT2.V warp=W' with W 32 or 64: not "
                          "a GMT trace, nor Accel-Sim's");
    rejects("kernel-nowhere.traceg\n", "kernel-nowhere.traceg: cannot open: No such file or directory");
}

TEST(test_bad_xz)
{
    struct mh_error err;
    FILE *f = fopen(TEST_DATA "traceg/kernel-3.traceg.xz", "rb");
    uint8_t data[2048];
    size_t size;

    assert_non_null(f);
    size = fread(data, 1, sizeof data, f);
    fclose(f);
    for (size_t cut = 12; cut < size; cut += 7) {
        assert_null(mh_trace_parse(data, cut, "k.xz", (struct mh_trace_how){.lanes = 32}, &err));
        assert_non_null(strstr(err.text, "the compressed file is truncated: the trace is incomplete, get it again"));
    }
    data[size / 2] ^= 0x10;
    assert_null(mh_trace_parse(data, size, "k.xz", (struct mh_trace_how){.lanes = 32}, &err));
    assert_non_null(strstr(err.text, "the xz file is damaged"));
}

/* No line that long is right; it is not kept either. */
TEST(test_long_line)
{
    struct mh_error err;
    char *text = malloc(100001);

    assert_non_null(text);
    memset(text, 'x', 100000);
    text[100000] = 0;
    memcpy(text, "-kernel name = ", 15);
    assert_null(parse(text, &err));
    assert_string_equal(
        err.text, "k.traceg:1: expected the header of a kernel ('-kernel name = NAME'), but a line has more than 65536 "
                  "bytes: the trace is incomplete, get it again");
    free(text);
}
