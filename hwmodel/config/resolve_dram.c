/* Refuses a DRAM channel that cannot work, with the reason. */
#include <string.h>

#include "config/internal.h"
#include "dram/map.h"
#include "memhelm/config_file.h"

static int check_ranges(const struct mh_dram_cfg *d, struct mh_error *err)
{
    struct mh_config c; /* fields are found from the start of the whole */

    memset(&c, 0, sizeof c);
    memcpy(&c.dram, d, sizeof *d);
    for (size_t i = 0; i < mh_config_fields.count; i++) {
        const struct mh_field *f = &mh_config_fields.field[i];

        if (!strncmp(f->name, "dram.", strlen("dram.")) && mh_field_check(f, &c, f->name, "", err))
            return -1;
    }
    return 0;
}

static int check_powers(const struct mh_dram_cfg *d, struct mh_error *err)
{
    const struct {
        const char *key;
        uint32_t value;
    } rows[] = {
        {"dram.banks", d->banks},
        {"dram.row_bytes", d->row_bytes},
        {"dram.bus_bytes", d->bus_bytes},
        {"dram.burst", d->burst},
        {"dram.data_rate", d->data_rate},
        {"dram.ranks", d->ranks ? d->ranks : 1},
        {"dram.groups", d->groups ? d->groups : 1},
        {"dram.request_bytes", d->request_bytes ? d->request_bytes : MH_LINE_BYTES},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!mh_power_of_two(rows[i].value))
            return mh_fail(err, "%s: %u is not a power of two; addresses are divided by bits", rows[i].key,
                           rows[i].value);
    return 0;
}

static int check_geometry(const struct mh_dram_cfg *d, struct mh_error *err)
{
    uint32_t bytes = d->request_bytes ? d->request_bytes : MH_LINE_BYTES;

    if (d->bus_bytes * d->burst > bytes)
        return mh_fail(err, "dram.burst: %u beats of %u bytes (dram.bus_bytes) are more than a %s of %u bytes%s",
                       d->burst, d->bus_bytes, d->request_bytes ? "request" : "line", bytes,
                       d->request_bytes ? " (dram.request_bytes)" : "");
    if (bytes / (d->bus_bytes * d->burst) > UINT8_MAX) /* mh_dq_entry.left counts them down */
        return mh_fail(err, "dram.request_bytes: %u are more than %u bursts", bytes, (unsigned)UINT8_MAX);
    if (bytes > d->row_bytes)
        return mh_fail(err, "dram.row_bytes: %u, but a request has %u (dram.request_bytes)", d->row_bytes, bytes);
    if (d->ranks > 1 && d->ranks * d->banks > MH_MAX_DRAM_BANKS)
        return mh_fail(err, "dram.ranks: %u of %u banks; a channel has at most %d banks", d->ranks, d->banks,
                       MH_MAX_DRAM_BANKS);
    if (d->ranks > 1 && d->ranks * d->groups > MH_MAX_DRAM_GROUPS)
        return mh_fail(err, "dram.groups: %u in each of %u ranks (dram.ranks); a channel has at most %d bank groups",
                       d->groups, d->ranks, MH_MAX_DRAM_GROUPS);
    if (d->groups > d->banks)
        return mh_fail(err, "dram.groups: %u groups of %u banks", d->groups, d->banks);
    return 0;
}

static int check_long(const char *key, uint32_t inside, uint32_t between, struct mh_error *err)
{
    if (!inside || inside >= between)
        return 0;
    return mh_fail(err, "dram.%s_l: %u within a bank group is shorter than dram.%s %u between two", key, inside, key,
                   between);
}

/* Between two refreshes of a bank there must be time for a row, and between those of two banks for an ACT: otherwise
 * refreshes keep requests out. */
static int check_bank_refresh(const struct mh_dram_cfg *d, struct mh_error *err)
{
    uint32_t banks = d->banks * (d->ranks ? d->ranks : 1);

    if (d->refi <= d->rfc_bank + d->rp + d->rc)
        return mh_fail(err,
                       "dram.refi: %u leaves no time beside a bank's refresh of %u (dram.rfc_bank) and a row of %u",
                       d->refi, d->rfc_bank, d->rp + d->rc);
    if (d->refi / banks <= d->rrefd + d->rrd)
        return mh_fail(err, "dram.refi: %u for the refresh of %u banks in turn; each takes more than rrefd + rrd = %u",
                       d->refi, banks, d->rrefd + d->rrd);
    return 0;
}

static int check_timing(const struct mh_dram_cfg *d, struct mh_error *err)
{
    if (d->ccd * d->data_rate < d->burst)
        return mh_fail(err, "dram.ccd: %u cycles, but a burst of %u beats at %u per cycle (dram.data_rate) takes %u",
                       d->ccd, d->burst, d->data_rate, (d->burst + d->data_rate - 1) / d->data_rate);
    if (d->rc < d->ras)
        return mh_fail(err, "dram.rc: %u is shorter than dram.ras %u", d->rc, d->ras);
    if (d->faw < d->rrd)
        return mh_fail(err,
                       "dram.faw: %u for four activates is shorter than dram.rrd %u between two; at least %u, which "
                       "limits nothing",
                       d->faw, d->rrd, d->rrd);
    if (d->aw32 && d->aw32 < 8 * d->faw)
        return mh_fail(
            err,
            "dram.aw32: %u is shorter than the eight windows of dram.faw %u that 32 activates take; at least "
            "%u, or 0",
            d->aw32, d->faw, 8 * d->faw);
    uint32_t closing = d->rp + d->banks * (d->ranks ? d->ranks : 1) * d->ppd;

    if (d->refi && !d->rfc_bank && d->refi <= d->rfc + closing)
        return mh_fail(
            err,
            "dram.refi: %u leaves no time beside a refresh of %u (dram.rfc) and precharges of %u (dram.rp, dram.ppd)",
            d->refi, d->rfc, closing);
    if (d->refi && d->rfc_bank && check_bank_refresh(d, err))
        return -1;
    return check_long("ccd", d->ccd_l, d->ccd, err) || check_long("rrd", d->rrd_l, d->rrd, err) ||
                   check_long("wtr", d->wtr_l, d->wtr, err)
               ? -1
               : 0;
}

/* An L2 miss that evicts a dirty line needs two places, of the normal queue if it must. */
static int check_queues(const struct mh_dram_cfg *d, struct mh_error *err)
{
    const char *queue = d->write_queue ? "write_queue" : "queue";
    uint32_t places = d->write_queue ? d->write_queue : d->queue;

    if (d->write_low >= d->write_high || d->write_high > places)
        return mh_fail(err, "dram.write_low %u, dram.write_high %u, dram.%s %u: must be write_low < write_high <= %s",
                       d->write_low, d->write_high, queue, places, queue);
    if (d->scheduler == MH_DRAM_MPKI && !d->golden)
        return mh_fail(err,
                       "dram.scheduler: mpki orders tenants in the queues of DRAM_QUEUES, of which there are none; "
                       "set dram.golden, dram.silver and dram.normal");
    if (d->golden && !d->silver)
        return mh_fail(err, "dram.silver: 0 beside dram.golden %u; set it, or dram.golden to 0 for no such queues",
                       d->golden);
    /* With fewer places than write_high a drain would never begin. */
    if (d->golden && (d->normal < 2 || (!d->write_queue && d->normal < d->write_high)))
        return mh_fail(err, "dram.normal: %u; must be at least 2 and at least dram.write_high %u: it holds the writes",
                       d->normal, d->write_high);
    return 0;
}

int mh_config_check_dram(const struct mh_dram_cfg *d, struct mh_error *err)
{
    struct mh_dram_map map;

    if (check_ranges(d, err) || check_powers(d, err) || check_geometry(d, err) || check_timing(d, err) ||
        check_queues(d, err))
        return -1;
    return mh_dram_map_init(&map, d, err);
}
