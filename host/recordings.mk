# Recorded results: CALL_NAME is the call of memhelm that makes NAME.json.zst and NAME.md. A part of a study that is
# recorded by itself, so that a change of it takes minutes, is a line too: dws-headline.
#
#   make results                     every evaluation; latency, oracles and sensitivity have targets of their own
#   make results STUDIES="simt map"  these alone, of any target
#
# Of the figures only those are kept that are there already, because a README shows them, and pages link to no other; `memhelm reproduce NAME --plots DIR
# --from-recorded` draws all. A call that is interrupted leaves what was recorded before. Finished runs are kept: the next one goes on.

RECORDING := $(BUILD)/recording

# Recordings by older presets or images, which are made anew next: `make check-all` and `make recheck` pass them over.
TO_RECORD := regular compose \
	ccbp-doubling latency \
	mask-sensitivity ccbp-sensitivity

FIGURES := --plots $(RECORDING)
STUDIES ?=

# One seed, and five of the rows that the README quotes: NAME-headline. Of simt all rows have five: it takes minutes.
CALL_mask := reproduce mask $(FIGURES)
CALL_simt := reproduce simt --seeds 1-5 $(FIGURES)
CALL_dws := reproduce dws $(FIGURES)
CALL_etc := reproduce etc $(FIGURES)
CALL_ccbp := reproduce ccbp $(FIGURES)
CALL_mask-headline := reproduce mask --seeds 1-5 $(addprefix --row ,fig3-sharedtlb fig11-mask fig15-unfairness)
CALL_dws-headline := reproduce dws --seeds 1-5 --row fig5-dws-heavy
CALL_etc-headline := reproduce etc --seeds 1-5 --row fig12-etc-75 --row fig10-irregular-75
CALL_ccbp-headline := reproduce ccbp --seeds 1-5 --row own-twelve --row own-twelve-w
CALL_regular := reproduce regular
CALL_causes := reproduce causes
CALL_map := reproduce map $(FIGURES)
CALL_partition := reproduce partition
CALL_today := reproduce today $(FIGURES)
# Each GPU's rows with seeds 1-5; `today` has the tables and figures.
TODAY_ROWS = $(patsubst %,--row %,$(shell sed -n 's/^  - {id: \($1-[a-z0-9-]*\), figure:.*/\1/p' host/reproduce/today.yaml))
CALL_today-a100 = reproduce today --seeds 1-5 $(call TODAY_ROWS,a100)
CALL_today-h100 = reproduce today --seeds 1-5 $(call TODAY_ROWS,h100)
# As native twins, but for the table of clocks; NAME-headline has the translation tables with five seeds.
CALL_helm := reproduce helm --twin
CALL_helm-headline := reproduce helm --twin --seeds 1-5 $(addprefix --row ,mask many dws simt)
CALL_published := reproduce published $(FIGURES)
CALL_compose := reproduce compose
$(foreach s,simt mask dws ccbp,$(eval CALL_$s-traces := reproduce $s --traces))
$(foreach s,simt ccbp,$(eval CALL_$s-doubling := reproduce $s --doubling))
RECORD_results := mask simt dws etc ccbp mask-headline etc-headline ccbp-headline regular map partition published helm helm-headline today today-a100 today-h100 \
	compose simt-traces mask-traces dws-traces ccbp-traces simt-doubling ccbp-doubling

# What it costs that policies decide on a small core.
CALL_latency := latency $(FIGURES)
RECORD_latency := latency

# What the headlines depend on, on the quick subsets and with native twins.
# Of simt half of its study's window: all values take half an hour then.
$(foreach s,mask dws etc ccbp,$(eval CALL_$s-sensitivity := sensitivity $s --quick --twin $$(FIGURES)))
CALL_simt-sensitivity := sensitivity simt --quick --twin --cycles 10000000 $(FIGURES)
$(foreach g,a100 h100,$(eval CALL_$g-sensitivity := sensitivity published --row $g-mix --twin $$(FIGURES)))
# Gains and losses of study today with a language model, over the values of translation and of the L2.
CALL_today-sensitivity := sensitivity today $(addprefix --row a100-,dws-4k mask-64k simt-64k dws-64k mask-2m) \
	--workload DECODE+EMBED --workload PREFILL+DECODE --twin $(FIGURES) $(addprefix --key ,\
	l1tlb.mshrs gpctlb.entries gpctlb.covers l2tlb.entries l2tlb.covers l2tlb.mshrs walk.walkers l2.slice_hash l2.far)
RECORD_sensitivity := $(addsuffix -sensitivity,mask simt dws etc ccbp a100 h100 today)

# The combinations that ccbp's rows call oracles: the paper's pairs, and its case studies with CTAs of 64 threads. Windows
# are what two hours of two processors allow; the best of each pair run once more in the study's window, ten and twenty
# times as long.
CASES := --pairs all --workload BP+CFD@64 --workload CFD@64+FDTD
FINALS := --finalists 2 --cycles 5000000 --from host/reproduce/results
CALL_ccbp-oracle := search $(CASES) --cycles 500000
CALL_ccbp-spatial-oracle := search --pairs all --spatial --cycles 250000
CALL_ccbp-oracle-finals := search $(CASES) $(FINALS)/ccbp-oracle.json.zst
CALL_ccbp-spatial-oracle-finals := search --pairs all --spatial $(FINALS)/ccbp-spatial-oracle.json.zst
RECORD_oracles := ccbp-oracle ccbp-spatial-oracle ccbp-oracle-finals ccbp-spatial-oracle-finals

recorded_in = host/$(if $(filter $(RECORD_latency),$(1)),latency,$(if $(filter $(RECORD_sensitivity),$(1)),sensitivity,reproduce))/results
recorded_known = $(if $(CALL_$(1)),$(1),$(error STUDIES: no recording is called $(1); there are: $(sort $(foreach \
	t,results latency sensitivity oracles,$(RECORD_$(t))))))
record = echo "recording $(1)" && rm -rf $(RECORDING) && mkdir -p $(RECORDING) $(2) && \
	$(BUILD)/memhelm $(CALL_$(1)) --json $(RECORDING)/$(1).json.zst --markdown $(RECORDING)/$(1).md > /dev/null && \
	for f in $(RECORDING)/*.svg; do [ ! -e $$f ] || [ -e $(2)/$${f\#\#*/} ] || sed -i "/^!.*($${f\#\#*/})\$$/,+1d" $(RECORDING)/$(1).md || exit; done && \
	for f in $(RECORDING)/*; do case $$f in *.zst | *.md) ;; *) [ -e $(2)/$${f\#\#*/} ] || continue ;; esac; mv $$f $(2) || exit; done

.PHONY: results latency sensitivity oracles
results: RECORD_results += $(RECORD_latency)
results latency sensitivity oracles: everything
	@$(foreach s,$(foreach s,$(or $(STUDIES),$(RECORD_$@)),$(call recorded_known,$(s))),$(call record,$(s),$(call recorded_in,$(s))) || exit;)
