/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the balance of power proves is so: elimination of the same loops modulo 2^61 - 1 is asked in
 * random graphs, some of whose values are negative, zero or differences that vanish; and closed
 * forms of networks are, which are regular or not.
 */
#include <config.h>

#include "bondgraph/causality/causality_priv.h"
#include "bondgraph/causality/pencil.h"
#include "bondgraph/causality/solvable.h"
#include "bondgraph/compact.h"

#include "tests/unit/bondgraph/random_graph.h"

#include "tests/unit/bondgraph/causal_graph.h" /* its variables are called as parameters of that */
#include "tests/util/util.h"

/* How many of the loops are proved; which, to be freed. */
static int prove(bool **is_proved)
{
    const bg__system *s = causality->system;
    int n = 0;

    *is_proved = calloc((size_t) s->n_loops + 1, sizeof **is_proved);
    ck_assert_int_eq(bg__prove_loops(s, *is_proved), HA_OK);
    for (int l = 0; l < s->n_loops; l++) {
        n += (*is_proved)[l] ? 1 : 0;
    }
    return n;
}

static int n_proved(void)
{
    bool *is_proved = NULL;
    int n = prove(&is_proved);

    free(is_proved);
    return n;
}

/* What elimination misses in the loops that are proved, or in the others. */
static int n_missing(bg__values values, const bool *is_proved, bool wants_proved)
{
    const bg__system *s = causality->system;
    bg__pencil pencil = { 0 };
    bg__pencil_rank rank = { 0 };

    ck_assert_int_eq(bg__pencil_build(s, values, 3, NULL, &pencil), HA_OK);
    bool *is_out = calloc((size_t) pencil.n + 1, sizeof *is_out);
    for (int i = 0; i < pencil.n; i++) {
        int loop = i < pencil.n_definitions ? s->loop_of[i] : -1;
        is_out[i] = loop < 0 || is_proved[loop] != wants_proved;
    }
    const bg__pencil_view view = { .is_out = is_out, .s = 12345 };
    ck_assert_int_eq(bg__pencil_examine(ctx, &pencil, &view, NULL, NULL, &rank), HA_OK);
    free(is_out);
    bg__pencil_clear(&pencil);
    return rank.n_missing;
}

/* Values that meet and cancel, for resistors and two-ports. */
static void give_awkward_values(description *d)
{
    static const char *const values[] = { "{1}",   "{2}",   "{1}",  "{2}",  "{1}",          "{2}",
                                          "{1+1}", "{3-2}", "{-1}", "{-2}", "{0.1+0.2-0.3}" };

    for (int i = 0; i < d->n_elements; i++) {
        const char *type = d->e[i].type;
        if (strcmp(type, "R") == 0 || strcmp(type, "TF") == 0 || strcmp(type, "GY") == 0) {
            strcpy(d->e[i].value, values[chance((int) HA_COUNT(values))]);
        }
    }
}

START_TEST(loops_that_are_proved_are_regular_by_elimination)
{
    static char text[MAX_TEXT];
    int n_loops = 0, n = 0, n_singular = 0;

    for (unsigned seed = 1; seed <= 8000; seed++) {
        description d = random_graph(seed);
        bool *is_proved = NULL;
        if (seed % 2 == 0) {
            give_awkward_values(&d);
        }
        write_text(&d, false, text);
        read_and_assign(text);
        if (causality->strokes.outcome == BG_CLASS_COUNT) {
            n += prove(&is_proved);
            n_loops += causality->system->n_loops;
            for (int values = BG__VALUES_ANY; values <= BG__VALUES_MEANT; values++) {
                bool others_are = n_missing((bg__values) values, is_proved, false) == 0;
                n_singular += others_are ? 0 : 1;
                ck_assert_msg(!others_are || n_missing((bg__values) values, is_proved, true) == 0,
                              "seed %u: %s", seed, text);
            }
            free(is_proved);
        }
        teardown();
        setup();
    }
    ck_assert_int_gt(n, 200);
    ck_assert_int_gt(n_loops - n, 100);
    ck_assert_int_gt(n_singular, 20);
}
END_TEST

/* A square of 0-junctions with resistors of the given value between them. */
static void read_grid(int side, const char *value, const char *corner)
{
    static char text[1 << 16];
    int at = snprintf(text, sizeof text, "%s;", corner);

    for (int i = 0; i < side * side; i++) {
        for (int k = 0; k < 2; k++) {
            int j = i + (k == 0 ? 1 : side);
            if (k == 0 ? i % side < side - 1 : j < side * side) {
                at += snprintf(text + at, sizeof text - (size_t) at, "0_%d>1_%d>R_%d%s;1_%d>0_%d;",
                               i, 2 * i + k, 2 * i + k, value, 2 * i + k, j);
            }
        }
    }
    read_and_assign(text);
}

START_TEST(a_grid_of_resistors_is_proved_with_a_potential_only)
{
    read_grid(8, "{0.5}", "Se>0_0");
    ck_assert_int_eq(causality->system->n_loops, 1);
    ck_assert_int_eq(n_proved(), 1);
    ck_assert(bg_causality_status(causality) == HA_OK);
    teardown();
    setup();
    /* nothing fixes its potential: singular, and the power is 0 for any */
    read_grid(8, "{0.5}", "De>0_0");
    ck_assert_int_eq(n_proved(), 0);
    ck_assert_str_eq(bg_class_name(bg_causality_class(causality)), "STRUCTURALLY_SINGULAR");
    teardown();
    setup();
    /* all negative: regular, since the signs of all rows can be turned, but not by this proof */
    read_grid(8, "{-0.5}", "Se>0_0");
    ck_assert_int_eq(n_proved(), 0);
    ck_assert(bg_causality_status(causality) == HA_OK);
}
END_TEST

/* A ladder of two sections; with R1 = -1 and R2 = 1 alone it is singular. */
static const struct {
    const char *text;
    int n_proved, n_loops;
} loops[] = {
    { "Se>1a>R1;1a>0b>R2;0b>1c>R3;1c>R4", 1, 1 },
    { "Se>1a>R1{2*3};1a>0b>R2{1/2};0b>1c>R3{1+2};1c>R4{1-(-2)}", 1, 1 },
    { "Se>1a>R1{1+sin(t)};1a>0b>R2;0b>1c>R3;1c>R4", 0, 1 },
    { "Se>1a>R1{-1};1a>0b>R2", 0, 1 },
    /* a loop with power of unknown sign does not spoil another behind a storage */
    { "Se>1a>R1{-3};1a>0b>R2;0b>C;0b>1c>R3;1c>0d>R4;0d>R5", 1, 1 },
    /* a modulus that a signal of the loop gives: the law passes on no power when it is linearised
     */
    { "Se>1a>R1;1a>MTF{2+R1.f}>0b>R2", 0, 1 },
};

START_TEST(loops_are_proved_where_all_power_is_dissipated)
{
    read_and_assign(loops[_i].text);
    ck_assert_msg(causality->system->n_loops == loops[_i].n_loops, "%s: %d loops", loops[_i].text,
                  causality->system->n_loops);
    ck_assert_msg(n_proved() == loops[_i].n_proved, "%s", loops[_i].text);
}
END_TEST

static const struct {
    const char *text;
    bool is_proved;
} storages[] = {
    { "Se>1a>I1;1a>TF{2}>1b>I2;1b>R", true },
    { "Se{sin(t)}>1a>I1{2+1};1a>I2", true },
    /* -1 and 1 add up to nothing */
    { "Sf>0a>C1{-1};0a>C2{1}", false },
    { "Se>1a>I1;1a>I2{0}", false },
    /* the source follows a state, and through a dependent inertia its rate: 1 + 1 - 2 = 0 */
    { "MSe{I1.f}>1a>I1;1a>I2", false },
    { "Se>1a>MTF{2+cos(Df.q)}>1b>I2;1a>I1;1a>Df", false },
    { "Se>1a>I1;1a>I2;1a>R{-1}", false },
};

START_TEST(states_are_proved_where_storages_and_resistors_are_positive)
{
    bool is_proved = false;

    read_and_assign(storages[_i].text);
    ck_assert_int_eq(bg__prove_states(causality->system, &is_proved), HA_OK);
    ck_assert_msg(is_proved == storages[_i].is_proved, "%s", storages[_i].text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("passive");
    TCase *tcase = tcase_create("passive");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, loops_that_are_proved_are_regular_by_elimination);
    tcase_add_test(tcase, a_grid_of_resistors_is_proved_with_a_potential_only);
    tcase_add_loop_test(tcase, loops_are_proved_where_all_power_is_dissipated, 0,
                        (int) HA_COUNT(loops));
    tcase_add_loop_test(tcase, states_are_proved_where_storages_and_resistors_are_positive, 0,
                        (int) HA_COUNT(storages));
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
