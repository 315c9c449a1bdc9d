/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random bond graphs, linearised: the eigenvalues are compared with those of the whole system by
 * bg_linearise() itself; here the transfer functions are, and differences. With TEST_LONG in the
 * environment there are more of them.
 */
#include <config.h>

#include "bondgraph/compact.h"
#include "tests/unit/bondgraph/linear_reference.h"
#include "tests/unit/bondgraph/random_graph.h"

/* A graph on its way to a linear model. */
typedef struct {
    ha_ctx *ctx;
    bg_graph *graph;
    bg_causality *causality;
    bg_equations *equations;
    bg_model *model;
    bg_linear linear, scratch;
    bg__linearisation l;
    double *y;
} job;

static const char *name_of(const description *d, const char *types)
{
    for (int i = 0; i < d->n_elements; i++) {
        if (strstr(types, d->e[i].type) != NULL && strlen(d->e[i].type) > 1) {
            return d->e[i].name;
        }
    }
    return NULL;
}

/* HA_OK, or what refuses the graph before it is linearised. */
static ha_status prepare(job *j, const char *text, const char *input)
{
    HA_TRY(bg_compact_read(j->graph, text, strlen(text), HA_NOWHERE));
    HA_TRY(bg_graph_add_element_outputs(j->graph));
    HA_TRY(bg_causality_assign(j->graph, &j->causality));
    HA_TRY(bg_equations_derive_with(j->causality, &input, input != NULL, &j->equations));
    HA_TRY(bg_model_compile_linear(j->equations, NULL, 0, &j->model));
    j->y = calloc((size_t) bg_model_n_unknowns(j->model) + 1, sizeof *j->y);
    bg_model_start(j->model, j->y);
    return HA_OK;
}

/* In this graph a rate has a factor in front that is 0 but for round-off: it is refused, or not, as
   the last digit falls. */
enum { CANCELS = 593 };

/* True when the graph could be linearised. */
static bool try(unsigned seed)
{
    static char text[MAX_TEXT];
    description d = random_graph(seed);
    job j = { .ctx = ha_ctx_new() };
    const char *input = name_of(&d, "Se Sf");
    uint64_t state = seed;

    write_text(&d, false, text);
    j.graph = bg_graph_new(j.ctx);
    bool is_sound = prepare(&j, text, input) == HA_OK;
    bg_operating_point point = { .y = j.y };
    if (is_sound && reference_new(j.ctx, j.model, &point, &j.scratch, &j.l) == HA_OK) {
        ha_status status = bg_linearise(j.ctx, j.model, &point, &j.linear);
        ck_assert_msg(status == HA_OK, "seed %u: %s\n%s", seed, last_error(j.ctx), text);
        if (getenv("TEST_VERBOSE") != NULL) {
            fprintf(stderr, "%u %s\n", seed, text);
        }
        /* constraints that change with the time: the whole system has their rates in it, too */
        if (input != NULL && !isnan(j.linear.residual)) {
            compare_transfer(&j.l, &j.linear, &state);
        }
        compare_differences(&j.l, &j.linear);
    }
    reference_clear(&j.l);
    bg_linear_clear(&j.linear);
    bg_model_free(j.model);
    bg_equations_free(j.equations);
    bg_causality_free(j.causality);
    bg_graph_free(j.graph);
    free(j.y);
    ha_ctx_free(j.ctx);
    return is_sound;
}

START_TEST(random_graphs_agree_with_the_whole_system)
{
    int wanted = getenv("TEST_LONG") != NULL ? 600 : 100, done = 0;
    unsigned first = (unsigned) (_i * 100000 + 1);

    for (unsigned seed = first; done < wanted && seed < first + 100000; seed++) {
        done += seed != CANCELS && try(seed);
    }
    ck_assert_int_eq(done, wanted);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("random linear graphs");
    TCase *tcase = tcase_create("linearise");

    tcase_add_loop_test(tcase, random_graphs_agree_with_the_whole_system, 0, 2);
    suite_add_tcase(suite, tcase);
    return test_run(suite);
}
