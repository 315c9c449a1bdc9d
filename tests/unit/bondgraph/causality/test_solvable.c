/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which graphs are singular, and the order of the others. The truth is found here without strokes:
 * the laws of all elements as one dense matrix over all efforts and flows, modulo 2^61 - 1, its
 * determinant at more points than its degree in s can be, and the degree by interpolation.
 */
#include <config.h>

#include "bondgraph/causality/causality_priv.h"
#include "bondgraph/causality/pencil.h"
#include "bondgraph/compact.h"
#include "bondgraph/model/model_priv.h"
#include "lib/linalg/modular.h"
#include "tests/unit/bondgraph/causal_graph.h"
#include "tests/util/random.h"
#include "tests/util/util.h"

#include <btf.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BONDS = 24, MAX_N = 2 * MAX_BONDS, MAX_TEXT = 4096 };

/* --- the truth ------------------------------------------------------------------------------- */

typedef struct {
    const bg_graph *g;
    bool has_any_values;
    uint64_t s;
    int n, n_rows;
    uint64_t a[MAX_N][MAX_N];
} laws;

static uint64_t element_value(const laws *x, int e)
{
    double value = 1.0;

    if (x->has_any_values) {
        return ha__mod_chance(77, (uint64_t) e);
    }
    (void) ha_expr_is_constant(x->g->dag, bg__component_value(x->g, &x->g->elements.items[e], 0),
                               &value);
    return ha__mod_of_double(value);
}

/* A bond at an element and the sign of its half arrow, +1 into the element. */
typedef struct {
    int bond, sign;
} port;

static int ports_of(const laws *x, int e, port *ports)
{
    int n = 0;

    for (int b = 0; b < (int) x->g->bonds.count; b++) {
        const bg__bond *bond = &x->g->bonds.items[b];
        if (bond->tail == e || bond->head == e) {
            bool is_head = bond->head == e;
            int at = x->g->elements.items[e].type->max_ports == 0 ? n
                     : is_head                                    ? bond->head_port
                                                                  : bond->tail_port;
            ports[at] = (port){ b, is_head ? 1 : -1 };
            n++;
        }
    }
    return n;
}

static uint64_t signed_one(int sign)
{
    return sign > 0 ? 1 : HA__PRIME - 1;
}

/* Adds value * (effort or flow of a bond) to the row under way. */
static void add(laws *x, bool is_flow, int bond, uint64_t value)
{
    uint64_t *at = &x->a[x->n_rows][2 * bond + (is_flow ? 1 : 0)];

    *at = ha__mod_add(*at, value);
}

/* One kind of quantity common to all bonds, the other sums to zero. */
static void write_junction(laws *x, const port *p, int n, bool common_is_flow)
{
    for (int k = 1; k < n; k++) {
        add(x, common_is_flow, p[0].bond, 1);
        add(x, common_is_flow, p[k].bond, HA__PRIME - 1);
        x->n_rows++;
    }
    for (int k = 0; k < n; k++) {
        add(x, !common_is_flow, p[k].bond, signed_one(p[k].sign));
    }
    x->n_rows++;
}

/* x1 = m x2, y2 = m y1 with flows into port 1 and out of port 2. */
static void write_converter(laws *x, const port *p, uint64_t m, bool is_gyrator)
{
    uint64_t f1 = signed_one(p[0].sign), f2 = signed_one(-p[1].sign);

    add(x, false, p[0].bond, 1);
    add(x, is_gyrator, p[1].bond, ha__mod_sub(0, ha__mod_mul(m, is_gyrator ? f2 : 1)));
    x->n_rows++;
    add(x, !is_gyrator, p[1].bond, is_gyrator ? 1 : f2);
    add(x, true, p[0].bond, ha__mod_sub(0, ha__mod_mul(m, f1)));
    x->n_rows++;
}

static void write_law(laws *x, int e)
{
    const char *type = x->g->elements.items[e].type->name;
    uint64_t v = element_value(x, e);
    port p[MAX_BONDS];
    int n = ports_of(x, e, p);
    /* storages and resistors count flows into them */
    uint64_t minus = ha__mod_sub(0, ha__mod_mul(v, signed_one(p[0].sign)));

    if (strcmp(type, "0") == 0 || strcmp(type, "1") == 0) {
        write_junction(x, p, n, type[0] == '1');
        return;
    }
    if (strcmp(type, "TF") == 0 || strcmp(type, "GY") == 0) {
        write_converter(x, p, v, type[0] == 'G');
        return;
    }
    if (strcmp(type, "R") == 0 || strcmp(type, "I") == 0) {
        add(x, false, p[0].bond, 1);
        add(x, true, p[0].bond, type[0] == 'I' ? ha__mod_mul(minus, x->s) : minus);
    } else if (strcmp(type, "C") == 0) {
        add(x, true, p[0].bond, 1);
        add(x, false, p[0].bond, ha__mod_mul(minus, x->s));
    } else {
        bool is_flow =
            strcmp(type, "Sf") == 0 || strcmp(type, "De") == 0 || strcmp(type, "Re") == 0;
        add(x, is_flow, p[0].bond, 1);
    }
    x->n_rows++;
}

static uint64_t determinant(laws *x)
{
    uint64_t product = 1;

    for (int j = 0; j < x->n; j++) {
        int p = j;
        while (p < x->n && x->a[p][j] == 0) {
            p++;
        }
        if (p == x->n) {
            return 0;
        }
        for (int k = 0; k < x->n && p != j; k++) {
            uint64_t swap = x->a[p][k];
            x->a[p][k] = x->a[j][k];
            x->a[j][k] = swap;
        }
        product = p == j ? product : ha__mod_sub(0, product);
        product = ha__mod_mul(product, x->a[j][j]);
        for (int i = j + 1; i < x->n; i++) {
            uint64_t factor =
                x->a[i][j] == 0 ? 0 : ha__mod_mul(x->a[i][j], ha__mod_inverse(x->a[j][j]));
            for (int k = j; k < x->n && factor != 0; k++) {
                x->a[i][k] = ha__mod_sub(x->a[i][k], ha__mod_mul(factor, x->a[j][k]));
            }
        }
    }
    return product;
}

/* The degree of det P(s), -1 when it is zero. */
static int true_order(const bg_graph *g, bool has_any_values)
{
    static laws x;
    uint64_t value[MAX_N + 2];
    int n_points = (int) g->bonds.count + 2, degree = -1;

    for (int i = 0; i < n_points; i++) {
        memset(&x, 0, sizeof x);
        x = (laws){ .g = g,
                    .has_any_values = has_any_values,
                    .s = (uint64_t) (1000 + i),
                    .n = 2 * (int) g->bonds.count };
        for (int e = 0; e < (int) g->elements.count; e++) {
            write_law(&x, e);
        }
        ck_assert_int_eq(x.n_rows, x.n);
        value[i] = determinant(&x);
    }
    for (int step = 0; step < n_points; step++) {
        for (int i = n_points - 1; i >= step && step > 0; i--) {
            value[i] =
                ha__mod_mul(ha__mod_sub(value[i], value[i - 1]), ha__mod_inverse((uint64_t) step));
        }
        degree = value[step] != 0 ? step : degree;
    }
    return degree;
}

/* --- random graphs --------------------------------------------------------------------------- */

static uint64_t random_state;

static int chance(int n)
{
    return random_below(&random_state, n);
}

/* Few different values, so that ratios meet; now and then an inertia of zero. */
static const char *value_of(const char *type)
{
    static const char *const values[] = { "", "{2}", "{3}", "{0.1}" };

    if (type[0] == 'I' && chance(8) == 0) {
        return "{0}";
    }
    return strchr("ICRTG", type[0]) != NULL && type[1] != 'e' && type[1] != 'f'
               ? values[chance((int) HA_COUNT(values))]
               : "";
}

/* Writes "a>X{v}>b;" or "a>b;", now and then the other way round. */
static int write_connection(char *text, int at, int a, int b, int number, const char *kinds)
{
    static const char *const types[] = { "", "TF", "GY" };
    const char *type = types[chance(3)];
    bool is_turned = chance(4) == 0;
    int from = is_turned ? b : a, to = is_turned ? a : b;

    at += snprintf(text + at, MAX_TEXT - (size_t) at, "%c_%d>", kinds[from], from);
    if (type[0] != '\0') {
        at += snprintf(text + at, MAX_TEXT - (size_t) at, "%s_%d%s>", type, number, value_of(type));
    }
    return at + snprintf(text + at, MAX_TEXT - (size_t) at, "%c_%d;", kinds[to], to);
}

static void random_text(unsigned seed, char text[MAX_TEXT])
{
    static const char *const one_ports[] = { "Se", "Sf", "I", "I",  "I",  "C",  "C",
                                             "C",  "R",  "R", "Re", "Rf", "Df", "De" };
    char kinds[8];
    int at = 0, n = 2 + chance(5), number = 0, n_extra = chance(3);

    random_state = seed;
    text[0] = '\0';
    for (int i = 0; i < n; i++) {
        kinds[i] = chance(2) == 0 ? '0' : '1';
        if (i > 0) {
            at = write_connection(text, at, chance(i), i, number++, kinds);
        }
    }
    for (int i = 0; i < n_extra; i++) {
        int a = chance(n), b = chance(n);
        if (a != b) {
            at = write_connection(text, at, a, b, number++, kinds);
        }
    }
    for (int i = 0; i < n + 1 && i < 7; i++) {
        const char *type = one_ports[chance((int) HA_COUNT(one_ports))];
        int j = i < n ? i : chance(n);
        at += snprintf(text + at, MAX_TEXT - (size_t) at, "%c_%d>%s_%d%s;", kinds[j], j, type,
                       number++, value_of(type));
    }
}

static int n_structural, n_at_values, n_regular, n_lower;

static void expect_truth(const char *text)
{
    read_and_assign(text);
    const bg_graph *g = causality->system->graph;
    bg_class kind = bg_causality_class(causality);
    int order = true_order(g, true), order_at_values = true_order(g, false);

    if (kind == BG_CONFLICT) { /* a graph that can be solved has strokes */
        ck_assert_msg(order < 0, "%s: a conflict, but it has the order %d", text, order);
        return;
    }
    bool is_structural = kind == BG_STRUCTURALLY_SINGULAR;
    bool is_at_values = kind == BG_SINGULAR_AT_VALUES;
    ck_assert_msg(is_structural == (order < 0), "%s: %s, but order %d", text, bg_class_name(kind),
                  order);
    ck_assert_msg(is_at_values == (order >= 0 && order_at_values < 0), "%s: %s, but order %d, %d",
                  text, bg_class_name(kind), order, order_at_values);
    ck_assert_msg((ha_ctx_n_errors(ctx) > 0) == (is_structural || is_at_values), "%s", text);
    ck_assert_msg(bg_causality_order(causality, 0) == (is_at_values ? -1 : order), "%s: %d, not %d",
                  text, bg_causality_order(causality, 0), order);
    n_structural += is_structural;
    n_at_values += is_at_values;
    n_regular += !is_structural && !is_at_values;
    n_lower +=
        !is_structural && !is_at_values && order < bg_causality_count(causality, BG_INTEGRAL);
}

START_TEST(random_graphs_are_singular_just_when_their_determinant_vanishes)
{
    char text[MAX_TEXT];

    n_structural = n_at_values = n_regular = n_lower = 0;
    for (unsigned seed = (unsigned) _i * 500 + 1; seed <= (unsigned) _i * 500 + 500; seed++) {
        random_text(seed, text);
        expect_truth(text);
        teardown();
        setup();
    }
    if (getenv("TEST_VERBOSE") != NULL) {
        fprintf(stderr, "structural %d, at values %d, regular %d, of lower order %d\n",
                n_structural, n_at_values, n_regular, n_lower);
    }
    ck_assert_int_gt(n_structural, 5);
    ck_assert_int_gt(n_at_values, 2);
    ck_assert_int_gt(n_regular, 50);
    ck_assert_int_gt(n_lower, 5);
}
END_TEST

/* --- known cases ----------------------------------------------------------------------------- */

static const struct {
    const char *text;
    bg_class kind;        /* BG_CLASS_COUNT: any that is not singular */
    const char *named[4]; /* what the message must contain */
} cases[] = {
    /* parallel transformers of one ratio, also a third and its double */
    { "Se>1s>R;1s>I;1s>0x;0x>TF1{3}>0y;0x>TF2{3}>0y;0y>C",
      BG_SINGULAR_AT_VALUES,
      { "`TF1` = 3", "`TF2` = 3", "`0x`", "at the values given" } },
    { "Se>1s>R;1s>I;1s>0x;0x>TF1{1/3}>0y;0x>TF2{2/6}>0y;0y>C", BG_SINGULAR_AT_VALUES, { "`TF1`" } },
    { "Se>1s>R;1s>I;1s>0x;0x>TF1{0.3}>0y;0x>TF2{0.1+0.2}>0y;0y>C",
      BG_SINGULAR_AT_VALUES,
      { "`TF1` = 0.3" } },
    { "Se>1s>R;1s>I;1s>0x;0x>TF1{0.3}>0y;0x>TF2{0.300000000001}>0y;0y>C",
      BG_CAUSAL_MESH,
      { NULL } },
    /* 0.1 * 0.2 against 0.02, not equal as doubles */
    { "Se>1s>I;1s>0x;0x>TF1{0.1}>TF2{0.2}>0y;0x>TF3{0.02}>0y;0y>C",
      BG_SINGULAR_AT_VALUES,
      { "`TF3` = 0.02" } },
    /* two of one ratio that varies */
    { "Se>1s>R;1s>I;1s>0x;0x>MGY1{2+sin(t)}>1y;0x>MGY2{2+sin(t)}>1y;1y>I2",
      BG_SINGULAR_AT_VALUES,
      { "`MGY1`", "`MGY2`" } },
    /* a mesh of plain bonds */
    { "1a>0b;0b>1c;1c>0d;0d>1c;Sf5>1a;0b>R6;0b>C7",
      BG_STRUCTURALLY_SINGULAR,
      { "`0d`, `1c`", "whatever the values", "remove one of the bonds" } },
    /* constraints that say the same */
    { "Se>1>I;1>Re1;1>Re2", BG_STRUCTURALLY_SINGULAR, { "`Re1`, `Re2` repeat" } },
    { "Sf>1>Re;1>R", BG_STRUCTURALLY_SINGULAR, { "`Re` wants" } },
    { "Se>1>I{0}", BG_SINGULAR_AT_VALUES, { "`I` has the value 0" } },
    /* two gyrators in opposite sense, of one ratio and not */
    { "Se>1a>R;1a>GY1{2}>1b;1b>GY2{2}>1a", BG_SINGULAR_AT_VALUES, { "`GY1` = 2" } },
    { "Se>1a>R;1a>GY1{2}>1b;1b>GY2{3}>1a", BG_CLASS_COUNT, { NULL } },
};

START_TEST(singular_graphs_are_told_with_the_names_of_the_elements)
{
    read_and_assign(cases[_i].text);
    bg_class kind = bg_causality_class(causality);
    bool is_singular = kind == BG_STRUCTURALLY_SINGULAR || kind == BG_SINGULAR_AT_VALUES;

    if (cases[_i].kind == BG_CLASS_COUNT) {
        ck_assert(!is_singular);
        return;
    }
    ck_assert_str_eq(bg_class_name(kind), bg_class_name(cases[_i].kind));
    ck_assert_int_eq(bg_causality_status(causality) == HA_ERR_CAUSALITY,
                     kind == BG_STRUCTURALLY_SINGULAR);
    ck_assert_int_eq(bg_causality_status(causality) == HA_ERR_SINGULAR,
                     kind == BG_SINGULAR_AT_VALUES);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), is_singular ? 1 : 0);
    for (size_t k = 0; k < HA_COUNT(cases[_i].named) && cases[_i].named[k] != NULL; k++) {
        ck_assert_msg(strstr(ha_ctx_diag(ctx, 0)->text, cases[_i].named[k]) != NULL, "%s: %s",
                      cases[_i].text, ha_ctx_diag(ctx, 0)->text);
    }
}
END_TEST

/* --- second opinions ------------------------------------------------------------------------- */

static int compare_sizes(const void *a, const void *b)
{
    return *(const int *) a - *(const int *) b;
}

/* Sizes of the blocks of more than one that BTF finds in the definitions, states and multipliers
   known: it is not told which symbol a definition defines. */
static int block_sizes(const bg__system *s, int *sizes)
{
    bg__pencil p;
    ck_assert_int_eq(bg__pencil_build(s, BG__VALUES_ANY, 5, NULL, &p), HA_OK);
    int n = p.n_definitions, n_entries = 0, n_blocks = 0, n_matched = 0, n_large = 0;
    size_t room = (size_t) n + 1;
    int *start = calloc(room, sizeof *start), *entry = calloc(p.entries.count + 1, sizeof *entry);
    int *order = calloc(8 * room, sizeof *order);
    double work = 0.0;

    for (int i = 0; i < n; i++) {
        for (size_t k = p.row_start[i]; k < p.row_start[i + 1]; k++) {
            if (p.entries.items[k].column < n) {
                entry[n_entries++] = p.entries.items[k].column;
            }
        }
        start[i + 1] = n_entries;
    }
    n_blocks = btf_order(n, start, entry, 0.0, &work, order, order + n, order + 2 * n, &n_matched,
                         order + 3 * n + 1);
    ck_assert_int_eq(n_matched, n);
    for (int b = 0; b < n_blocks; b++) {
        int size = order[2 * n + b + 1] - order[2 * n + b];
        if (size > 1) {
            sizes[n_large++] = size;
        }
    }
    qsort(sizes, (size_t) n_large, sizeof *sizes, compare_sizes);
    free(start);
    free(entry);
    free(order);
    bg__pencil_clear(&p);
    return n_large;
}

static void expect_blocks(const char *text)
{
    const bg__system *s = causality->system;
    int found[MAX_TEXT], told[MAX_TEXT] = { 0 };
    int n = block_sizes(s, found);

    ck_assert_msg(n == s->n_loops, "%s: %d loops, but %d blocks", text, s->n_loops, n);
    for (size_t i = 0; i < s->definitions.count; i++) {
        if (s->loop_of[i] >= 0) {
            told[s->loop_of[i]]++;
        }
    }
    qsort(told, (size_t) n, sizeof *told, compare_sizes);
    for (int k = 0; k < n; k++) {
        ck_assert_msg(told[k] == found[k], "%s: a loop of %d, a block of %d", text, told[k],
                      found[k]);
    }
}

/* The compiled model passes its own check; and where there is no constraint and every integral
   storage is a state, so that the index is 1, the start system has full structural rank, too. */
static int expect_structure(const char *text)
{
    const double parameters[BG__PARAMETER_COUNT] = { 3.0, 2.0, 0.5 };
    bg_equations *equations = NULL;
    bg_model *model = NULL;
    ha_dae_structure structure = { 0 };

    if (bg_causality_status(causality) != HA_OK ||
        bg_equations_derive(causality, &equations) != HA_OK) {
        return 0;
    }
    ck_assert_msg(bg_model_compile(equations, NULL, 0, &model) == HA_OK, "%s: %s", text,
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "");
    double *y = calloc(2 * (size_t) bg_model_n_unknowns(model) + 1, sizeof *y);
    bg_model_start(model, y);
    ck_assert_int_eq(ha_dae_analyse(ctx, bg_model_dae(model), parameters, 0.0, y,
                                    y + bg_model_n_unknowns(model), &structure),
                     HA_OK);
    bool has_index_one =
        bg_causality_count(causality, BG_IMPLICIT) == 0 &&
        true_order(causality->system->graph, false) == bg_causality_count(causality, BG_INTEGRAL);
    ck_assert_msg(!has_index_one || structure.structural_rank == bg_model_n_unknowns(model),
                  "%s: rank %d of %d", text, structure.structural_rank, bg_model_n_unknowns(model));
    free(y);
    bg_model_free(model);
    bg_equations_free(equations);
    return 1;
}

START_TEST(loops_are_the_diagonal_blocks_and_models_are_structurally_regular)
{
    char text[MAX_TEXT];
    int n_blocks = 0, n_models = 0;

    for (unsigned seed = (unsigned) _i * 500 + 1; seed <= (unsigned) _i * 500 + 500; seed++) {
        random_text(seed, text);
        read_and_assign(text);
        if (causality->strokes.outcome == BG_CLASS_COUNT) {
            expect_blocks(text);
            n_blocks += causality->system->n_loops;
            n_models += expect_structure(text);
        }
        teardown();
        setup();
    }
    ck_assert_int_gt(n_blocks, 50);
    ck_assert_int_gt(n_models, 100);
}
END_TEST

START_TEST(every_failing_allocation_of_the_tests_is_told)
{
    static const char *const texts[] = {
        "Se>1s>R;1s>I;1s>0x;0x>TF1{3}>0y;0x>TF2{3}>0y;0y>C",
        "1a>0b;0b>1c;1c>0d;0d>1c;Sf5>1a;0b>R6;0b>C7",
        "Se>1a>I1;1a>0c>1b>I2;1b>R;Re>0c",
        "Se1>1x>C1;Se2>1y>C2;Se3>1z>C3;1x>GY1>1y;1y>GY2>1z;1z>GY3>1x",
        "MSe{t}>1a>R1;1a>0b>R2;0b>1c>R3;1c>I1;1c>I2",
    };
    const char *text = texts[_i];
    ha_status status = HA_ERR_MEMORY;

    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
    for (size_t n = 1; status != HA_OK; n++) {
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, n);
        status = bg_causality_assign(graph, &causality);
        ha_ctx_fail_allocation(ctx, 0);
        if (status != HA_OK) {
            ck_assert_int_eq(status, HA_ERR_MEMORY);
            ck_assert_int_eq(ha_ctx_diag(ctx, ha_ctx_n_diags(ctx) - 1)->status, HA_ERR_MEMORY);
            /* that the graph is singular may have been told before */
            ck_assert_uint_le(ha_ctx_n_errors(ctx), 2);
        }
    }
}
END_TEST

/* --- families -------------------------------------------------------------------------------- */

/* A gyrator ring of n 1-junctions with a C each has a skew matrix: order n when n is even, n - 1
   when it is odd. */
START_TEST(a_gyrator_ring_has_the_order_of_its_parity)
{
    for (int n = 3; n <= 40; n += n < 12 ? 1 : 7) {
        char text[MAX_TEXT];
        int at = 0;
        for (int i = 0; i < n; i++) {
            at += snprintf(text + at, MAX_TEXT - (size_t) at, "Se%d>1_%d>C%d;1_%d>GY%d>1_%d;", i, i,
                           i, i, i, (i + 1) % n);
        }
        read_and_assign(text);
        ck_assert_int_eq(bg_causality_order(causality, 0), n % 2 == 0 ? n : n - 1);
        teardown();
        setup();
    }
}
END_TEST

/* A gear train: n inertias on shafts that gears join are one; an RC ladder has them all. */
START_TEST(trains_have_one_state_and_ladders_have_all)
{
    char train[MAX_TEXT], ladder[MAX_TEXT];
    int n = 40, a = 0, b = 0;

    a += snprintf(train, MAX_TEXT, "Se>1_0>I0;");
    b += snprintf(ladder, MAX_TEXT, "Se>1_0>R0;1_0>0_0>C0;");
    for (int i = 1; i < n; i++) {
        a += snprintf(train + a, MAX_TEXT - (size_t) a, "1_%d>TF%d>1_%d>I%d;", i - 1, i, i, i);
        b += snprintf(ladder + b, MAX_TEXT - (size_t) b, "0_%d>1_%d>R%d;1_%d>0_%d>C%d;", i - 1, i,
                      i, i, i, i);
    }
    read_and_assign(train);
    ck_assert_int_eq(bg_causality_order(causality, 0), 1);
    teardown();
    setup();
    read_and_assign(ladder);
    ck_assert_int_eq(bg_causality_order(causality, 0), n);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("solvable");
    TCase *tcase = tcase_create("solvable");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, random_graphs_are_singular_just_when_their_determinant_vanishes, 0,
                        4);
    tcase_add_loop_test(tcase, singular_graphs_are_told_with_the_names_of_the_elements, 0,
                        (int) HA_COUNT(cases));
    tcase_add_loop_test(tcase, loops_are_the_diagonal_blocks_and_models_are_structurally_regular, 0,
                        4);
    tcase_add_loop_test(tcase, every_failing_allocation_of_the_tests_is_told, 0, 5);
    tcase_add_test(tcase, a_gyrator_ring_has_the_order_of_its_parity);
    tcase_add_test(tcase, trains_have_one_state_and_ladders_have_all);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
