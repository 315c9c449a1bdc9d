/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fields in model files, by a matrix and by an energy, against closed forms; bonds to ports by
 * number; what is said of bad ones.
 */
#include <config.h>

#include "tests/unit/mech2d/run.h"

#include <math.h>
#include <stdio.h>

#define HEAD "halfarrow: 1\n"
#define TAIL "simulate: {t_end: 1, rtol: 1e-10, atol: 1e-11}\n"

/* q = C e with C = [1 0.2; 0.2 3] is loaded by constant flows 2 and -3 from q = (0.1, 0.4). */
static void expect_charged(const char *field, const char *bonds)
{
    char text[1024];
    double q1 = 0.1 + 2.0, q2 = 0.4 - 3.0, det = 1.0 * 3.0 - 0.2 * 0.2;

    snprintf(text, sizeof text,
             HEAD "bondgraph:\n"
                  "  elements:\n"
                  "    A: {type: Sf, value: 2}\n"
                  "    B: {type: Sf, value: -3}\n"
                  "    F: %s\n"
                  "  bonds: [%s]\n" TAIL,
             field, bonds);
    run r = run_text(text);
    run_expect(&r, "F.q1", q1, 1e-9);
    run_expect(&r, "F.q2", q2, 1e-9);
    run_expect(&r, "F.e1", (3.0 * q1 - 0.2 * q2) / det, 1e-9);
    run_expect(&r, "F.e2", (1.0 * q2 - 0.2 * q1) / det, 1e-9);
    run_end(&r);
}

START_TEST(a_field_by_a_matrix_or_an_energy_holds_its_law)
{
    static const char *const fields[] = {
        "{type: C, ports: 2, value: [[1, 0.2], [0.2, 3]], q: [0.1, 0.4]}",
        "{type: C, ports: 2, value: [[1, 0.2], [0.2, 3]], q1: 0.1, q2: 0.4}",
        "{type: C, ports: 2, energy: (3*q1^2 - 0.4*q1*q2 + q2^2)/(2*2.96), q: [0.1, 0.4]}",
        "{type: IC, ports: 2, energy: (3*q1^2 - 0.4*q1*q2 + q2^2)/(2*2.96), q2: 0.4, q1: 0.1}",
    };

    for (size_t i = 0; i < HA_COUNT(fields); i++) {
        expect_charged(fields[i], "A > F, B > F");
        expect_charged(fields[i], "B > F.2, A > F.1");
        expect_charged(fields[i], "B > F.2, A > F");
        expect_charged(fields[i], "A > F, B > F.2");
    }
}
END_TEST

/* e = R f, R = [2 1; -1 3], under flows 2 and -3. */
START_TEST(a_resistor_field_needs_no_symmetry)
{
    run r = run_text(HEAD "bondgraph:\n"
                          "  elements:\n"
                          "    A: {type: Sf, value: 2}\n"
                          "    B: {type: Sf, value: -3}\n"
                          "    F: {type: R, ports: 2, value: [[2, 1], [-1, 3]]}\n"
                          "  bonds: [B > F.2, A > F.1]\n" TAIL);

    run_expect(&r, "F.e1", 2.0 * 2.0 - 3.0, 1e-10);
    run_expect(&r, "F.e2", -2.0 - 9.0, 1e-10);
    run_end(&r);
}
END_TEST

/* Ports of a field in a submodel, one inside and one outside, by number; two instances. */
START_TEST(a_field_works_inside_of_submodels)
{
    static const char *const ends[][2] = { { "F.2", "F.1" }, { "F.1", "F.2" }, { "F.1", "F" } };

    for (size_t i = 0; i < HA_COUNT(ends); i++) {
        char text[1024];
        bool is_first = ends[i][0][2] == '1'; /* the port inside */
        double q1 = 0.1 + (is_first ? -3.0 : 2.0), q2 = 0.4 + (is_first ? 2.0 : -3.0);
        snprintf(text, sizeof text,
                 HEAD "submodels:\n"
                      "  cell:\n"
                      "    parameters: {c: 3}\n"
                      "    ports: {out: %s}\n"
                      "    elements:\n"
                      "      F: {type: C, ports: 2, value: [[1, 0.2], [0.2, c]], q: [0.1, 0.4]}\n"
                      "      B: {type: Sf, value: -3}\n"
                      "    bonds: [B > %s]\n"
                      "bondgraph:\n"
                      "  elements:\n"
                      "    A: {type: Sf, value: 2}\n"
                      "    A2: {type: Sf, value: 2}\n"
                      "    X: {type: cell}\n"
                      "    Y: {type: cell, parameters: {c: 5}}\n"
                      "  bonds: [A > X.out, A2 > Y.out]\n" TAIL,
                 ends[i][1], ends[i][0]);
        run r = run_text(text);
        run_expect(&r, "X.F.e1", (3.0 * q1 - 0.2 * q2) / 2.96, 1e-9);
        run_expect(&r, "X.F.e2", (q2 - 0.2 * q1) / 2.96, 1e-9);
        run_expect(&r, "Y.F.e1", (5.0 * q1 - 0.2 * q2) / 4.96, 1e-9);
        run_expect(&r, "Y.F.e2", (q2 - 0.2 * q1) / 4.96, 1e-9);
        run_end(&r);
    }
}
END_TEST

/* A law inside of a submodel whose parameter is overridden: q' = f, e = k q^3. */
START_TEST(a_law_works_inside_of_submodels)
{
    run r = run_text(HEAD "submodels:\n"
                          "  stop:\n"
                          "    parameters: {k: 3}\n"
                          "    ports: {end: C}\n"
                          "    elements: {C: {type: C, e: k*q^3, q: 0.1}}\n"
                          "bondgraph:\n"
                          "  elements:\n"
                          "    A: {type: Sf, value: 2}\n"
                          "    B: {type: Sf, value: 2}\n"
                          "    X: {type: stop}\n"
                          "    Y: {type: stop, parameters: {k: 5}}\n"
                          "  bonds: [A > X.end, B > Y.end]\n" TAIL);

    run_expect(&r, "X.C.e", 3.0 * pow(2.1, 3), 1e-7);
    run_expect(&r, "Y.C.e", 5.0 * pow(2.1, 3), 1e-7);
    run_end(&r);
}
END_TEST

START_TEST(what_is_wrong_is_told_with_its_name)
{
    static const struct {
        const char *field, *bonds, *text;
    } bad[] = {
        { "{type: C, ports: 0}", "A > F, B > F", "`ports` of element `F` is 0" },
        { "{type: C, ports: 1.5}", "A > F, B > F", "is 1.5" },
        { "{type: C, ports: 65}", "A > F, B > F", "from 1 to 64" },
        { "{type: C, ports: 2}", "A > F, B > F", "matrix of 4 values" },
        { "{type: C, ports: 2, value: 3}", "A > F, B > F", "`value` of element `F`" },
        { "{type: C, ports: 2, value: [[1, 2], [3]]}", "A > F, B > F", "`value` of element `F`" },
        { "{type: C, ports: 2, value: [[1, 2], [0, 3]]}", "A > F, B > F", "symmetric" },
        { "{type: C, ports: 2, value: [[1, 2], [2, 3]]}", "A > F, B > F", "positive definite" },
        { "{type: TF, ports: 2}", "A > F, B > F", "cannot be the ports of a field" },
        { "{type: C, ports: 2, q3: 1}", "A > F, B > F", "q3" },
        { "{type: C, q1: 1}", "A > F", "q1" },
        { "{type: C, ports: 2, energy: q1^2 + q2^2}", "A > F.1, B > F.1", "a second time" },
        { "{type: C, ports: 2, energy: q1^2 + q2^2}", "A > F.1, B > F.3", "has 2 ports" },
        { "{type: C, ports: 2, energy: q1^2 + q2^2}", "A > F.1, B > F.x", "write `F.1`" },
        { "{type: C, ports: 2, energy: q1^2 + q2^2}", "A > F.1, B > F.0", "write `F.1`" },
    };

    for (size_t i = 0; i < HA_COUNT(bad); i++) {
        char text[512];
        run r = run_new();
        m2d_read_def def = { 0 };
        snprintf(text, sizeof text,
                 HEAD "bondgraph:\n  elements: {A: {type: Sf}, B: {type: Sf}, F: %s}\n"
                      "  bonds: [%s]\n",
                 bad[i].field, bad[i].bonds);
        ha_status status = m2d_read_text(r.ctx, text, strlen(text), "m.yaml", &def, &r.model);
        status = status != HA_OK ? status : run_model(&r);
        ck_assert_msg(status != HA_OK, "%s", text);
        bool is_found = false;
        for (size_t k = 0; k < ha_ctx_n_diags(r.ctx); k++) {
            is_found = is_found || strstr(ha_ctx_diag(r.ctx, k)->text, bad[i].text) != NULL;
        }
        ck_assert_msg(is_found, "%s: %s", bad[i].text,
                      ha_ctx_n_diags(r.ctx) == 0 ? "" : ha_ctx_diag(r.ctx, 0)->text);
        run_end(&r);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fields in model files");
    TCase *tests = tcase_create("fields");

    tcase_add_test(tests, a_field_by_a_matrix_or_an_energy_holds_its_law);
    tcase_add_test(tests, a_resistor_field_needs_no_symmetry);
    tcase_add_test(tests, a_field_works_inside_of_submodels);
    tcase_add_test(tests, a_law_works_inside_of_submodels);
    tcase_add_test(tests, what_is_wrong_is_told_with_its_name);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
