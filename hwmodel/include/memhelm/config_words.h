/* Words of the configuration as numbers, each in the order of its row in config.def. */
#ifndef MEMHELM_CONFIG_WORDS_H
#define MEMHELM_CONFIG_WORDS_H

/** mcu.on_fault */
enum mh_on_fault { MH_ON_FAULT_STOP, MH_ON_FAULT_RECOVER };

/** sm.scheduler, sm.scheduler_alone */
enum mh_scheduler { MH_GTO, MH_LRR, MH_LRR_GTO, MH_TWO_LEVEL, MH_SCHEDULER_SAME };

/** sm.lsu_order */
enum mh_lsu_rule { MH_LSU_SHARED, MH_LSU_PER_KERNEL };

/** l1d.index, l1tlb.index, gpctlb.index, l2tlb.index, which name the first two */
enum mh_set_rule {
    MH_SETS_MODULO, /**< the low bits; of sets that are no power of two the remainder */
    MH_SETS_FOLD, /**< the low bits XORed with as many above them; of sets that are no power of two the sum of digits */
    MH_SETS_FERMI, /**< Fermi's L1D, 32 or 64 sets (Nugteren et al., HPCA 2014); GPGPU-Sim's index function `H` */
    MH_SETS_WIDE,  /**< of lines with more bits than a tag holds (engine/sets.h) */
};

/** l1d.store_hit */
enum mh_store_hit { MH_STORE_HIT_KEEP, MH_STORE_HIT_DROP };

/** l1d.store_miss */
enum mh_store_miss { MH_STORE_MISS_NO_ALLOCATE, MH_STORE_MISS_ALLOCATE };

/** l1d.rate_clock */
enum mh_rate_clock { MH_RATE_NOC, MH_RATE_GPU };

/** l1tlb.on_miss */
enum mh_on_miss { MH_ON_MISS_PASS, MH_ON_MISS_HOLD };

/** noc.queues */
enum mh_noc_queues { MH_QUEUES_OUTPUT, MH_QUEUES_INPUT };

/** l2.slice_hash */
enum mh_slice_hash { MH_SLICES_FOLD, MH_SLICES_MODULO, MH_SLICES_IPOLY };

/** l2.partial_stores */
enum mh_partial_stores { MH_PARTIAL_FETCH, MH_PARTIAL_LAZY };

/** l2.stores */
enum mh_l2_stores { MH_STORES_BACK, MH_STORES_THROUGH };

/** l2.far */
enum mh_l2_far { MH_FAR_HOME, MH_FAR_COPY };

/** l2.atomics */
enum mh_l2_atomics_at { MH_ATOMICS_OFF, MH_ATOMICS_BANK };

/** l2tlb.mshr_table */
enum mh_mshr_table { MH_MSHR_TABLE_SPLIT, MH_MSHR_TABLE_ONE };

/** l2tlb.lanes */
enum mh_l2tlb_lanes { MH_LANES_TENANT, MH_LANES_ONE };

/** walk.format */
enum mh_walk_format { MH_WALK_FORMAT_PLAIN, MH_WALK_FORMAT_AMPERE, MH_WALK_FORMAT_HOPPER };

/** walk.pwc_index */
enum mh_pwc_index { MH_PWC_INDEX_ENTRY, MH_PWC_INDEX_NODE };

/** dram.command_order */
enum mh_command_order { MH_COMMANDS_DEFAULT, MH_COMMANDS_ACTS, MH_COMMANDS_HITS, MH_COMMANDS_BANKS };

/** dram.permute */
enum mh_dram_permute { MH_PERMUTE_DEFAULT, MH_PERMUTE_XOR, MH_PERMUTE_NONE };

/** dram.rows */
enum mh_dram_rows { MH_ROWS_DEFAULT, MH_ROWS_OPEN, MH_ROWS_CLOSED };

/** dram.scheduler */
enum mh_dram_scheduler { MH_DRAM_DEFAULT, MH_DRAM_FR_FCFS, MH_DRAM_MPKI };

/** memory.owned */
enum mh_memory_owned { MH_OWNED_EIGHTH, MH_OWNED_WHOLE };

/** uvm.mode */
enum mh_uvm_mode { MH_UVM_OFF, MH_UVM_ON };

/** uvm.prefetch */
enum mh_prefetcher { MH_PREFETCH_NONE, MH_PREFETCH_TREE, MH_PREFETCH_ZHENG, MH_PREFETCH_DRIVER };

/** uvm.evict */
enum mh_uvm_evict { MH_EVICT_AGE, MH_EVICT_LRU, MH_EVICT_RANDOM, MH_EVICT_BLOCK };

/** uvm.sharing */
enum mh_uvm_sharing { MH_SHARING_DERIVED, MH_SHARING_PAPER };

/** uvm.evict_amount */
enum mh_evict_amount { MH_EVICT_PAGE, MH_EVICT_FAULT, MH_EVICT_BATCH, MH_EVICT_MOST };

/** uvm.evict_wait */
enum mh_evict_wait { MH_EVICT_WAIT_ALL, MH_EVICT_WAIT_FIRST };

/** uvm.compression */
enum mh_uvm_compression { MH_COMPRESSION_NONE, MH_COMPRESSION_LCP };

/** workload.instructions */
enum mh_instruction_set { MH_INSTRUCTIONS_LLVM, MH_INSTRUCTIONS_PTX };

#endif
