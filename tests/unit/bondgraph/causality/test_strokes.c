/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Strokes of graphs too large to enumerate. The truth is planted: strokes are drawn first and a
 * graph is built that obeys them, so that a completion with a known number of dependent storages
 * exists; or it is a count in closed form, of rings and grids.
 */
#include <config.h>

#include "bondgraph/causality/causality_priv.h"

#include "tests/util/random.h"
#include "tests/util/util.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- graphs that are written down before they are built --------------------------------------- */

enum { MOST_ELEMENTS = 20000, MOST_BONDS = 20000 };

typedef struct {
    int n_elements, n_bonds;
    const char *type[MOST_ELEMENTS];
    int label[MOST_ELEMENTS]; /* the number in the name */
    int priority[MOST_ELEMENTS];
    int tail[MOST_BONDS], head[MOST_BONDS];
} plan;

static plan p;
static uint64_t random_state;
static ha_ctx *ctx;

static int chance(int n)
{
    return random_below(&random_state, n);
}

static void set_up(void)
{
    ctx = ha_ctx_new();
    p.n_elements = p.n_bonds = 0;
}

static void tear_down(void)
{
    ha_ctx_free(ctx);
}

static int add(const char *type)
{
    p.type[p.n_elements] = type;
    p.label[p.n_elements] = p.n_elements;
    p.priority[p.n_elements] = 0;
    return p.n_elements++;
}

static void bond(int tail, int head)
{
    p.tail[p.n_bonds] = tail;
    p.head[p.n_bonds++] = head;
}

/* A bond from `tail` to `head` through an element in between. */
static void join(int tail, const char *type, int head)
{
    int middle = add(type);

    bond(tail, middle);
    bond(middle, head);
}

static void shuffle(int *items, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int k = chance(i + 1), swap = items[i];
        items[i] = items[k];
        items[k] = swap;
    }
}

static ha_status build_in_order(bg_graph *graph, const int *elements, const int *bonds)
{
    static bg_element made[MOST_ELEMENTS];
    bg_bond unused = 0;

    for (int i = 0; i < p.n_elements; i++) {
        int e = elements[i];
        char name[32];
        bg_element_def def = bg_element_def_default();
        snprintf(name, sizeof name, "%s_%d", p.type[e], p.label[e]);
        def.type = p.type[e];
        def.name = name;
        def.priority = p.priority[e];
        HA_TRY(bg_graph_add_element(graph, &def, &made[e]));
    }
    for (int i = 0; i < p.n_bonds; i++) {
        HA_TRY(bg_graph_add_bond(graph, made[p.tail[bonds[i]]], made[p.head[bonds[i]]], 1,
                                 HA_NOWHERE, &unused));
    }
    return HA_OK;
}

/* Where each bond of the plan was built. */
static int place_of[MOST_BONDS];

/* The bonds in an order by chance, but for the two of an element with two ports, which are taken in
   order of appearance. */
static void shuffle_bonds(int *bonds)
{
    for (int i = 0; i < p.n_bonds; i++) {
        bonds[i] = i;
    }
    shuffle(bonds, p.n_bonds);
    for (int i = 0; i < p.n_bonds; i++) {
        place_of[bonds[i]] = i;
    }
    for (int b = 0; b + 1 < p.n_bonds; b++) {
        const char *type = p.type[p.head[b]];
        if (p.head[b] == p.tail[b + 1] && strlen(type) == 2 && place_of[b] > place_of[b + 1]) {
            int swap = place_of[b];
            place_of[b] = place_of[b + 1];
            place_of[b + 1] = swap;
            bonds[place_of[b]] = b;
            bonds[place_of[b + 1]] = b + 1;
        }
    }
}

/* Builds the graph in an order by chance and assigns causality. */
static bg_causality *assigned(void)
{
    static int elements[MOST_ELEMENTS], bonds[MOST_BONDS];
    bg_graph *graph = bg_graph_new(ctx);
    bg_causality *causality = NULL;

    for (int i = 0; i < p.n_elements; i++) {
        elements[i] = i;
    }
    shuffle(elements, p.n_elements);
    shuffle_bonds(bonds);
    ck_assert_int_eq(build_in_order(graph, elements, bonds), HA_OK);
    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
    bg_graph_free(graph);
    return causality;
}

/* --- rules ------------------------------------------------------------------------------------ */

/* True when the ports of an element with this many effort inputs are as its law needs them. */
static bool is_obeyed(const char *type, int n, int n_in)
{
    static const struct {
        const char *types;
        int n_in; /* wanted; -1: all or none, -2: any */
    } rules[] = {
        { " 0 TF Sf De ", 1 }, { " Se Df ", 0 }, { " GY ", -1 }, { " R C I Re Rf ", -2 }
    };
    char word[8];

    if (strcmp(type, "1") == 0) {
        return n_in == n - 1;
    }
    snprintf(word, sizeof word, " %s ", type);
    for (size_t i = 0; i < HA_COUNT(rules); i++) {
        if (strstr(rules[i].types, word) != NULL) {
            return rules[i].n_in == -2 ||
                   (rules[i].n_in == -1 ? n_in == 0 || n_in == n : n_in == rules[i].n_in);
        }
    }
    return false;
}

static void expect_rules_obeyed(const bg_causality *c)
{
    const bg_graph *graph = c->system->graph;

    for (int e = 0; e < bg_graph_n_elements(graph); e++) {
        int n = bg__n_ports(c->system, e), n_in = 0;
        for (int port = 0; port < n; port++) {
            int ein = bg__ein(c->system, e, bg__port_bond(c->system, e, port));
            ck_assert_int_ge(ein, 0);
            n_in += ein;
        }
        ck_assert_msg(is_obeyed(bg_element_type_name(graph, e), n, n_in), "%s: %d of %d",
                      bg_element_name(graph, e), n_in, n);
    }
}

/* --- planted strokes -------------------------------------------------------------------------- */

/* A one-port whose sense is as planted: is the effort to arrive at the junction from it? */
static const char *one_port(bool gives_effort, bool may_depend)
{
    static const char *const types[2][6] = { { "I", "I", "R", "Sf", "De", "C" },
                                             { "C", "C", "R", "Se", "Df", "I" } };

    return types[gives_effort ? 1 : 0][chance(may_depend ? 6 : 5)];
}

static bool is_dependent(const char *type, bool gives_effort)
{
    return gives_effort ? strcmp(type, "I") == 0 : strcmp(type, "C") == 0;
}

/*
 * Junctions with wires between them. Each junction needs one special bond (0: the effort comes in
 * by it, 1: the flow). For a wire it is drawn at which of its ends it is special; gyrators and
 * transformers make every combination possible. Returns the number of dependent storages planted.
 */
static int plant(int n_junctions, int n_wires, int dependent_percent)
{
    static bool is_served[MOST_ELEMENTS];
    int n_dependent = 0;

    for (int j = 0; j < n_junctions; j++) {
        add(chance(2) == 0 ? "0" : "1");
        is_served[j] = false;
    }
    for (int i = 0; i < n_wires; i++) {
        int ends[2] = { chance(n_junctions), 0 };
        bool ein[2];
        ends[1] = (ends[0] + 1 + chance(n_junctions < 9 ? n_junctions - 1 : 8)) % n_junctions;
        for (int k = 0; k < 2; k++) {
            bool is_special = !is_served[ends[k]] && chance(2) == 0;
            is_served[ends[k]] = is_served[ends[k]] || is_special;
            ein[k] = is_special == (p.type[ends[k]][0] == '0');
        }
        if (ein[0] == ein[1]) {
            join(ends[0], "GY", ends[1]);
        } else if (chance(3) == 0) {
            join(ends[0], "TF", ends[1]);
        } else {
            bond(ends[0], ends[1]);
        }
    }
    for (int j = 0; j < n_junctions; j++) {
        bool is_zero = p.type[j][0] == '0';
        for (int k = chance(2) + (is_served[j] ? 0 : 1); k > 0; k--) {
            /* the last one serves the junction where no wire does */
            bool gives_effort = (k == 1 && !is_served[j]) == is_zero;
            const char *type = one_port(gives_effort, chance(100) < dependent_percent);
            n_dependent += is_dependent(type, gives_effort);
            bond(j, add(type));
        }
    }
    return n_dependent;
}

/* A junction without a bond is no graph; a wire gives every one a neighbour. */
static void bond_lonely_junctions(int n_junctions)
{
    static bool has_bond[MOST_ELEMENTS];

    memset(has_bond, 0, sizeof has_bond);
    for (int b = 0; b < p.n_bonds; b++) {
        has_bond[p.tail[b]] = has_bond[p.head[b]] = true;
    }
    for (int j = 0; j < n_junctions; j++) {
        if (!has_bond[j]) {
            bond(j, add("R"));
        }
    }
}

/* A number that any other stroke changes; parallel bonds may change places. */
static uint64_t summary(const bg_causality *c)
{
    uint64_t sum = 0;

    for (int b = 0; b < p.n_bonds; b++) {
        uint64_t ends = (uint64_t) p.tail[b] << 32 | (uint64_t) p.head[b];
        uint64_t hash = ends * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
        sum += bg_causality_stroke(c, place_of[b], 0) == BG_STROKE_HEAD ? hash * hash : hash;
    }
    return sum;
}

static void rename_by_chance(void)
{
    shuffle(p.label, p.n_elements);
}

START_TEST(planted_strokes_are_matched_or_bettered)
{
    for (int seed = 0; seed < 40; seed++) {
        random_state = (uint64_t) (1000 * _i + seed);
        p.n_elements = p.n_bonds = 0;
        int n_junctions = 3 + chance(80);
        int n_planted = plant(n_junctions, n_junctions + chance(n_junctions), _i % 2 == 0 ? 0 : 20);
        bond_lonely_junctions(n_junctions);
        int n_found[2] = { 0, 0 };
        for (int round = 0; round < 2; round++) {
            rename_by_chance();
            bg_causality *c = assigned(), *again = NULL;
            uint64_t first = summary(c);
            ck_assert_msg(c->strokes.outcome == BG_CLASS_COUNT, "seed %d: %s", seed,
                          bg_class_name(bg_causality_class(c)));
            expect_rules_obeyed(c);
            n_found[round] = bg_causality_count(c, BG_DERIVATIVE);
            ck_assert_int_le(n_found[round], n_planted);
            again = assigned();
            ck_assert_msg(summary(again) == first, "seed %d: strokes depend on the order", seed);
            bg_causality_free(again);
            bg_causality_free(c);
        }
        /* the number depends on no name */
        ck_assert_int_eq(n_found[0], n_found[1]);
    }
}
END_TEST

/* --- counts in closed form -------------------------------------------------------------------- */

/* 1-junctions with a source and a C each, gyrators between them in a ring; the first junction. */
static int add_ring(int n)
{
    int first = p.n_elements;

    for (int i = 0; i < n; i++) {
        add("1");
    }
    for (int i = 0; i < n; i++) {
        bond(add("Se"), first + i);
        bond(first + i, add("C"));
        join(first + i, "GY", first + (i + 1) % n);
    }
    return first;
}

static void expect_dependent(int wanted)
{
    for (int round = 0; round < 2; round++) {
        bg_causality *c = assigned();
        ck_assert_int_eq(c->strokes.outcome, BG_CLASS_COUNT);
        expect_rules_obeyed(c);
        ck_assert_int_eq(bg_causality_count(c, BG_DERIVATIVE), wanted);
        bg_causality_free(c);
        rename_by_chance();
    }
}

/* Each junction takes its flow from a neighbour, so that they are matched in pairs. */
START_TEST(a_ring_of_gyrators_has_a_dependent_storage_when_it_is_odd)
{
    add_ring(1000 + _i);
    expect_dependent(_i % 2);
}
END_TEST

/* Any C of an odd ring may be the one that depends. */
START_TEST(the_storage_of_the_lowest_priority_depends)
{
    char name[32];

    for (int round = 0; round < 20; round++) {
        p.n_elements = p.n_bonds = 0;
        add_ring(31);
        int lowest = -1;
        for (int e = 0; e < p.n_elements; e++) {
            p.priority[e] = chance(1000000) - 500000;
            if (strcmp(p.type[e], "C") == 0 && (lowest < 0 || p.priority[e] < p.priority[lowest])) {
                lowest = e;
            }
        }
        bg_causality *c = assigned();
        ck_assert_int_eq(bg_causality_count(c, BG_DERIVATIVE), 1);
        snprintf(name, sizeof name, "C_%d", lowest);
        ck_assert_str_eq(bg_causality_name(c, BG_DERIVATIVE, 0), name);
        bg_causality_free(c);
    }
}
END_TEST

/* A bridge gives its flow to one of the two rings that it joins. */
START_TEST(bridges_serve_all_odd_rings_but_one)
{
    enum { N_RINGS = 200 };
    int last = add_ring(3 + 2 * _i);

    for (int i = 1; i < N_RINGS; i++) {
        int bridge = add("0"), ring = add_ring(3 + 2 * _i);
        bond(last + 1, bridge);
        bond(bridge, ring);
        bond(bridge, add("R"));
        last = ring;
    }
    expect_dependent(1);
}
END_TEST

/* Rings that nothing joins have one each, and do not multiply each other's work. */
START_TEST(separate_odd_rings_have_one_dependent_storage_each)
{
    enum { N_RINGS = 300 };

    for (int i = 0; i < N_RINGS; i++) {
        add_ring(5);
        int one = add("1");
        bond(add("Se"), one);
        bond(one, add("R"));
        bond(one, add("R"));
        bond(one, add("C"));
    }
    expect_dependent(N_RINGS);
}
END_TEST

/* 0-junctions in a square, resistors between neighbours, a source at a corner. */
START_TEST(a_grid_of_resistors_is_completed)
{
    enum { SIDE = 30 };

    for (int i = 0; i < SIDE * SIDE; i++) {
        add("0");
    }
    for (int i = 0; i < SIDE * SIDE; i++) {
        for (int down = 0; down < 2; down++) {
            if (down == 0 ? i % SIDE == SIDE - 1 : i / SIDE == SIDE - 1) {
                continue;
            }
            int one = add("1");
            bond(i, one);
            bond(one, down == 0 ? i + 1 : i + SIDE);
            bond(one, add("R"));
        }
    }
    bond(add("Se"), 0);
    bond(SIDE * SIDE - 1, add("C"));
    expect_dependent(0);
}
END_TEST

/* --- what cannot be --------------------------------------------------------------------------- */

START_TEST(a_ring_without_storages_is_a_conflict_when_it_is_odd)
{
    int n = 50 + _i, first = p.n_elements;

    for (int i = 0; i < n; i++) {
        add("1");
    }
    for (int i = 0; i < n; i++) {
        bond(add("Se"), first + i);
        join(first + i, "GY", first + (i + 1) % n);
    }
    bg_causality *c = assigned();
    bg_class kind = bg_causality_class(c);
    ck_assert_int_eq(kind == BG_CONFLICT, n % 2 == 1);
    /* with all moduli 1 a ring that has strokes may still be singular */
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), kind <= BG_SINGULAR_AT_VALUES);
    bg_causality_free(c);
}
END_TEST

/* The completion knows elements of which one or all but one port, or none or all, have one ein. */
START_TEST(every_rule_that_counts_is_one_that_can_be_completed)
{
    const bg__type *type = NULL;

    for (size_t i = 0; (type = bg__type_at(ctx, i)) != NULL; i++) {
        int most = type->max_ports == 0 ? 6 : type->max_ports;
        for (int n = type->min_ports; n <= most && type->rule == BG_RULE_COUNT; n++) {
            int wanted = type->base + type->slope * n;
            ck_assert_msg(wanted == 0 || wanted == 1 || wanted == n - 1 || wanted == n, "%s",
                          type->name);
        }
        ck_assert(type->rule != BG_RULE_EQUAL || type->max_ports == 2);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("strokes");
    TCase *tests = tcase_create("strokes");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, planted_strokes_are_matched_or_bettered, 0, 8);
    tcase_add_loop_test(tests, a_ring_of_gyrators_has_a_dependent_storage_when_it_is_odd, 0, 2);
    tcase_add_test(tests, the_storage_of_the_lowest_priority_depends);
    tcase_add_loop_test(tests, bridges_serve_all_odd_rings_but_one, 0, 3);
    tcase_add_test(tests, separate_odd_rings_have_one_dependent_storage_each);
    tcase_add_test(tests, a_grid_of_resistors_is_completed);
    tcase_add_loop_test(tests, a_ring_without_storages_is_a_conflict_when_it_is_odd, 0, 2);
    tcase_add_test(tests, every_rule_that_counts_is_one_that_can_be_completed);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
