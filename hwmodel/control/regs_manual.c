/* Prints the register manual (Markdown) from the register table: `make regs`. A program of its own. */
#include <stdio.h>

#include "control/regs.h"

/* Expands numeric macros; CAP(..) and MH_SM_MASK(..) are none here and stay readable. */
#undef MH_SM_MASK
#define TEXT_(x) #x
#define TEXT(x)  TEXT_(x)

struct manual_row {
    const char *name, *access, *reset, *min, *max, *unit, *doc;
    uint32_t offset, count, stride, width;
};

static const struct manual_row registers[] = {
#define MH_REG(name, offset, count, stride, width, access, reset, min, max, unit, doc)                                 \
    {#name, #access, TEXT(reset), TEXT(min), TEXT(max), unit, doc, offset, count, stride, width},
#include "memhelm/registers.def"
};

static const struct manual_row counters[] = {
#define MH_TENANT_COUNTER(name, field, unit, doc) {#name, "SNAP", "", "", "", unit, doc, 0, 1, 0, 64},
#include "memhelm/registers.def"
};

static const struct {
    const char *name, *irq, *decision, *raised, *missed;
} sources[] = {
#define MH_SOURCE(name, field, irq, decision, raised, missed) {#name, #irq, #decision, raised, missed},
#include "memhelm/registers.def"
};

static const struct mcu_reset {
    const char *name, *effect, *doc;
} register_resets[] =
    {
#define MH_REG_MCU_RESET(name, effect, doc) {#name, #effect, doc},
#include "memhelm/registers.def"
},
  machine_resets[] = {
#define MH_MACHINE_MCU_RESET(name, effect, doc) {#name, #effect, doc},
#include "memhelm/registers.def"
};

static const struct {
    const char *name, *effect, *doc;
    uint32_t number, count, writable;
} csrs[] = {
#define MH_CSR(name, number, count, writable, reset, doc) {#name, #reset, doc, number, count, writable},
#include "memhelm/csrs.def"
};

static const struct manual_row machine[] = {
#define MH_MACHINE_REG(name, offset, width, access, unit, doc)                                                         \
    {#name, #access, "", "", "", unit, doc, offset, 1, 0, width},
#include "memhelm/registers.def"
};

/* A group starts at an offset of the window and ends where the next one starts. */
static const struct {
    uint32_t first;
    const char *title, *text;
} groups[] = {
    {0x0000, "Identity and capability", "An image adapts to the GPU that these describe; it is not compiled for one."},
    {0x0100, "Snapshot, commit, errors",
     "SNAPSHOT latches all counters at one cycle. COMMIT applies every shadow register at one cycle or, if one is\n"
     "illegal, none: then COMMIT_BAD is the lowest offset of an illegal one, every illegal shadow is back at the\n"
     "value in force, and legal shadows keep what was written, for the next COMMIT."},
    {0x0140, "Interval timers",
     "A write to TIMER_CTRL starts the interval at that cycle; a periodic timer expires at start + k * interval\n"
     "exactly. TIMER_CTRL of a one-shot timer reads 0 after its expiry. Expiry sets the timer's bit in IRQ_PENDING.\n"
     "Timer 0 is the epoch timer: the latency of a decision runs from its expiry to the COMMIT that answers it, which\n"
     "is the first one after a SNAPSHOT 1 since the expiry. Timers 1 and 2 are for policies: the answer to an expiry "
     "is\n"
     "the first COMMIT after a read or a write of the timer's TIMER_CTRL."},
    {0x0180, "Interrupts", "One level: high while IRQ_PENDING & IRQ_ENABLE is not 0."},
    {0x01a0, "Event FIFO",
     "Bit 2 of IRQ_PENDING is set by each event queued. Once cleared it stays clear until the next event, even if\n"
     "older ones are waiting: clear the bit first, then read EVENT_POP until it gives kind 0. When the FIFO is full\n"
     "an event is dropped and counted in EVENT_LOST; only HOST_STOP has one entry more, of its own."},
    {0x01b0, "Walk arrivals",
     "While WALK_ORDER is 3 each walk that has to wait is queued here, too, and sets bit 4 of IRQ_PENDING; clear, "
     "then\n"
     "read as the event FIFO. A WALK_SCORE acts at its cycle and needs no COMMIT; it holds until no walk of the\n"
     "instruction waits any more. Instructions without one have the hardware's own score."},
    {0x01c4, "Walk epochs",
     "A walk epoch ends when WALK_EPOCH walks of all tenants have begun: their numbers go to WALK_ENQ, and bit 3 of\n"
     "IRQ_PENDING is set. The answer to it is the first COMMIT after a read of one of the new WALK_ENQ."},
    {0x01d0, "Address spaces",
     "TLB_FLUSH and PTE_CHANGED act at the cycle of the write. SM_ROOT, further below, says whose an SM is."},
    {0x01e8, "Demand paging", "What the knobs EVICT_AHEAD, EVICT_FREE and UVM_QUOTA go by."},
    {0x01f0, "Page faults",
     "Those that FAULT_EVENTS asks for are queued here and set bit 5 of IRQ_PENDING; clear, then read as the event "
     "FIFO.\n"
     "Bit 29 is that of the moment at which the fault was queued. EVICT_ARM acts at its cycle and needs no COMMIT."},
    {0x1000, "Knobs",
     "Shadow registers, one set per tenant; any value may be written, COMMIT judges. WALK_ENQ is none."},
    {0x1800, "Knobs of the whole GPU", "Shadow registers, too. A bit of an SM that does not exist is illegal."},
    {0x1a00, "Owners of walkers",
     "Shadow registers, too; CAP_WALKERS of them, or none if walkers cannot have queues (bit 9 of CAP_FEATURES)."},
    {0x2000, "Page table roots of the SMs",
     "A write takes effect at once if the SM has nothing to drain, else when it has; SM_ROOT reads what was written,\n"
     "SM_DRAINING says whether the tenant before still drains. Until then a write of that tenant gives the SM back\n"
     "to it, and one of a third tenant only changes whose the SM will be."},
};
enum { GROUPS = sizeof groups / sizeof groups[0] };

static const char *const conventions =
    "## Conventions\n\n"
    "- Registers are 4 bytes wide and aligned. Any other access, and any access to an undefined register, gets an\n"
    "  error response and is counted in BAD_ACCESSES. Registers of tenants that are not there are undefined.\n"
    "  So are those of SMs that are not there, and of all single SMs where there are more than 128: bits 2, 4 and 10 "
    "of\n"
    "  CAP_FEATURES are 0 then.\n"
    "- Bits above the width read 0 and must be written 0.\n"
    "- `CAP(x)` is a property of the GPU at hand; a capability register gives it. `MH_SM_MASK(n, w)`: the bits of\n"
    "  those of n SMs that are number 32 * w to 32 * w + 31. `COPY`: i, the number of the copy.\n"
    "- Reads by a debugger have no side effect, take no time and are not counted.\n\n"
    "| access | meaning |\n|---|---|\n"
    "| RO | constant or status, readable at any time; a write is dropped and counted in BAD_WRITES |\n"
    "| RW | takes effect at the write; an illegal value is dropped and counted in BAD_WRITES |\n"
    "| KNOB | shadow register: reads give the shadow, COMMIT applies |\n"
    "| SNAP | reads give the value latched by the last SNAPSHOT; writes as RO |\n"
    "| CMD | write-only command, reads give 0; an illegal value is dropped and counted in BAD_WRITES |\n"
    "| W1C | write 1 to clear; an illegal value is dropped and counted in BAD_WRITES |\n"
    "| POP | a read takes the head of a queue (the only read with a side effect); writes as RO |\n\n";

static void print_memory_map(void)
{
    static const struct {
        const char *name;
        uint32_t base, bytes;
        const char *what;
    } map[] = {
        {"ITCM", MH_ITCM_BASE, MH_ITCM_BYTES, "code and constants"},
        {"DTCM", MH_DTCM_BASE, MH_DTCM_BYTES, "data and stack"},
        {"ACLINT", MH_ACLINT_BASE, 0, "timer of the mcu"},
        {"UART", MH_UART_BASE, 0, "console"},
        {"MACHINE", MH_MACHINE_BASE, MH_MACHINE_BYTES, "machine block"},
        {"GPU", MH_GPU_BASE, MH_WINDOW_BYTES, "GPU register window"},
    };
    printf("## Memory map\n\n| block | base | bytes | what |\n|---|---|---|---|\n");
    for (unsigned i = 0; i < sizeof map / sizeof map[0]; i++) {
        printf("| %s | 0x%08x | ", map[i].name, map[i].base);
        if (map[i].bytes)
            printf("0x%x", map[i].bytes);
        printf(" | %s |\n", map[i].what);
    }
    printf("\n");
}

static void print_register(const struct manual_row *r)
{
    printf("| %s | 0x%04x", r->name, r->offset);
    if (r->count > 1)
        printf(" + 0x%x * i, i < %u", r->stride, r->count);
    printf(" | %u | %s | %s | ", r->width, r->access, r->reset);
    /* SNAP, POP and RO take no value. */
    bool ranged = r->access[0] != 'S' && r->access[0] != 'P' && !(r->access[0] == 'R' && r->access[1] == 'O');

    if (ranged)
        printf("%s .. %s", r->min, r->max);
    printf(" | %s | %s |\n", r->unit, r->doc);
}

static void print_group(unsigned group)
{
    uint32_t end = group + 1 < GROUPS ? groups[group + 1].first : MH_COUNTER_BASE;

    printf("### %s\n\n%s\n\n", groups[group].title, groups[group].text);
    printf(
        "| register | offset | bits | access | reset | legal | unit | meaning |\n|---|---|---|---|---|---|---|---|\n");
    for (unsigned i = 0; i < sizeof registers / sizeof registers[0]; i++)
        if (registers[i].offset >= groups[group].first && registers[i].offset < end)
            print_register(&registers[i]);
    printf("\n");
}

static void print_counters(void)
{
    printf("### Counters per tenant\n\n"
           "64-bit pairs, low word first, at 0x%x + 0x%x * tenant + the offset below; access SNAP. A counter counts\n"
           "from reset, never restarts and wraps at 2^64; a gauge gives a level, or a maximum.\n\n"
           "| counter | offset | kind | unit | meaning |\n|---|---|---|---|---|\n",
           MH_COUNTER_BASE, MH_COUNTER_STRIDE);
    for (unsigned i = 0; i < MH_COUNTERS; i++)
        printf("| %s | 0x%03x | %s | %s | %s |\n", counters[i].name, 8 * i,
               mh_counter_is_gauge(i) ? "gauge" : "counter", counters[i].unit, counters[i].doc);
    printf("\n");
}

static void print_machine(void)
{
    printf("## Machine block\n\nAt 0x%08x, beside the mcu.\n\n"
           "| register | offset | bits | access | unit | meaning |\n|---|---|---|---|---|---|\n",
           MH_MACHINE_BASE);
    for (unsigned i = 0; i < sizeof machine / sizeof machine[0]; i++)
        printf("| %s | 0x%02x | %u | %s | %s | %s |\n", machine[i].name, machine[i].offset, machine[i].width,
               machine[i].access, machine[i].unit, machine[i].doc);
    printf("\n");
}

static void print_sources(void)
{
    printf(
        "### Event sources\n\n"
        "What firmware has to answer. The number goes to BEGIN when its handler begins, the handler's mcu cycles to\n"
        "its register when it ends.\n\n"
        "| number | source | interrupt | register | raised when | missed when |\n|---|---|---|---|---|---|\n");
    for (unsigned i = 0; i < MH_SOURCES; i++)
        printf("| %u | %s | %s | %s | %s | %s |\n", i, sources[i].name, sources[i].irq, sources[i].decision,
               sources[i].raised, sources[i].missed);
}

static void print_events(void)
{
    printf("### Events\n\n| kind | event | argument |\n|---|---|---|\n"
           "| %d | none: the FIFO is empty | |\n"
           "| %d | a tenant finished its workload and was relaunched | completions mod 2^16 |\n"
           "| %d | the host asks for a status line on the uart | |\n"
           "| %d | statistics are latched: report and write EXIT | |\n"
           "| %d | a tenant has come: it is in TENANTS, its first CTAs start in this cycle | 0 |\n"
           "| %d | a tenant was taken away: it issues nothing from now on, what it has issued drains | 0 |\n"
           "| %d | a launch began whose CTAs take other resources than before (LAUNCH_EVENTS) | launch mod 2^16 |\n\n",
           MH_EVENT_NONE, MH_EVENT_TENANT_DONE, MH_EVENT_HOST_STATUS, MH_EVENT_HOST_STOP, MH_EVENT_TENANT_ARRIVED,
           MH_EVENT_TENANT_LEFT, MH_EVENT_TENANT_LAUNCH);
}

static void print_resets(const struct mcu_reset *rows, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        printf("| %s | %s | %s |\n", rows[i].name, rows[i].effect, rows[i].doc);
}

static void print_mcu_reset(void)
{
    printf(
        "\n## A reset of the mcu alone\n\n"
        "By the watchdog or after a trap loop, with mcu.on_fault recover. Knobs are at their reset values, in force.\n"
        "VALUE: the reset value, in force; FORGETS: what the command set is undone; STAYS: as it was; NOTHING: there "
        "is\n"
        "nothing to undo; OWN: as the meaning says. Other registers are status or constants.\n\n"
        "| register | effect | meaning |\n|---|---|---|\n");
    print_resets(register_resets, sizeof register_resets / sizeof register_resets[0]);
    print_resets(machine_resets, sizeof machine_resets / sizeof machine_resets[0]);
}

static void print_csrs(void)
{
    printf("\n## CSRs of the mcu\n\n"
           "Any other number is an illegal instruction. A reset of the mcu alone: ZERO, they read 0; RUNS, what was "
           "written\n"
           "is forgotten; FIXED, firmware cannot change them.\n\n"
           "| CSR | number | writable | reset | meaning |\n|---|---|---|---|---|\n");
    for (unsigned i = 0; i < sizeof csrs / sizeof csrs[0]; i++) {
        printf("| %s | 0x%03x", csrs[i].name, csrs[i].number);
        if (csrs[i].count > 1)
            printf(" .. 0x%03x", csrs[i].number + csrs[i].count - 1);
        printf(" | 0x%08x | %s | %s |\n", csrs[i].writable, csrs[i].effect, csrs[i].doc);
    }
}

int main(void)
{
    printf("# Register manual\n\nVersion %d of the register table; made from it, do not edit.\n\n",
           MH_REGISTERS_VERSION);
    print_memory_map();
    printf("%s", conventions);
    printf("## GPU register window\n\n%d bytes at 0x%08x.\n\n", MH_WINDOW_BYTES, MH_GPU_BASE);
    for (unsigned i = 0; i < GROUPS; i++)
        print_group(i);
    print_events();
    print_counters();
    print_machine();
    print_sources();
    print_mcu_reset();
    print_csrs();
    return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
