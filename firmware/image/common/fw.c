#include "fw.h"

#include <stddef.h>

#include "../../platform/console.h"
#include "../../platform/mcu.h"

/* An interrupt saves what its handler uses: what is seldom needed stays out of fw_irq(), with its registers. */
#define APART __attribute__((noinline))

static struct {
    const struct image *image;
    struct gpu_caps caps;
    /* Those with a hook for walk epochs, in the image's order, NULL behind the last: to ask all takes as long. */
    const struct policy *walk_policies[FW_WALK_POLICIES + 1];
    const struct policy *fault_policies[FW_FAULT_POLICIES + 1]; /* the same for page faults: up to 64 at a time */
    uint32_t irqs;                                              /* those that this image serves */
    uint32_t epochs;                                            /* decisions made */
    uint32_t rejected; /* register because of which a COMMIT was; 0: none was */
    bool events_wait;  /* one came while another was served */
} fw;

/* The last line and EXIT. `reason` NULL is PASS. */
static _Noreturn void finish(uint32_t code, const char *reason, const char *detail)
{
    struct mcu_stack stack = mcu_stack_usage();

    if (reason == NULL && stack.size != 0 && stack.used >= stack.size) {
        code = FW_FAIL_STACK;
        reason = "the stack was used to its last word";
    }
    console_printf("memhelm: %s image=%s epochs=%u", reason == NULL ? "PASS" : "FAIL", fw.image->name,
                   (unsigned)fw.epochs);
    if (stack.size != 0)
        console_printf(" stack=%u/%u", (unsigned)stack.used, (unsigned)stack.size);
    if (reason != NULL)
        console_printf(" reason=%s%s", reason, detail);
    if (fw.rejected != 0)
        console_printf(" register=0x%x", (unsigned)fw.rejected);
    console_printf("\n");
    machine_write(MH_MACHINE_STACK_USED, stack.used);
    mcu_exit(code);
}

/*
 * A rejected COMMIT ends the run: what came after would be another policy's. The machine knows knob, value and range.
 * The watchdog hears of every COMMIT that has ended: nothing else shows that decisions are still made.
 */
static void commit(void)
{
    if (gpu_commit(&fw.rejected) != GPU_OK)
        finish(FW_FAIL_COMMIT, "a COMMIT was rejected", "");
    machine_write(MH_MACHINE_WATCHDOG_KICK, 1);
}

/*
 * The work for an event source begins. It ends with a write of its mcu cycles to the source's register: mcycle around
 * the policies, with SNAPSHOT and COMMIT, less the bus stalls. mcycle jumps while the mcu sleeps; a decision does not
 * sleep. How late it took effect, stalls included, the GPU window measures by itself.
 */
static struct mcu_time begin(enum mh_source source)
{
    machine_write(MH_MACHINE_BEGIN, source);
    return mcu_now();
}

static void probe(void)
{
    switch (gpu_probe(&fw.caps)) {
    case GPU_OK:
        break;
    case GPU_WRONG_VERSION:
        finish(FW_FAIL_GPU, "the GPU window has another register table than this image: build both again", "");
    case GPU_TOO_MANY_TENANTS:
        finish(FW_FAIL_GPU, "CAP_TENANTS is 0 or more than GPU_MAX_TENANTS", "");
    default:
        finish(FW_FAIL_GPU, "no GPU window: ID does not read MHEL", "");
    }
}

static void boot_line(void)
{
    uint32_t resets = mcu_resets();

    console_printf("memhelm: boot image=%s version=" FW_VERSION " registers=%u sms=%u tenants=%u warps=%u epoch=%u",
                   fw.image->name, MH_REGISTERS_VERSION, (unsigned)fw.caps.sms, (unsigned)fw.caps.tenants,
                   (unsigned)fw.caps.warps, (unsigned)fw.caps.epoch);
    for (const struct policy *const *policy = fw.image->policies; *policy != NULL; policy++)
        console_printf("%s%s", policy == fw.image->policies ? " policies=" : ",", (*policy)->name);
    if (resets != 0)
        console_printf(" resets=%u", (unsigned)resets);
    console_printf("\n");
}

/* An interrupt without a hook would cost mcu time and a COMMIT. */
static uint32_t served_irqs(void)
{
    uint32_t irqs = MH_IRQ_TIMER0 | MH_IRQ_EVENT;

    if (fw.walk_policies[0] != NULL)
        irqs |= MH_IRQ_WALK_EPOCH;
    if (fw.fault_policies[0] != NULL)
        irqs |= MH_IRQ_PAGE_FAULT;
    for (const struct policy *const *policy = fw.image->policies; *policy != NULL; policy++) {
        if ((*policy)->on_arrival != NULL)
            irqs |= MH_IRQ_WALK_ARRIVAL;
        if ((*policy)->on_timer != NULL)
            irqs |= MH_IRQ_TIMER1;
        if ((*policy)->on_timer_2 != NULL)
            irqs |= MH_IRQ_TIMER2;
    }
    return irqs;
}

static void find_walk_policies(void)
{
    uint32_t count = 0;

    for (const struct policy *const *policy = fw.image->policies; *policy != NULL; policy++) {
        if ((*policy)->on_walk_epoch == NULL)
            continue;
        if (count == FW_WALK_POLICIES)
            finish(FW_FAIL_POLICY, "more policies with on_walk_epoch than FW_WALK_POLICIES: ", (*policy)->name);
        fw.walk_policies[count++] = *policy;
    }
    fw.walk_policies[count] = NULL;
}

static void find_fault_policies(void)
{
    uint32_t count = 0;

    for (const struct policy *const *policy = fw.image->policies; *policy != NULL; policy++) {
        if ((*policy)->on_page_fault == NULL)
            continue;
        if (count == FW_FAULT_POLICIES)
            finish(FW_FAIL_POLICY, "more policies with on_page_fault than FW_FAULT_POLICIES: ", (*policy)->name);
        fw.fault_policies[count++] = *policy;
    }
    fw.fault_policies[count] = NULL;
}

/* Timers of before a reset of the mcu may run or have expired: no policy waits for those. Cleared before init, which
 * may set them: a slow mcu finds them expired at the end of the boot. */
static void stop_timers(void)
{
    const uint32_t timers = fw.irqs & (MH_IRQ_TIMER1 | MH_IRQ_TIMER2);

    if (timers & MH_IRQ_TIMER1)
        gpu_timer_stop(FW_TIMER);
    if (timers & MH_IRQ_TIMER2)
        gpu_timer_stop(FW_TIMER_2);
    if (timers != 0)
        gpu_clear_irqs(timers);
}

void fw_init(const struct image *image)
{
    fw.image = image;
    fw.epochs = 0;
    fw.rejected = 0;
    find_walk_policies();
    find_fault_policies();
    fw.irqs = served_irqs();
    gpu_enable_irqs(0);
    probe();
    boot_line();
    stop_timers();
    for (const struct policy *const *policy = image->policies; *policy != NULL; policy++)
        if ((*policy)->init != NULL && (*policy)->init(&fw.caps) != POLICY_OK)
            finish(FW_FAIL_POLICY, "this GPU lacks what the policy steers: ", (*policy)->name);
    /* GPU time begins at the COMMIT, and with it the first epoch. */
    if (!gpu_timer_start(0, fw.caps.epoch, GPU_TIMER_PERIODIC))
        finish(FW_FAIL_TIMER, "CAP_EPOCH is no legal TIMER_INTERVAL", "");
    commit();
    /* An epoch of before a reset of the mcu is void; entries that wait in a FIFO still need an answer. */
    gpu_clear_irqs(MH_IRQ_TIMER0 | MH_IRQ_WALK_EPOCH);
    gpu_enable_irqs(fw.irqs);
}

/* Always one COMMIT, also when no knob changed: it ends the decision, and the model measures latency by it. */
static APART void epoch(void)
{
    struct mcu_time start = begin(MH_SOURCE_EPOCH);

    gpu_snapshot();
    for (const struct policy *const *policy = fw.image->policies; *policy != NULL; policy++)
        if ((*policy)->on_epoch != NULL)
            (*policy)->on_epoch(&fw.caps);
    commit();
    fw.epochs++;
    machine_write(MH_MACHINE_DECISION, mcu_cycles_since(start));
}

static void walk_epoch(void)
{
    struct mcu_time start = begin(MH_SOURCE_WALK_EPOCH);

    for (const struct policy *const *policy = fw.walk_policies; *policy != NULL; policy++)
        (*policy)->on_walk_epoch(&fw.caps);
    commit();
    machine_write(MH_MACHINE_WALK_DECISION, mcu_cycles_since(start));
}

static APART void arrivals(void)
{
    struct mcu_time start = begin(MH_SOURCE_ARRIVAL);

    for (const struct policy *const *policy = fw.image->policies; *policy != NULL; policy++)
        if ((*policy)->on_arrival != NULL)
            (*policy)->on_arrival(&fw.caps);
    machine_write(MH_MACHINE_ARRIVAL_DECISION, mcu_cycles_since(start));
}

/* All that wait have one COMMIT. Not more than the FIFO holds: others must have their turn. */
static void page_faults(void)
{
    struct mcu_time start = begin(MH_SOURCE_PAGE_FAULT);
    struct gpu_page_fault fault;

    for (uint32_t i = 0; i < MH_PAGE_FAULT_FIFO && gpu_pop_page_fault(&fault); i++)
        for (const struct policy *const *policy = fw.fault_policies; *policy != NULL; policy++)
            (*policy)->on_page_fault(&fw.caps, &fault);
    commit();
    machine_write(MH_MACHINE_PAGE_FAULT_DECISION, mcu_cycles_since(start));
}

/* It runs: a policy has set it anew since it expired, and does not wait for that expiry any more. */
static void timer(void)
{
    struct mcu_time start = begin(MH_SOURCE_TIMER);

    if (!gpu_timer_runs(FW_TIMER))
        for (const struct policy *const *policy = fw.image->policies; *policy != NULL; policy++)
            if ((*policy)->on_timer != NULL)
                (*policy)->on_timer(&fw.caps);
    commit();
    machine_write(MH_MACHINE_TIMER_DECISION, mcu_cycles_since(start));
}

static void timer_2(void)
{
    struct mcu_time start = begin(MH_SOURCE_TIMER_2);

    if (!gpu_timer_runs(FW_TIMER_2))
        for (const struct policy *const *policy = fw.image->policies; *policy != NULL; policy++)
            if ((*policy)->on_timer_2 != NULL)
                (*policy)->on_timer_2(&fw.caps);
    commit();
    machine_write(MH_MACHINE_TIMER_2_DECISION, mcu_cycles_since(start));
}

/* A fault first: what it changes may make the expiry void. */
static APART void faults_and_timers(uint32_t pending)
{
    if (pending & MH_IRQ_PAGE_FAULT)
        page_faults();
    if (pending & MH_IRQ_TIMER1)
        timer();
    if (pending & MH_IRQ_TIMER2)
        timer_2();
}

/* The COMMIT as for an epoch: without one an event that no policy cares for would count as missed. */
static void tenant_event(const struct gpu_event *event)
{
    struct mcu_time start = begin(MH_SOURCE_TENANT);

    for (const struct policy *const *policy = fw.image->policies; *policy != NULL; policy++)
        if ((*policy)->on_event != NULL)
            (*policy)->on_event(&fw.caps, event);
    commit();
    machine_write(MH_MACHINE_EVENT_DECISION, mcu_cycles_since(start));
}

/* In the order of their deadlines. */
static void serve(uint32_t pending)
{
    if (pending & MH_IRQ_WALK_EPOCH)
        walk_epoch();
    if (pending & MH_IRQ_WALK_ARRIVAL)
        arrivals();
    if (pending & (MH_IRQ_PAGE_FAULT | MH_IRQ_TIMER1 | MH_IRQ_TIMER2))
        faults_and_timers(pending);
    if (pending & MH_IRQ_TIMER0)
        epoch();
}

/* Something takes long that can wait. Events wait for events(), which looks for them again. */
static void serve_meanwhile(void)
{
    uint32_t pending = gpu_take_irqs() & fw.irqs;

    fw.events_wait |= (pending & MH_IRQ_EVENT) != 0;
    serve(pending);
}

/* The console is slow: whatever is due goes first, and a knob that is 0 is left out. */
static APART void show_knob(const char *format, const char *name, uint32_t value)
{
    if (value == 0)
        return;
    serve_meanwhile();
    console_printf_unchecked(format, name, (unsigned)value);
}

/* Knobs that no image sets: a status line without them keeps every image in its size. */
#define NOT_SHOWN(knob) ((knob) == MH_REG_TLB_PREFETCH)

/*
 * The knobs are those of the register table: a new one appears here by itself, but for those of walkers. With eight
 * tenants the line takes longer than an epoch.
 */
static APART void status_line(void)
{
    console_printf("memhelm: status image=%s epochs=%u", fw.image->name, (unsigned)fw.epochs);
    for (uint32_t tenant = 0; tenant < fw.caps.tenants; tenant++) {
        console_printf(" t%u:", (unsigned)tenant);
#define SHOW_KNOB(name)                                                                                                \
    if (MH_REG_##name##_STRIDE == MH_TENANT_STRIDE)                                                                    \
        show_knob(" %s=%u", #name, gpu_knob(name, tenant));
#define SHOW_RO(name)
#define SHOW_RW(name)
#define SHOW_SNAP(name)
#define SHOW_CMD(name)
#define SHOW_W1C(name)
#define SHOW_POP(name)
#define MH_REG(name, offset, count, stride, width, access, ...) SHOW_##access(name)
#include "memhelm/registers.def"
    }
#undef SHOW_KNOB
#define SHOW_KNOB(name)                                                                                                \
    if (!MH_REG_##name##_STRIDE && !NOT_SHOWN(MH_REG_##name))                                                          \
        show_knob(" %s=0x%x", #name, gpu_knob(name, 0));
#define MH_REG(name, offset, count, stride, width, access, ...) SHOW_##access(name)
#include "memhelm/registers.def"
    console_printf("\n");
}

/*
 * One status line for all requests so far: printing it can take longer than the time between two questions. None at the
 * end. Several tenants' events can take longer than a walk epoch: what comes up between two of them goes first.
 */
static APART void take_events(void)
{
    struct gpu_event event;
    bool status = false, end = false;

    while (!end && gpu_pop_event(&event)) {
        if (event.kind == MH_EVENT_HOST_STATUS) {
            status = true;
        } else if (event.kind == MH_EVENT_HOST_STOP) {
            end = true;
        } else {
            tenant_event(&event);
            serve(gpu_take_irqs() & fw.irqs);
        }
    }
    if (end)
        finish(0, NULL, ""); /* in time: a line takes longer, and tells of a run that is over */
    if (status)
        status_line();
}

static APART void events(void)
{
    do {
        fw.events_wait = false;
        take_events();
    } while (fw.events_wait);
}

void fw_irq(void)
{
    uint32_t pending = gpu_take_irqs() & fw.irqs;

    serve(pending);
    if (pending & MH_IRQ_EVENT)
        events();
}
