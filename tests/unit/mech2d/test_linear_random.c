/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random mechanisms at rest, linearised: bars with revolute and translational joints, closed loops
 * among them, and springs that are not stretched. bg_linearise() compares the eigenvalues with
 * those of the whole system; here the number of states is compared with the mobility, the transfer
 * functions with the whole system's, and the derivatives with differences. With TEST_LONG in the
 * environment there are more of them.
 */
#include <config.h>

#include "tests/unit/bondgraph/linear_reference.h"
#include "tests/unit/mech2d/random_mechanism.h"
#include "tests/unit/mech2d/run.h"

static ha_status attempt(run *r, const char *text, const char *const *outputs, int n_outputs,
                         bg_operating_point *point, bg_linear *linear)
{
    static const char *const input = "push.fx";

    HA_TRY(m2d_read_text(r->ctx, text, strlen(text), "m.yaml", NULL, &r->model));
    HA_TRY(run_expand(r));
    HA_TRY(m2d_assemble(r->system, &r->assembly));
    HA_TRY(bg_causality_assign(m2d_system_graph(r->system), &r->causality));
    HA_TRY(bg_equations_derive_with(r->causality, &input, 1, &r->equations));
    HA_TRY(m2d_release_redundant(r->assembly, r->equations));
    HA_TRY(bg_model_compile_linear(r->equations, outputs, n_outputs, &r->compiled));
    r->start = calloc((size_t) bg_model_n_unknowns(r->compiled) + 1, sizeof *r->start);
    HA_TRY(m2d_start(r->assembly, r->compiled, r->start));
    point->y = r->start;
    return bg_linearise(r->ctx, r->compiled, point, linear);
}

START_TEST(random_mechanisms_agree_with_the_whole_system)
{
    static const char *const outputs[] = { "b0.angle", "b0.x", "b0.ay", "b0.omega", "j0.fx" };
    static char text[ROOM];
    int n = getenv("TEST_LONG") != NULL ? 60 : 15;

    for (uint64_t seed = (uint64_t) _i * 1000 + 1; seed <= (uint64_t) (_i * 1000 + n); seed++) {
        run r = run_new();
        bg_operating_point point = { 0 };
        bg_linear linear = { 0 }, scratch = { 0 };
        bg__linearisation l = { 0 };
        uint64_t state = seed;

        write_mechanism(seed, text);
        if (getenv("TEST_VERBOSE") != NULL) {
            fprintf(stderr, "# seed %d\n%s\n", (int) seed, text);
        }
        ha_status status = attempt(&r, text, outputs, (int) HA_COUNT(outputs), &point, &linear);
        ck_assert_msg(status == HA_OK, "seed %d: %s", (int) seed,
                      ha_ctx_n_diags(r.ctx) > 0 ? ha_ctx_diag(r.ctx, 0)->text : "");
        ck_assert_msg(linear.n_states == 2 * m2d_assembly_mobility(r.assembly),
                      "seed %d: %d states, mobility %d", (int) seed, linear.n_states,
                      m2d_assembly_mobility(r.assembly));
        ck_assert(linear.is_equilibrium);
        ck_assert_double_le(linear.residual, 1e-8);
        run_check(&r, reference_new(r.ctx, r.compiled, &point, &scratch, &l));
        compare_transfer(&l, &linear, &state);
        compare_differences(&l, &linear);
        reference_clear(&l);
        bg_linear_clear(&linear);
        run_end(&r);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("random linear mechanisms");
    TCase *tcase = tcase_create("linearise");

    tcase_add_loop_test(tcase, random_mechanisms_agree_with_the_whole_system, 0, 2);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
