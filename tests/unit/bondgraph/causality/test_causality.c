/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Causality of the models with a known outcome: counts of integral and dependent storages, sinks,
 * loops, class. The outcomes come from exhaustive enumeration of strokes and an exact computation
 * of order and index, made independently of this program.
 */
#include <config.h>

#include "bondgraph/causality.h"
#include "bondgraph/compact.h"
#include "tests/unit/bondgraph/causal_graph.h"
#include "tests/util/util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *id, *text;
    int bonds, integral, derivative, tears, order, index;
    bg_class kind;
} expected;

static const expected models[] = {
    { "T01", "Se>1a>R;1a>I;1a>C", 4, 2, 0, 0, 2, 1, BG_CAUSAL_ODE },
    { "T02", "Sf>0a>R;0a>I;0a>C", 4, 2, 0, 0, 2, 1, BG_CAUSAL_ODE },
    { "T03", "Se>0a>R;0a>I;0a>C", 4, 1, 1, 0, 1, 2, BG_DEPENDENT_STORAGE },
    { "T04", "Se>0a>C", 2, 0, 1, 0, 0, 2, BG_DEPENDENT_STORAGE },
    { "T05", "Se>1a>R1;1a>I1;1a>GY>1b>I2;1b>R2", 7, 2, 0, 0, 2, 1, BG_CAUSAL_ODE },
    { "T06", "Se>1a>R1;1a>I1;1a>GY>1b>I2;1b>R2;1b>TF>1c>I3;1c>R3", 11, 2, 1, 0, 2, 2,
      BG_DEPENDENT_STORAGE },
    { "T08", "Se>1a>R1;1a>I1;1a>GY>0a>C;0a>1b>I2;1b>R2", 9, 2, 1, 0, 2, 2, BG_DEPENDENT_STORAGE },
    { "T09", "Se>1a>I1;1a>TF>1b>I2;1b>R", 6, 1, 1, 0, 1, 2, BG_DEPENDENT_STORAGE },
    { "T10", "Se>1a>I1;1a>I2;1a>R", 4, 1, 1, 0, 1, 2, BG_DEPENDENT_STORAGE },
    { "T11", "Se>1a>R;1a>0a>C1;0a>C2", 5, 1, 1, 0, 1, 2, BG_DEPENDENT_STORAGE },
    { "T12", "Se>1a>R1;1a>R2;1a>C", 4, 1, 0, 1, 1, 1, BG_CAUSAL_LOOPS },
    { "T13", "Se>1a>R1;1a>0a>R2;0a>1b>R3;1b>C", 7, 1, 0, 1, 1, 1, BG_CAUSAL_LOOPS },
    { "T15", "Se>0a>1p>0b;1p>R1;0a>1q>0c;1q>R3;0b>R2;0c>R4;0b>1g>0c;1g>R5", 12, 0, 0, 2, 0, 1,
      BG_CAUSAL_LOOPS },
    { "T18", "Se>1s>R;1s>I;1s>0x;0x>TF1{2}>0y;0x>TF2{3}>0y;0y>C", 9, 1, 1, -1, 1, 2,
      BG_CAUSAL_MESH },
    { "T18c", "Se>1s>R;1s>I;1s>0x;0x>TF1{3}>0y;0x>TF2{3}>0y;0y>C", 9, 1, 1, -1, -1, -1,
      BG_SINGULAR_AT_VALUES },
    { "T18b", "Se>1s>I;1s>TF1>0y;1s>TF2>0y;0y>R", 7, 1, 0, 0, 1, 1, BG_CAUSAL_ODE },
    { "T22", "Sf>0a>C1;0a>1a>R1;1a>0b>C2;0b>R2", 7, 2, 0, 0, 2, 1, BG_CAUSAL_ODE },
    { "T24", "Sf>0r>1t>C1;1t>R1;0r>1u>I1;Se1>1u;1u>0s>1d>C2;1d>R2;0s>1m>I2;Se2>1m", 14, 4, 0, 0, 4,
      1, BG_CAUSAL_ODE },
    { "T25", "Se>1a>R1;1a>I1;1a>GY>1b>I2;1b>R2;1b>TF>1c>I3;1c>C", 11, 3, 1, 0, 3, 2,
      BG_DEPENDENT_STORAGE },
    { "T26", "Se1>1x>I1;Se2>1y>I2;Se3>1z>I3;1x>GY1>1y;1y>GY2>1z;1z>GY3>1x", 12, 3, 0, 0, 3, 1,
      BG_CAUSAL_ODE },
    { "T27", "Se1>1x>C1;Se2>1y>C2;Se3>1z>C3;1x>GY1>1y;1y>GY2>1z;1z>GY3>1x", 12, 2, 1, -1, 2, 2,
      BG_CAUSAL_MESH },
    { "T29", "0a>I1;0a>I2;0a>I3;Se>1a>R;1a>0a", 6, 3, 0, 0, 3, 1, BG_CAUSAL_ODE },
    { "T31", "Se>1x>I1;Se2>1y>I2;1t>I3;1t>TF1>1x;1t>TF2>1y", 9, 1, 2, 0, 1, 2,
      BG_DEPENDENT_STORAGE },
    { "T32", "Se>1x>I1;Se2>1y>I2;1t>I3;1t>TF1>0x>1x;Re1>0x;1t>TF2>0y>1y;Re2>0y", 13, 3, 0, 0, 1, 2,
      BG_IMPLICIT_CONSTRAINTS },
    { "T33", "Se>1a>R1;1a>I1;1a>TF>1b>I2;1b>R2", 7, 1, 1, 0, 1, 2, BG_DEPENDENT_STORAGE },
    { "T36", "Se>1a>R2;1a>I3;1a>TF>0b>C6;0b>R7", 7, 2, 0, 0, 2, 1, BG_CAUSAL_ODE },
    { "T37", "Se>1a>I1;1a>GY1>0b>GY2>1c>I2;1c>R", 8, 1, 1, 0, 1, 2, BG_DEPENDENT_STORAGE },
    { "T39", "Se>1b>I2;1b>0r>1r>C2;1r>R2;0r>1a>I1;1a>C1;1a>R1", 10, 4, 0, 0, 4, 1, BG_CAUSAL_ODE },
    { "false-singular", "1a>0b;0b>1c;1c>0d;0d>1c;Sf5>1a;0b>R6;0b>C7", 7, 1, 0, -1, -1, -1,
      BG_STRUCTURALLY_SINGULAR },
    { "T43", "Se>1a>I1;1a>0c>1b>I2;1b>R;Re>0c", 7, 2, 0, 0, 1, 2, BG_IMPLICIT_CONSTRAINTS },
};

START_TEST(known_models_come_out_as_enumerated)
{
    const expected *m = &models[_i];

    read_and_assign(m->text);
    ck_assert_msg(bg_causality_n_bonds(causality) == m->bonds, "%s: bonds", m->id);
    ck_assert_msg(bg_causality_count(causality, BG_INTEGRAL) == m->integral, "%s: integral", m->id);
    ck_assert_msg(bg_causality_count(causality, BG_DERIVATIVE) == m->derivative, "%s: derivative",
                  m->id);
    ck_assert_msg(bg_causality_class(causality) == m->kind, "%s: %s", m->id,
                  bg_class_name(bg_causality_class(causality)));
    ck_assert_msg(bg_causality_order(causality, 0) == m->order, "%s: order %d", m->id,
                  bg_causality_order(causality, 0));
    ck_assert_msg(bg_causality_index(causality) == m->index, "%s: index %d", m->id,
                  bg_causality_index(causality));
    if (m->tears >= 0) {
        ck_assert_msg(bg_causality_n_loop_variables(causality) == m->tears, "%s: %d tears", m->id,
                      bg_causality_n_loop_variables(causality));
    }
}
END_TEST

static const struct {
    const char *text, *first, *second, *what;
} conflicts[] = {
    /* T19, T20, T21 */
    { "Se1>0a>R;Se2>0a", "`Se1`", "`Se2`", "both decide the effort of `0a`" },
    { "Sf1>1a>R;Sf2>1a", "`Sf1`", "`Sf2`", "both decide the flow of `1a`" },
    { "Se1>0a>TF>0b>R;Se2>0b", "`Se1`", "`Se2`", "both decide the effort of `0b`" },
    { "Sf1>TF>Sf2", "`Sf1`", "`Sf2`", "both decide the flow of `TF`" },
};

START_TEST(a_conflict_names_both_sources)
{
    const char *text = conflicts[_i].text;

    read_and_assign(text);
    ck_assert_int_eq(bg_causality_class(causality), BG_CONFLICT);
    ck_assert_int_eq(bg_causality_status(causality), HA_ERR_CAUSALITY);
    ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, conflicts[_i].first));
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, conflicts[_i].second));
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, conflicts[_i].what));
}
END_TEST

START_TEST(a_varying_modulus_has_one_sense)
{
    read_and_assign("1t>I3;1t>Df;1t>MTF{cos(Df.q)}>1x;1x>I1");
    /* f2 = n f1 only: the flow of 1x follows from that of 1t, I1 depends on I3 */
    ck_assert_int_eq(bg_causality_count(causality, BG_DERIVATIVE), 1);
    ck_assert_str_eq(bg_causality_name(causality, BG_DERIVATIVE, 0), "I1");
}
END_TEST

START_TEST(a_varying_modulus_against_its_sense_is_reported)
{
    read_and_assign("1t>MTF{cos(Df.q)}>1x;Sf>1x;1t>Df;1t>R");
    ck_assert_int_eq(bg_causality_class(causality), BG_NON_INVERTIBLE);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "`MTF`"));
}
END_TEST

/* An odd ring of gyrators with nothing in it to give way. */
#define ODD_RING "Se1>1x;Se2>1y;Se3>1z;1x>GY1>1y;1y>GY2>1z;1z>GY3>1x"
#define WRONG_SENSE "1t>MTF{cos(Df.q)}>1u;Sf>1u;1t>Df;1t>R"

static const struct {
    const char *text;
    bg_class kind;
    const char *what;
} precedences[] = {
    { ODD_RING, BG_CONFLICT, "the strokes around `1x`, `1y` and `1z` contradict each other" },
    { ODD_RING ";" WRONG_SENSE, BG_CONFLICT, "no causality exists" },
    /* the transformer could give way, and the ring could then be completed: not as it is */
    { "Se1>1x;Se2>1y;Se3>1z;1x>GY1>1y;1y>GY2>1z;1z>GY3>1x;1x>MTF{cos(Df.q)}>1w;1w>Df", BG_CONFLICT,
      "no causality exists" },
    { "Se1>1x;Se2>1y;Se3>1z;1x>GY1>1y;1y>GY2>1z;1z>GY3>1x;1w>MTF{cos(Df.q)}>1x;1w>Df;1w>R",
      BG_CAUSAL_LOOPS, NULL },
    { "Se1>1x;Se2>1y;Se3>1z;1x>GY1>1y;1y>GY2>1z;1z>GY3>1x;1x>MTF{cos(Df.q)}>1w;1w>Df;1w>R",
      BG_NON_INVERTIBLE, "`MTF`" },
};

START_TEST(a_conflict_goes_before_a_value_that_leaves_one_sense)
{
    read_and_assign(precedences[_i].text);
    ck_assert_str_eq(bg_class_name(bg_causality_class(causality)),
                     bg_class_name(precedences[_i].kind));
    if (precedences[_i].what != NULL) {
        ck_assert_uint_eq(ha_ctx_n_errors(ctx), 1);
        ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, precedences[_i].what));
    }
}
END_TEST

/* What the message of a contradiction advises, done at any place that it names, is enough. */
START_TEST(a_resistor_at_a_contested_junction_settles_the_contest)
{
    static const char *const texts[] = {
        ODD_RING,
        /* four junctions want their flow from three, each of which gives it to one */
        "1a>0p;1a>0q;1a>0r;1b>0p;1b>0q;1b>0r;1c>0p;1c>0q;1c>0r;1d>0p;1d>0q;1d>0r",
    };
    char names[8][16], text[512];
    int n = 0;

    read_and_assign(texts[_i]);
    ck_assert_int_eq(bg_causality_class(causality), BG_CONFLICT);
    const char *at = strstr(ha_ctx_diag(ctx, 0)->text, "around ");
    const char *end = strstr(ha_ctx_diag(ctx, 0)->text, " contradict");
    ck_assert(at != NULL && end != NULL);
    while ((at = strchr(at, '`')) != NULL && at < end && n < 8) {
        ck_assert_int_eq(sscanf(at, "`%15[^`]`", names[n++]), 1);
        at = strchr(at + 1, '`') + 1;
    }
    ck_assert_int_ge(n, 2);
    for (int i = 0; i < n; i++) {
        teardown();
        setup();
        snprintf(text, sizeof text, "%s;%s>RX", texts[_i], names[i]);
        read_and_assign(text);
        ck_assert_msg(bg_causality_class(causality) != BG_CONFLICT, "%s", text);
    }
}
END_TEST

START_TEST(parts_that_need_no_looking_ahead_do_not_add_to_one_that_does)
{
    char text[2048] = "Se1>1x>C1;Se2>1y>C2;Se3>1z>C3;1x>GY1>1y;1y>GY2>1z;1z>GY3>1x";

    for (int i = 0; i < 15; i++) {
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, ";SeL%d>1L%d>RA%d;1L%d>RB%d;1L%d>CL%d", i, i, i, i, i,
                 i, i);
    }
    read_and_assign(text);
    ck_assert_int_eq(bg_causality_class(causality), BG_CAUSAL_MESH);
    ck_assert_int_eq(bg_causality_count(causality, BG_INTEGRAL), 2 + 15);
    ck_assert_int_eq(bg_causality_count(causality, BG_DERIVATIVE), 1);
    ck_assert_str_eq(bg_causality_name(causality, BG_DERIVATIVE, 0), "C3");
}
END_TEST

START_TEST(a_path_leads_from_the_dependent_storage_to_its_partner)
{
    char *path = NULL;

    read_and_assign("Se>1a>R1;1a>I1;1a>GY>1b>I2;1b>R2;1b>TF>1c>I3;1c>R3");
    ck_assert_int_eq(bg_causality_path(causality, 0, &path), HA_OK);
    ck_assert_str_eq(path, "I3 - 1c - TF - 1b - I2");
    free(path);
}
END_TEST

/* Its content is solved for: no definition says what it depends on. */
START_TEST(a_path_leads_from_a_storage_without_an_inverse)
{
    char *path = NULL;

    read_and_assign("Se>0a>C{e=q+q^3}");
    ck_assert_int_eq(bg_causality_path(causality, 0, &path), HA_OK);
    ck_assert_str_eq(path, "C - 0a - Se");
    free(path);
}
END_TEST

START_TEST(a_path_in_an_unsound_graph_is_the_storage)
{
    char *path = NULL;

    read_and_assign("Se>0a>C{e=q^3}");
    ck_assert_int_eq(bg_causality_class(causality), BG_NON_INVERTIBLE);
    ck_assert_int_eq(bg_causality_path(causality, 0, &path), HA_OK);
    ck_assert_str_eq(path, "C");
    free(path);
}
END_TEST

START_TEST(a_priority_chooses_among_equal_storages)
{
    bg_element_def def = bg_element_def_default();
    bg_element one = 0, a = 0, b = 0;
    bg_bond bond = 0;

    def.type = "1";
    def.name = "1j";
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &one), HA_OK);
    def.type = "I";
    def.name = "Ia";
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &a), HA_OK);
    def.name = "Ib";
    def.priority = 1;
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &b), HA_OK);
    ck_assert_int_eq(bg_graph_add_bond(graph, one, a, 1, HA_NOWHERE, &bond), HA_OK);
    ck_assert_int_eq(bg_graph_add_bond(graph, one, b, 1, HA_NOWHERE, &bond), HA_OK);
    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
    ck_assert_str_eq(bg_causality_name(causality, BG_DERIVATIVE, 0), "Ia");
}
END_TEST

START_TEST(the_trace_gives_each_stroke_a_reason)
{
    char *trace = NULL;

    read_and_assign("Se>1a>R;1a>I;1a>C");
    ck_assert_int_eq(bg_causality_trace(causality, &trace), HA_OK);
    ck_assert_ptr_nonnull(strstr(trace, "Se > 1a: stroke at 1a; Se: has one sense only"));
    ck_assert_ptr_nonnull(strstr(trace, "1a > I: stroke at I; I: integral causality preferred"));
    ck_assert_ptr_nonnull(strstr(trace, "1a > R: stroke at 1a; 1a: follows from its other bonds"));
    free(trace);
}
END_TEST

START_TEST(the_trace_tells_why_a_preference_was_not_met)
{
    static const char *const texts[][2] = {
        { "Se>1s>R;1s>I;1s>0x;0x>TF1{2}>0y;0x>TF2{3}>0y;0y>C",
          "C: integral causality impossible: derivative, because the other way contradicts the "
          "strokes so far" },
        { "Se1>1x>C1;Se2>1y>C2;Se3>1z>C3;1x>GY1>1y;1y>GY2>1z;1z>GY3>1x",
          "C3: integral causality impossible: derivative, because the other way leaves bonds that "
          "cannot be completed" },
        { "1a>MTF{1+t}>1b;1a>I;1b>R", "MTF: has one sense only: its modulus is 0 or varies" },
    };
    char *trace = NULL;

    read_and_assign(texts[_i][0]);
    ck_assert_int_eq(bg_causality_trace(causality, &trace), HA_OK);
    ck_assert_msg(strstr(trace, texts[_i][1]) != NULL, "%s", trace);
    free(trace);
}
END_TEST

START_TEST(the_components_of_a_multibond_have_their_own_strokes)
{
    read_and_assign("Se=2>1a;1a=2>I;1a=2>R");
    ck_assert_int_eq(bg_causality_n_bonds(causality), 6);
    ck_assert_int_eq(bg_causality_count(causality, BG_INTEGRAL), 2);
    for (int b = 0; b < bg_graph_n_bonds(graph); b++) {
        bool to_storage = strcmp(bg_element_name(graph, bg_bond_head(graph, b)), "I") == 0;
        bool from_source = strcmp(bg_element_name(graph, bg_bond_tail(graph, b)), "Se") == 0;
        for (int i = 0; i < 2; i++) {
            ck_assert_int_eq(bg_causality_stroke(causality, b, i),
                             to_storage || from_source ? BG_STROKE_HEAD : BG_STROKE_TAIL);
        }
    }
}
END_TEST

START_TEST(a_full_square_matrix_expands)
{
    /* every entry needs a transformer of its own, beside the junctions of both sides */
    read_and_assign("Se=2>MTF{2|3|5|7}=2>I");
    ck_assert_int_eq(bg_causality_n_bonds(causality), 2 + 2 + 2 * 4);
}
END_TEST

START_TEST(a_junction_component_without_a_bond_is_reported)
{
    bg_element_def def = bg_element_def_default();
    bg_element se = 0, junction = 0;
    bg_bond bond = 0;

    def.type = "Se";
    def.name = "Se";
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &se), HA_OK);
    def.type = "1";
    def.name = "1a";
    def.dim = 2;
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &junction), HA_OK);
    const bg_bond_def part = { .tail = se, .head = junction, .dim = 1, .head_first = 1 };
    ck_assert_int_eq(bg_graph_add_partial_bond(graph, &part, &bond), HA_OK);
    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_ERR_VALUE);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "`1a.1` has no bond"));
}
END_TEST

START_TEST(an_empty_graph_is_a_causal_ode)
{
    read_and_assign("");
    ck_assert_int_eq(bg_causality_class(causality), BG_CAUSAL_ODE);
}
END_TEST

START_TEST(an_unbonded_port_is_reported_by_name)
{
    const char *text = "Se>1a>TF;1a>R";

    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_ERR_VALUE);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "`TF`"));
}
END_TEST

/* A mixed problem names what it has, and nothing else. */
START_TEST(a_mixture_is_told_by_its_parts)
{
    static const char *const parts[] = { "Se1>1a>R1;1a>R2;1a>C1;", "Se2>1b>I1;1b>I2;1b>R3;",
                                         "Se3>1c>I3;1c>0c>1d>I4;1d>R4;Re>0c;" };
    static const char *const words[] = { "algebraic loops", "dependent storages",
                                         "implicit constraints" };
    char text[256] = "";

    for (int i = 0; i < 3; i++) {
        strcat(text, (_i >> i & 1) != 0 ? parts[i] : "");
    }
    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
    bool is_mixed = (_i & (_i - 1)) != 0;
    ck_assert_int_eq(bg_causality_class(causality) == BG_MIXED, is_mixed);
    for (int i = 0; i < 3 && is_mixed; i++) {
        bool is_named = strstr(bg_causality_text(causality), words[i]) != NULL;
        ck_assert_int_eq(is_named, (_i >> i & 1) != 0);
    }
    if (!is_mixed) {
        ck_assert_str_eq(bg_causality_text(causality),
                         bg_class_text(bg_causality_class(causality)));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("causality");
    TCase *tcase = tcase_create("causality");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, a_mixture_is_told_by_its_parts, 1, 8);
    tcase_add_loop_test(tcase, known_models_come_out_as_enumerated, 0, (int) HA_COUNT(models));
    tcase_add_loop_test(tcase, a_conflict_names_both_sources, 0, (int) HA_COUNT(conflicts));
    tcase_add_test(tcase, a_varying_modulus_has_one_sense);
    tcase_add_test(tcase, a_varying_modulus_against_its_sense_is_reported);
    tcase_add_loop_test(tcase, a_conflict_goes_before_a_value_that_leaves_one_sense, 0,
                        (int) HA_COUNT(precedences));
    tcase_add_loop_test(tcase, a_resistor_at_a_contested_junction_settles_the_contest, 0, 2);
    tcase_add_test(tcase, parts_that_need_no_looking_ahead_do_not_add_to_one_that_does);
    tcase_add_test(tcase, a_path_leads_from_the_dependent_storage_to_its_partner);
    tcase_add_test(tcase, a_path_leads_from_a_storage_without_an_inverse);
    tcase_add_test(tcase, a_path_in_an_unsound_graph_is_the_storage);
    tcase_add_test(tcase, a_priority_chooses_among_equal_storages);
    tcase_add_test(tcase, the_trace_gives_each_stroke_a_reason);
    tcase_add_loop_test(tcase, the_trace_tells_why_a_preference_was_not_met, 0, 3);
    tcase_add_test(tcase, the_components_of_a_multibond_have_their_own_strokes);
    tcase_add_test(tcase, a_full_square_matrix_expands);
    tcase_add_test(tcase, a_junction_component_without_a_bond_is_reported);
    tcase_add_test(tcase, an_empty_graph_is_a_causal_ode);
    tcase_add_test(tcase, an_unbonded_port_is_reported_by_name);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
