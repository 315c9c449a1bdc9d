/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pictures of the examples in their shape, at all levels: no bond and no signal comes through the
 * box of what is not at its end, no two boxes overlap, and at the word level no two bonds cross.
 * The ways are sampled here from their Bezier curves, without the geometry that found them.
 */
#include <config.h>

#include "bondgraph/draw/export_priv.h"
#include "bondgraph/draw/export_text.h"
#include "mech2d/place.h"
#include "mech2d/read.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name, *variant;
} example;

static const example examples[] = {
    { "andrews", NULL },
    { "andrews", "compliant" },
    { "belt", NULL },
    { "bouncing_mass", NULL },
    { "clearance_slider_crank", NULL },
    { "differential", NULL },
    { "double_pendulum", NULL },
    { "four_bar", NULL },
    { "incline", NULL },
    { "inverted_pendulum", NULL },
    { "motor_four_bar", NULL },
    { "motor_speed", NULL },
    { "pendulum", NULL },
    { "planetary_gear", NULL },
    { "quarter_car", NULL },
    { "rapson", NULL },
    { "rapson", "compliant" },
    { "scotch_yoke", NULL },
    { "slider_crank", NULL },
    { "slider_crank_driven", NULL },
    { "stick_slip", NULL },
    { "track", NULL },
    { "trailing_arm", NULL },
    { "whitworth", NULL },
};

enum { N_EXAMPLES = (int) HA_COUNT(examples), SAMPLES = 64 };

static ha_ctx *ctx;
static m2d_model *model;
static m2d_system *planar;
static m2d_assembly *assembly;
static bg_causality *causality;
static bg_draw_place *places;
static bg__picture picture;

static void set_up(void)
{
    ctx = ha_ctx_new();
    model = NULL;
    planar = NULL;
    assembly = NULL;
    causality = NULL;
    places = NULL;
    picture = (bg__picture){ 0 };
}

static void tear_down(void)
{
    bg__picture_clear(&picture);
    free(places);
    bg_causality_free(causality);
    m2d_assembly_free(assembly);
    m2d_system_free(planar);
    m2d_model_free(model);
    ha_ctx_free(ctx);
}

/* Places the picture of test number `test`: an example at a level; false without Graphviz. */
static bool place_example(int test)
{
    const example *e = &examples[test % N_EXAMPLES];
    const m2d_read_def def = { .variant = e->variant };
    bg_draw_options options = bg_draw_options_default();
    char path[100];

    if (system("command -v dot >/dev/null") != 0) {
        return false;
    }
    snprintf(path, sizeof path, "examples/%s.yaml", e->name);
    ck_assert_int_eq(m2d_read_file(ctx, test_source(path), &def, &model), HA_OK);
    ck_assert_int_eq(m2d_expand(m2d_model_mechanism(model), &planar), HA_OK);
    ck_assert_int_eq(m2d_assemble(planar, &assembly), HA_OK);
    ck_assert_int_eq(m2d_assembly_places(assembly, &places, &options.n_places), HA_OK);
    options.places = places;
    options.level = (bg_draw_level) (test / N_EXAMPLES);
    bg_graph *graph = m2d_system_graph(planar);
    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
    ck_assert_int_eq(bg__picture_make(graph, causality, &options, &picture), HA_OK);
    ck_assert_int_eq(bg__picture_arrange(&picture, &options), HA_OK);
    ck_assert_int_eq(bg__picture_layout(&picture), HA_OK);
    return true;
}

/* --- ways ------------------------------------------------------------------------------------- */

/* A point of a way; t from 0 to the number of its curves. */
static bg__place point(const bg__edge *e, double t)
{
    int curve = (int) fmin(floor(t), (e->n_places - 1) / 3 - 1);
    const bg__place *p = &e->places[3 * curve];
    double s = t - curve, r = 1.0 - s;
    const double w[4] = { r * r * r, 3.0 * r * r * s, 3.0 * r * s * s, s * s * s };

    return (bg__place){ w[0] * p[0].x + w[1] * p[1].x + w[2] * p[2].x + w[3] * p[3].x,
                        w[0] * p[0].y + w[1] * p[1].y + w[2] * p[2].y + w[3] * p[3].y };
}

static bool comes_through(const bg__edge *e, const bg__box *box)
{
    int n = SAMPLES * (e->n_places - 1) / 3;

    for (int i = 0; i <= n; i++) {
        bg__place at = point(e, (double) i / SAMPLES);
        if (at.x > box->left && at.x < box->right && at.y > box->bottom && at.y < box->top) {
            return true;
        }
    }
    return false;
}

/* The outermost group of an end of a bond; -1: none. */
static int group_of(int node)
{
    return bg__outermost(&picture, picture.nodes.items[node].group);
}

static bg__box node_box(const bg__node *n)
{
    return (bg__box){ n->x - n->width / 2.0, n->y - n->height / 2.0, n->x + n->width / 2.0,
                      n->y + n->height / 2.0 };
}

static void expect_bonds_around(void)
{
    for (size_t i = 0; i < picture.edges.count; i++) {
        const bg__edge *e = &picture.edges.items[i];
        const char *tail = picture.nodes.items[e->tail].name;
        const char *head = picture.nodes.items[e->head].name;
        ck_assert_msg(e->n_places >= 4, "the bond from %s to %s has no way", tail, head);
        for (int g = 0; g < (int) picture.groups.count; g++) {
            bg__box box = bg__group_box(&picture, g);
            bool is_other = picture.groups.items[g].parent < 0 && g != group_of(e->tail) &&
                            g != group_of(e->head);
            ck_assert_msg(!is_other || !comes_through(e, &box),
                          "the bond from %s to %s comes through %s", tail, head,
                          picture.groups.items[g].name);
        }
        for (int n = 0; n < (int) picture.nodes.count; n++) {
            bg__box box = node_box(&picture.nodes.items[n]);
            bool is_other = n != e->tail && n != e->head &&
                            (group_of(n) < 0 || group_of(e->tail) != group_of(e->head));
            ck_assert_msg(!is_other || !comes_through(e, &box),
                          "the bond from %s to %s comes through %s", tail, head,
                          picture.nodes.items[n].name);
        }
    }
}

/* --- boxes ------------------------------------------------------------------------------------ */

static void expect_apart(const bg__box *a, const bg__box *b, const char *first, const char *second)
{
    ck_assert_msg(a->left >= b->right || b->left >= a->right || a->bottom >= b->top ||
                      b->bottom >= a->top,
                  "%s is on %s", first, second);
}

static void expect_boxes_apart(void)
{
    for (int i = 0; i < (int) picture.groups.count; i++) {
        bg__box a = bg__group_box(&picture, i);
        for (int k = 0; k < i; k++) {
            bg__box b = bg__group_box(&picture, k);
            if (picture.groups.items[i].parent < 0 && picture.groups.items[k].parent < 0) {
                expect_apart(&a, &b, picture.groups.items[i].name, picture.groups.items[k].name);
            }
        }
    }
    for (size_t i = 0; i < picture.nodes.count; i++) {
        bg__box a = node_box(&picture.nodes.items[i]);
        for (size_t k = 0; k < i; k++) {
            bg__box b = node_box(&picture.nodes.items[k]);
            expect_apart(&a, &b, picture.nodes.items[i].name, picture.nodes.items[k].name);
        }
    }
}

/* One test for both, since placing takes the time. */
START_TEST(boxes_lie_apart_and_bonds_come_through_their_own_only)
{
    if (place_example(_i)) {
        expect_boxes_apart();
        expect_bonds_around();
    }
}
END_TEST

/* --- crossings -------------------------------------------------------------------------------- */

/* Whether the point lies left of the line from a to b. */
static bool is_left(bg__place a, bg__place b, bg__place at)
{
    return (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x) > 0.0;
}

static bool do_cross(const bg__edge *e, const bg__edge *other)
{
    int n = SAMPLES * (e->n_places - 1) / 3, m = SAMPLES * (other->n_places - 1) / 3;

    for (int i = 0; i < n; i++) {
        bg__place a = point(e, (double) i / SAMPLES), b = point(e, (i + 1.0) / SAMPLES);
        for (int k = 0; k < m; k++) {
            bg__place c = point(other, (double) k / SAMPLES), d = point(other, (k + 1.0) / SAMPLES);
            if (is_left(a, b, c) != is_left(a, b, d) && is_left(c, d, a) != is_left(c, d, b)) {
                return true;
            }
        }
    }
    return false;
}

/* The word graphs of these mechanisms can be drawn without crossings. */
START_TEST(no_bonds_cross_at_the_word_level)
{
    if (!place_example(N_EXAMPLES * BG_DRAW_WORD + _i)) {
        return;
    }
    for (size_t i = 0; i < picture.edges.count; i++) {
        const bg__edge *e = &picture.edges.items[i];
        for (size_t k = 0; k < i; k++) {
            const bg__edge *other = &picture.edges.items[k];
            ck_assert_msg(!do_cross(e, other), "the bonds from %s to %s and from %s to %s cross",
                          picture.nodes.items[e->tail].name, picture.nodes.items[e->head].name,
                          picture.nodes.items[other->tail].name,
                          picture.nodes.items[other->head].name);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("places");
    TCase *tests = tcase_create("places");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, boxes_lie_apart_and_bonds_come_through_their_own_only, 0,
                        N_EXAMPLES * BG_DRAW_LEVEL_COUNT);
    tcase_add_loop_test(tests, no_bonds_cross_at_the_word_level, 0, N_EXAMPLES);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
