# SPDX-License-Identifier: GPL-3.0-or-later
# GNU make: the engine, all that a run needs as one WebAssembly module. Called by `make wasm`, which
# gives the variables:
#   top       the directory of the sources
#   out       the directory to build in
#   own       the sources of lib, bondgraph and mech2d, relative to top
#   sundials, suitesparse, yaml  directories of these sources
#   CLANG, VERSION, PACK and WASM_OPT, which may be empty

objects := $(out)/objects

# What a run does not need and WebAssembly has not: other programs, threads, libraries to load.
left_out := \
	lib/core/output.c \
	lib/core/process.c \
	lib/data/units_udunits.c \
	lib/graph/digraph_igraph.c \
	lib/linalg/marquardt.c \
	lib/tape/native.c \
	bondgraph/text/bgt_build.c \
	bondgraph/text/bgt_read.c \
	bondgraph/text/bgt_values.c \
	bondgraph/text/compact.c \
	bondgraph/text/compact_part.c \
	bondgraph/text/compact_scan.c \
	mech2d/study/study_run.c

ours := $(filter-out $(left_out),$(filter %.c,$(own))) \
	bondgraph/text/bgt_none.c bondgraph/text/compact_none.c lib/data/units_none.c lib/tape/native_none.c tools/engine/engine.c \
	tools/scene/scene_force.c tools/scene/scene_shape.c tools/scene/scene_svg.c \
	tools/scene/scene_view.c

ida := ida ida_ic ida_io ida_ls ida_nls
sundials_core := context direct linearsolver logger math matrix memory nonlinearsolver nvector \
	profiler version
sundials_rest := src/nvector/serial/nvector_serial.c src/sunmatrix/sparse/sunmatrix_sparse.c \
	src/sunmatrix/band/sunmatrix_band.c src/sunmatrix/dense/sunmatrix_dense.c \
	src/sunnonlinsol/newton/sunnonlinsol_newton.c
theirs_sundials := $(ida:%=src/ida/%.c) $(sundials_core:%=src/sundials/sundials_%.c) \
	$(sundials_rest)
# with integers of 32 bits, as the program calls them
klu := klu klu_analyze klu_analyze_given klu_defaults klu_diagnostics klu_dump klu_extract klu_factor \
	klu_free_numeric klu_free_symbolic klu_kernel klu_memory klu_refactor klu_scale klu_solve \
	klu_sort klu_tsolve
amd := amd_1 amd_2 amd_aat amd_control amd_defaults amd_info amd_order amd_post_tree amd_postorder \
	amd_preprocess amd_valid
btf := btf_maxtrans btf_order btf_strongcomp
theirs_suitesparse := $(klu:%=KLU/Source/%.c) $(amd:%=AMD/Source/%.c) $(btf:%=BTF/Source/%.c) \
	COLAMD/Source/colamd.c SuiteSparse_config/SuiteSparse_config.c
theirs_yaml := $(patsubst %,src/%.c,api loader parser reader scanner)

# in order: like code stands together, which packs better
all_objects := $(sort $(ours:%.c=$(objects)/own/%.o) \
	$(theirs_sundials:%.c=$(objects)/sundials/%.o) \
	$(theirs_suitesparse:%.c=$(objects)/suitesparse/%.o) \
	$(theirs_yaml:%.c=$(objects)/yaml/%.o))

# What takes the time of a run is fast, all else small.
hot := lib/dae/dae_peaks lib/dae/dae_peaks_at lib/dae/dae_samples \
	lib/dae/explicit/dae_rates lib/dae/method/runge lib/expr/expr \
	lib/expr/expr_walk lib/linalg/ldl lib/linalg/lu_fixed lib/tape/tape lib/tape/tape_range
warm := lib/dae/dae_record lib/dae/explicit/explicit_dense lib/tape/range
name = $(@:$(objects)/own/%.o=%)
speed = $(if $(filter $(hot),$(name)),$(FAST),$(if $(filter $(warm),$(name)),$(FAIR),$(SMALL)))
FAST := -O2 -fno-unroll-loops
FAIR := -Os
SMALL := -Oz

# Extensions that browsers have since 2021, simd128 since 2023.
features := bulk-memory nontrapping-fptoint sign-ext simd128

# -ffp-contract as the program has it: the same sums, the same results
target := --target=wasm32-wasi
compile = $(CLANG) $(target) $(speed) -c -o $@ -ffp-contract=off -ffunction-sections -fdata-sections \
	$(features:%=-m%) -ftls-model=local-exec \
	-DNDEBUG -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_MMAN -D_WASI_EMULATED_PROCESS_CLOCKS
long := -include $(top)/tools/engine/wasm/suitesparse_long.h
parts := KLU AMD BTF COLAMD
suitesparse_flags := $(long) $(parts:%=-isystem $(suitesparse)/%/Include) \
	-isystem $(suitesparse)/SuiteSparse_config
sundials_flags := -I$(top)/tools/engine/wasm -isystem $(sundials)/include
yaml_flags := -isystem $(yaml)/include
version_flags := -DPACKAGE_VERSION='"$(VERSION)"' -DVERSION='"$(VERSION)"' -DPKGDATADIR='""'

$(out)/engine.wasm.gz: $(out)/engine.wasm
	$(PACK) $< >$@.new
	mv $@.new $@

# Without -O: clang would call a wasm-opt that it finds, with options of its own. Nothing is below
# the global base, which the optimiser uses. Control flow that is made anew from blocks is shorter
# than what clang makes, and no slower.
$(out)/engine.wasm: $(all_objects)
	$(CLANG) $(target) -mexec-model=reactor -Wl,--gc-sections -Wl,--strip-all \
		-Wl,-z,stack-size=1048576 -Wl,--global-base=1024 -o $@.new $(all_objects) \
		-lwasi-emulated-signal -lwasi-emulated-mman -lwasi-emulated-process-clocks
	$(if $(WASM_OPT),$(WASM_OPT) --flatten --rereloop -Oz -Oz -Oz --low-memory-unused \
		--zero-filled-memory --enable-bulk-memory --enable-nontrapping-float-to-int \
		--enable-sign-ext --enable-simd $@.new -o $@.new)
	mv $@.new $@

$(all_objects): $(top)/tools/engine/engine.mk $(top)/tools/engine/wasm/config.h

$(objects)/own/%.o: $(top)/%.c
	@mkdir -p $(@D)
	$(compile) -std=gnu17 -Wall -Wextra -Werror -MMD -MP $(version_flags) $(sundials_flags) \
		-I$(top) $(suitesparse_flags) $(yaml_flags) $<

$(objects)/sundials/%.o: $(sundials)/%.c
	@mkdir -p $(@D)
	$(compile) -w $(sundials_flags) -I$(sundials)/src/sundials -I$(sundials)/src/ida \
		$<

$(objects)/suitesparse/%.o: $(suitesparse)/%.c
	@mkdir -p $(@D)
	$(compile) -w -DNTIMER -DNPRINT -DDINT $(suitesparse_flags) $<

$(objects)/yaml/%.o: $(yaml)/%.c
	@mkdir -p $(@D)
	$(compile) -w -DYAML_VERSION_STRING='"0.2.5"' -DYAML_VERSION_MAJOR=0 \
		-DYAML_VERSION_MINOR=2 -DYAML_VERSION_PATCH=5 $(yaml_flags) $<

-include $(ours:%.c=$(objects)/own/%.d)
