/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a source to a compiled model, with the values that vary as variables or as they are. */
#include <config.h>

#include "mech2d/study/kit.h"

#include "bondgraph/bgt.h"
#include "bondgraph/compact.h"
#include "lib/core/input.h"
#include "lib/core/mem.h"
#include "lib/core/number.h"
#include "lib/core/strbuf.h"
#include "lib/core/suffix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 256 };

static bool is_bgt(const m2d_source *source)
{
    return source->path != NULL && ha__has_suffix(source->path, ".bg");
}

static bool is_graph(const m2d_source *source)
{
    return source->path == NULL || ha__has_suffix(source->path, ".bgl") || is_bgt(source);
}

/* --- overrides ------------------------------------------------------------------------------ */

/* Overrides, with the memory of those that were made here. */
typedef struct {
    const char **items; /* (n) */
    int n;
    ha__arena arena;
} overrides;

static ha_status add(ha_ctx *ctx, overrides *all, const char *path, const char *value,
                     const char *unit)
{
    const char *text = ha__arena_format(ctx, &all->arena, "%s=%s%s%s", path, value,
                                        unit != NULL ? " " : "", unit != NULL ? unit : "");

    HA_TRY_MEMORY(text);
    all->items[all->n++] = text;
    return HA_OK;
}

/* The outputs wanted as an override of those of the file. */
static ha_status add_outputs(ha_ctx *ctx, const m2d_source *source, overrides *all)
{
    ha__strbuf text = HA_STRBUF(ctx);

    ha__strbuf_add(&text, "[");
    for (int i = 0; i < source->n_outputs; i++) {
        ha__strbuf_addf(&text, "%s\"%s\"", i > 0 ? ", " : "", source->outputs[i]);
    }
    ha__strbuf_add(&text, "]");
    ha_status status = text.status;
    HA_THEN(status, add(ctx, all, "outputs", ha__strbuf_text(&text), NULL));
    return ha__strbuf_drop(&text, status);
}

/* The overrides of the source, and of the values that vary unless they stay free; of a graph whose
   values stay free, those name the parameters. */
static ha_status list_overrides(ha_ctx *ctx, const m2d__kit_def *def, overrides *all)
{
    const m2d_source *source = def->source;

    HA_TRY_ALLOC(ctx, all->items, source->n_sets + def->n_variables + 1);
    for (int i = 0; i < source->n_sets; i++) {
        all->items[all->n++] = source->sets[i];
    }
    for (int i = 0; i < def->n_variables; i++) {
        const m2d_variable *v = &def->variables[i];
        char name[LONGEST_NAME], digits[HA__NUMBER_SIZE];
        bool is_named = false;
        ha__print_number(digits, v->value);
        m2d_variable_name(v, i, name, sizeof name);
        is_named = strncmp(name, "varied__", 8) == 0 && def->use != M2D__KIT_FIXED;
        if (def->use == M2D__KIT_FIXED || is_graph(source)) {
            HA_TRY(is_named ? add(ctx, all, v->path, name, NULL)
                            : add(ctx, all, v->path, digits, v->unit));
        }
    }
    return source->outputs != NULL && !is_graph(source) ? add_outputs(ctx, source, all) : HA_OK;
}

static void clear_overrides(overrides *all)
{
    ha__free(all->items);
    ha__arena_clear(&all->arena);
}

/* --- reading -------------------------------------------------------------------------------- */

/* The text of a graph, with the parameters that values become behind it. */
static ha_status read_compact(ha_ctx *ctx, const m2d__kit_def *def, const overrides *sets,
                              bg_graph *graph)
{
    const m2d_source *source = def->source;
    const char *name = source->path != NULL ? source->path : "--graph";
    ha__strbuf text = HA_STRBUF(ctx);

    ha__strbuf_add_bytes(&text, def->text, def->length);
    for (int i = 0; i < def->n_variables && def->use != M2D__KIT_FIXED; i++) {
        char parameter[LONGEST_NAME];
        m2d_variable_name(&def->variables[i], i, parameter, sizeof parameter);
        if (strncmp(parameter, "varied__", 8) == 0) {
            ha__strbuf_addf(&text, "\n%s = ", parameter);
            ha__strbuf_add_number(&text, def->variables[i].value);
            ha__strbuf_addf(&text, " %s",
                            def->variables[i].unit != NULL ? def->variables[i].unit : "");
        }
    }
    ha_status status = text.status;
    HA_THEN(status, bg_compact_read_set(graph, ha__strbuf_text(&text), text.length,
                                        (ha_where){ name, 1, 1 }, sets->items, sets->n));
    return ha__strbuf_drop(&text, status);
}

static ha_status read_graph(ha_ctx *ctx, const m2d__kit_def *def, const overrides *sets,
                            m2d__kit *kit)
{
    if (def->source->variant != NULL) {
        return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "a bond graph has no variants; leave out the variant `%s`",
                       def->source->variant);
    }
    HA_TRY_GET(kit->own, bg_graph_new(ctx));
    kit->graph = kit->own;
    if (is_bgt(def->source)) {
        if (def->use != M2D__KIT_FIXED && def->n_variables > 0) {
            return ha_fail(ctx, HA_ERR_UNSUPPORTED, HA_NOWHERE,
                           "a file of BondGraphTools has no parameters");
        }
        HA_TRY(
            bg_bgt_read(kit->own, def->text, def->length, def->source->path, sets->items, sets->n));
    } else {
        HA_TRY(read_compact(ctx, def, sets, kit->own));
    }
    HA_TRY(def->is_bare ? HA_OK : bg_graph_add_element_outputs(kit->own));
    HA_TRY(bg_graph_find_domains(kit->own));
    if (def->source->outputs != NULL) {
        kit->n_outputs = def->source->n_outputs;
        HA_TRY_ALLOC(ctx, kit->outputs, kit->n_outputs);
        memcpy(kit->outputs, def->source->outputs, (size_t) kit->n_outputs * sizeof *kit->outputs);
    }
    return HA_OK;
}

/* Names of the variables as parameters; texts in the arena. */
static ha_status name_variables(ha_ctx *ctx, const m2d__kit_def *def, ha__arena *arena,
                                const char ***out)
{
    const char **names = ha__arena_alloc(ctx, arena, (size_t) def->n_variables, sizeof *names);

    HA_TRY_MEMORY(names);
    for (int i = 0; i < def->n_variables; i++) {
        char name[LONGEST_NAME];
        m2d_variable_name(&def->variables[i], i, name, sizeof name);
        HA_TRY_GET(names[i], ha__arena_text(ctx, arena, name, strlen(name)));
    }
    *out = names;
    return HA_OK;
}

/* Time does not go on. */
static void stop(ha_dag *dag, ha_expr time)
{
    ha_symbol_set_derivative(dag, time, ha_constant(dag, 0.0));
}

static ha_status read_mechanism(ha_ctx *ctx, const m2d__kit_def *def, const overrides *sets,
                                const char *const *names, m2d__kit *kit)
{
    const m2d_read_def read = { .variant = def->source->variant,
                                .sets = sets->items,
                                .n_sets = sets->n,
                                .where_present = def->where_present,
                                .libraries = def->source->libraries,
                                .n_libraries = def->source->n_libraries,
                                .variables = def->variables,
                                .n_variables = def->use != M2D__KIT_FIXED ? def->n_variables : 0 };

    HA_TRY(m2d_read_text(ctx, def->text, def->length, def->source->path, &read, &kit->file));
    kit->options = *m2d_model_options(kit->file);
    m2d_mechanism *mechanism = m2d_model_mechanism(kit->file);
    if (def->is_still) {
        stop(m2d_mechanism_dag(mechanism), m2d_mechanism_time(mechanism));
    }
    HA_TRY(m2d_expand(mechanism, &kit->system));
    kit->graph = m2d_system_graph(kit->system);
    HA_TRY(read.n_variables > 0 ? m2d_keep_parameters(mechanism, kit->graph) : HA_OK);
    HA_TRY(m2d_model_select(kit->file, kit->system, &kit->outputs, &kit->n_outputs));
    return def->use == M2D__KIT_FREE && def->n_variables > 0
               ? m2d_system_vary(kit->system, mechanism, names, def->n_variables)
               : HA_OK;
}

/* Nothing can be said of an empty model, and it is hardly what was meant. */
static ha_status refuse_empty(ha_ctx *ctx, const m2d__kit *kit)
{
    const ha_where where = { kit->name, 1, 1 };

    if (bg_graph_n_elements(kit->graph) > 0) {
        return HA_OK;
    }
    return kit->system == NULL
               ? ha_fail(ctx, HA_ERR_SYNTAX, where,
                         "the bond graph is empty; give it elements and bonds, such as "
                         "`Se>1a>R;1a>I`")
               : ha_fail(ctx, HA_ERR_SYNTAX, where,
                         "the mechanism has no bodies; give it some, such as `bodies: {K1: {mass: "
                         "2 kg, inertia: 0.1 kg.m2}}`");
}

/* Reads it; `names` are those of the variables. */
static ha_status read_source(ha_ctx *ctx, const m2d__kit_def *def, const overrides *sets,
                             const char *const *names, m2d__kit *kit)
{
    HA_TRY(is_graph(def->source) ? read_graph(ctx, def, sets, kit)
                                 : read_mechanism(ctx, def, sets, names, kit));
    HA_TRY(refuse_empty(ctx, kit));
    if (def->is_still) {
        stop(bg_graph_dag(kit->graph), bg_graph_time(kit->graph));
    }
    return HA_OK;
}

/* Begins a kit: its overrides, and the names of what varies, to be cleared with the overrides. */
static ha_status begin(ha_ctx *ctx, const m2d__kit_def *def, m2d__kit *kit, overrides *sets,
                       const char ***names)
{
    *kit = (m2d__kit){ .name = def->source->path != NULL ? def->source->path : "--graph",
                       .options = bg_run_options_default(),
                       .like = def->like };
    HA_TRY(list_overrides(ctx, def, sets));
    return name_variables(ctx, def, &sets->arena, names);
}

ha_status m2d__kit_read(ha_ctx *ctx, const m2d__kit_def *def, m2d__kit *kit)
{
    overrides sets = { 0 };
    const char **names = NULL;
    ha_status status = begin(ctx, def, kit, &sets, &names);

    HA_THEN(status, read_source(ctx, def, &sets, names, kit));
    clear_overrides(&sets);
    return status;
}

/* --- from what was read to what can be solved ------------------------------------------------ */

ha_status m2d__kit_assign(m2d__kit *kit)
{
    return bg_causality_assign(kit->graph, &kit->causality);
}

ha_status m2d__kit_assemble(m2d__kit *kit)
{
    return kit->system == NULL || kit->like != NULL ? HA_OK
                                                    : m2d_try_assemble(kit->system, &kit->assembly);
}

static ha_status derive(m2d__kit *kit)
{
    return kit->n_inputs > 0 ? bg_equations_derive_with(kit->causality, kit->inputs, kit->n_inputs,
                                                        &kit->equations)
                             : bg_equations_derive_varied(kit->causality, kit->varied,
                                                          kit->n_varied, &kit->equations);
}

/* The equations as tapes, for what they are to serve; outputs NULL: all. */
static ha_status compile_outputs(m2d__kit *kit, const char *const *outputs, int n)
{
    if (kit->compile != NULL) {
        return kit->compile(kit->equations, outputs, n, &kit->compiled);
    }
    return bg_model_compile_for(kit->equations, outputs, n, (ha_driver) kit->options.solver.driver,
                                &kit->compiled);
}

/* The same with another output. */
static ha_status compile_with_more(m2d__kit *kit)
{
    const char **wanted = NULL;

    HA_TRY_ALLOC(bg_graph_ctx(kit->graph), wanted, kit->n_outputs + 1);
    memcpy(wanted, kit->outputs, (size_t) kit->n_outputs * sizeof *wanted);
    wanted[kit->n_outputs] = kit->more;
    return ha__then_free(compile_outputs(kit, wanted, kit->n_outputs + 1), wanted);
}

static ha_status compile_wanted(m2d__kit *kit)
{
    if (kit->with_bonds) {
        HA_TRY(bg_equations_add_bonds(kit->equations, kit->causality, &kit->n_of_bonds));
        return compile_outputs(kit, NULL, 0);
    }
    return kit->more != NULL && kit->outputs != NULL
               ? compile_with_more(kit)
               : compile_outputs(kit, kit->outputs, kit->n_outputs);
}

static ha_status fill_start(m2d__kit *kit)
{
    HA_TRY_ALLOC(bg_graph_ctx(kit->graph), kit->start, bg_model_n_unknowns(kit->compiled));
    if (kit->assembly != NULL) {
        return m2d_start(kit->assembly, kit->compiled, kit->start);
    }
    bg_model_start(kit->compiled, kit->start);
    return HA_OK;
}

ha_status m2d__kit_compile(m2d__kit *kit)
{
    const m2d_assembly *assembly = kit->like != NULL ? kit->like->assembly : kit->assembly;

    HA_TRY(derive(kit));
    HA_TRY(kit->extend != NULL ? kit->extend(kit) : HA_OK);
    HA_TRY(assembly != NULL ? m2d_release_redundant(assembly, kit->equations) : HA_OK);
    HA_TRY(compile_wanted(kit));
    if (!kit->keeps_equations) {
        bg_equations_free(kit->equations);
        kit->equations = NULL;
    }
    return kit->like != NULL ? HA_OK : fill_start(kit);
}

ha_status m2d__kit_prepare(m2d__kit *kit)
{
    HA_TRY(m2d__kit_assign(kit));
    HA_TRY(bg_causality_status(kit->causality));
    HA_TRY(m2d__kit_assemble(kit));
    return m2d__kit_compile(kit);
}

/* What the values that vary are to what is compiled. */
static void set_use(const m2d__kit_def *def, const char *const *names, m2d__kit *kit)
{
    const bool is_input = def->use == M2D__KIT_INPUTS;

    kit->compile = is_input ? bg_model_compile_sensitive : bg_model_compile;
    if (is_input) {
        kit->inputs = names;
        kit->n_inputs = def->n_variables;
    } else if (def->use != M2D__KIT_FIXED) {
        kit->varied = names;
        kit->n_varied = def->n_variables;
    }
}

ha_status m2d__kit_make(ha_ctx *ctx, const m2d__kit_def *def, m2d__kit *kit)
{
    overrides sets = { 0 };
    const char **names = NULL;
    ha_status status = begin(ctx, def, kit, &sets, &names);

    HA_THEN(status, read_source(ctx, def, &sets, names, kit));
    set_use(def, names, kit);
    HA_THEN(status, m2d__kit_prepare(kit));
    kit->inputs = kit->varied = NULL;
    kit->like = NULL;
    clear_overrides(&sets);
    return status;
}

ha_status m2d__kit_warn(const m2d__kit *kit)
{
    bool is_given = kit->options.from == BG_FROM_GIVEN; /* a start that is sought is elsewhere */

    return kit->assembly != NULL && is_given ? m2d_warn_of_depth(kit->assembly) : HA_OK;
}

ha_status m2d__kit_run(ha_ctx *ctx, m2d__kit *kit, ha_peak *peaks, ha_result *result,
                       bg_run_report *report)
{
    bg_run_options *options = &kit->options;

    options->start = kit->start;
    options->solver.peaks = peaks;
    options->solver.n_peaks = bg_model_dae(kit->compiled)->n_outputs - kit->n_of_bonds;
    return bg_model_run(ctx, kit->compiled, options, result, report);
}

void m2d__kit_clear(m2d__kit *kit)
{
    HA_FREE(kit->start, kit->breaks);
    bg_model_free(kit->compiled);
    bg_equations_free(kit->equations);
    m2d_assembly_free(kit->assembly);
    bg_causality_free(kit->causality);
    ha__free(kit->outputs);
    m2d_system_free(kit->system);
    m2d_model_free(kit->file);
    bg_graph_free(kit->own);
    *kit = (m2d__kit){ 0 };
}

ha_status m2d__kit_text(ha_ctx *ctx, const m2d_source *source, char **text, size_t *length)
{
    const char *given = source->path == NULL ? source->graph : source->text;

    if (given == NULL) {
        return ha__input_read(ctx, source->path, HA__MODEL_BYTES, text, length);
    }
    *length = source->path != NULL && source->text_length > 0 ? source->text_length : strlen(given);
    *text = ha__copy_text(ctx, given, *length);
    return *text == NULL ? HA_ERR_MEMORY : HA_OK;
}

bool m2d__kit_is_file(const m2d_source *source)
{
    return !is_graph(source);
}

/* --- values --------------------------------------------------------------------------------- */

/* The value of an element, 1 where it is given none, or of a parameter. */
static ha_status value_in_graph(ha_ctx *ctx, bg_graph *graph, const m2d_variable *v, int i,
                                double *value)
{
    char name[LONGEST_NAME];

    m2d_variable_name(v, i, name, sizeof name);
    bool is_own = strncmp(name, "varied__", 8) != 0;
    bg_element element = is_own ? -1 : bg_graph_find(graph, v->path);
    ha_expr e = element != -1 ? bg_element_value(graph, element, 0)
                              : bg_graph_lookup(graph, is_own ? name : v->path);
    if (element >= 0 && bg_element_n_values(graph, element) == 0) {
        *value = 1.0;
        return HA_OK;
    }
    if (e != HA_EXPR_NONE) {
        HA_TRY(ha_resolve(bg_graph_dag(graph), e, &e));
    }
    HA_TRY(ha_dag_status(bg_graph_dag(graph)));
    return ha_expr_is_constant(bg_graph_dag(graph), e, value)
               ? HA_OK
               : ha_fail(ctx, HA_ERR_NAME, HA_NOWHERE,
                         "the graph has no element or parameter `%s` with a number as value; name "
                         "an element, `R`, or a parameter, `parameters.k`",
                         v->path);
}

static ha_status value_in_file(ha_ctx *ctx, const m2d__kit_def *def, const overrides *sets, int i,
                               double *value)
{
    m2d_variable v = def->variables[i];
    m2d_model *file = NULL;
    const m2d_read_def read = { .variant = def->source->variant,
                                .sets = sets->items,
                                .n_sets = sets->n,
                                .libraries = def->source->libraries,
                                .n_libraries = def->source->n_libraries,
                                .variables = &v,
                                .n_variables = 1 };
    char name[LONGEST_NAME];

    v.value = (double) NAN;
    HA_TRY(m2d_read_text(ctx, def->text, def->length, def->source->path, &read, &file));
    m2d_variable_name(&v, 0, name, sizeof name);
    m2d_mechanism *mechanism = m2d_model_mechanism(file);
    bool is_found = false;
    for (int k = 0; k < m2d_mechanism_n_parameters(mechanism) && !is_found; k++) {
        is_found = strcmp(m2d_parameter_name(mechanism, k), name) == 0;
        *value = is_found ? m2d_parameter_value(mechanism, k) : *value;
    }
    m2d_model_free(file);
    return is_found ? HA_OK
                    : ha_fail(ctx, HA_ERR_NAME, v.where, "the file has no parameter `%s`", name);
}

ha_status m2d__kit_value(ha_ctx *ctx, const m2d__kit_def *def, int i, double *value)
{
    m2d__kit_def bare = *def;
    m2d__kit kit = { 0 };
    overrides sets = { 0 };

    bare.n_variables = 0;
    ha_status status = list_overrides(ctx, &bare, &sets);
    if (status == HA_OK && is_graph(def->source)) {
        status = read_graph(ctx, &bare, &sets, &kit);
        HA_THEN(status, value_in_graph(ctx, kit.own, &def->variables[i], i, value));
    } else if (status == HA_OK) {
        status = value_in_file(ctx, def, &sets, i, value);
    }
    m2d__kit_clear(&kit);
    clear_overrides(&sets);
    return status;
}
