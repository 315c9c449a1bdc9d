/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pictures that have a shape: nothing hides anything, parts lie to each other as their places do,
 * whatever the unit of these, and what is empty between them is not kept.
 */
#include <config.h>

#include "bondgraph/compact.h"
#include "bondgraph/draw/export_priv.h"
#include "bondgraph/draw/export_text.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 9 }; /* elements around the junction */

static ha_ctx *ctx;
static bg_graph *graph;
static bg_draw_options options;
static bg__picture picture;
static bg_draw_place places[N + 1];
static char names[N + 1][16];

static void set_up(void)
{
    ctx = ha_ctx_new();
    graph = bg_graph_new(ctx);
    options = bg_draw_options_default();
    picture = (bg__picture){ 0 };
}

static void tear_down(void)
{
    bg__picture_clear(&picture);
    bg_graph_free(graph);
    ha_ctx_free(ctx);
}

static bool has_dot(void)
{
    return system("command -v dot >/dev/null") == 0;
}

/* A junction in the middle of a grid of elements, `unit` apart. */
static void make_grid(double unit)
{
    char text[200] = "";

    for (int i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "R%d", i + 1);
        places[i] = (bg_draw_place){ names[i], unit * (i % 3), unit * (i / 3) };
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s1a>R%d", i > 0 ? ";" : "",
                 i + 1);
    }
    places[N] = (bg_draw_place){ "1a", 0.5 * unit, 1.5 * unit };
    options.places = places;
    options.n_places = N + 1;
    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
}

static void lay_out(void)
{
    bg__picture_clear(&picture);
    ck_assert_int_eq(bg__picture_make(graph, NULL, &options, &picture), HA_OK);
    ck_assert_int_eq(bg__picture_arrange(&picture, &options), HA_OK);
    ck_assert_int_eq(bg__picture_layout(&picture), HA_OK);
    ck_assert_int_eq(bg__picture_place_labels(&picture, BG__DOT_CHARACTER), HA_OK);
}

static const bg__node *node(const char *name)
{
    for (size_t i = 0; i < picture.nodes.count; i++) {
        if (strcmp(picture.nodes.items[i].name, name) == 0) {
            return &picture.nodes.items[i];
        }
    }
    ck_abort_msg("no node %s", name);
    return NULL;
}

static double width(void)
{
    bg__box box = bg__picture_box(&picture);

    return box.right - box.left;
}

START_TEST(elements_do_not_overlap)
{
    if (!has_dot()) {
        return;
    }
    make_grid(1.0);
    places[3] = (bg_draw_place){ names[3], 0.0, 0.0 }; /* two at one place */
    lay_out();
    for (size_t i = 0; i < picture.nodes.count; i++) {
        for (size_t k = i + 1; k < picture.nodes.count; k++) {
            const bg__node *a = &picture.nodes.items[i], *b = &picture.nodes.items[k];
            ck_assert_msg(fabs(a->x - b->x) >= (a->width + b->width) / 2.0 ||
                              fabs(a->y - b->y) >= (a->height + b->height) / 2.0,
                          "%s is on %s", a->name, b->name);
        }
    }
}
END_TEST

START_TEST(parts_lie_as_their_places_do)
{
    if (!has_dot()) {
        return;
    }
    make_grid(1.0);
    lay_out();
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < N; k++) {
            const bg__node *a = node(names[i]), *b = node(names[k]);
            ck_assert(i % 3 >= k % 3 || a->x < b->x);
            ck_assert(i / 3 >= k / 3 || a->y < b->y);
        }
    }
}
END_TEST

START_TEST(the_unit_of_places_does_not_matter)
{
    double before = 0.0;

    if (!has_dot()) {
        return;
    }
    make_grid(1.0);
    lay_out();
    before = width();
    for (int i = 0; i <= N; i++) {
        places[i].x *= 4096.0;
        places[i].y *= 4096.0;
    }
    lay_out();
    ck_assert_double_eq_tol(width(), before, 1e-3);
}
END_TEST

START_TEST(one_part_far_away_does_not_make_the_others_small)
{
    double before = 0.0;

    if (!has_dot()) {
        return;
    }
    make_grid(1.0);
    lay_out();
    before = width();
    places[8].x = 200.0;
    lay_out();
    ck_assert_double_lt(width(), 3.0 * before);
    ck_assert_double_gt(node("R9")->x, node("R6")->x);
}
END_TEST

/* The box of the label of a bond, which has one at one end. */
static bg__box label_box(const bg__edge *e)
{
    int end = e->label[1][0] != '\0';
    bg__place at = e->label_at[end];
    double half = BG__DOT_CHARACTER * (double) strlen(e->label[end]) / 2.0;

    return (bg__box){ at.x - half, at.y - 0.055, at.x + half, at.y + 0.055 };
}

START_TEST(labels_hide_nothing)
{
    if (!has_dot()) {
        return;
    }
    make_grid(1.0);
    lay_out();
    for (size_t i = 0; i < picture.edges.count; i++) {
        bg__box box = label_box(&picture.edges.items[i]);
        for (size_t k = 0; k < picture.nodes.count; k++) {
            const bg__node *n = &picture.nodes.items[k];
            ck_assert_msg(n->x - n->width / 2.0 >= box.right || n->x + n->width / 2.0 <= box.left ||
                              n->y - n->height / 2.0 >= box.top ||
                              n->y + n->height / 2.0 <= box.bottom,
                          "the label of bond %d is on %s", picture.edges.items[i].number, n->name);
        }
        for (size_t k = 0; k < i; k++) {
            bg__box other = label_box(&picture.edges.items[k]);
            ck_assert_msg(other.left >= box.right || other.right <= box.left ||
                              other.bottom >= box.top || other.top <= box.bottom,
                          "labels %d and %d are on each other", picture.edges.items[i].number,
                          picture.edges.items[k].number);
        }
    }
}
END_TEST

START_TEST(long_values_take_two_lines)
{
    if (!has_dot()) {
        return;
    }
    const char *text = "1a=3>I{1.234|2.345|3.456789}";
    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
    ck_assert_int_eq(bg__picture_make(graph, NULL, &options, &picture), HA_OK);
    ck_assert_str_eq(node("I")->small[0], "1.234,");
    ck_assert_str_eq(node("I")->small[1], "2.345, 3.457");
}
END_TEST

/* The way of a bond at a part of its length. */
static bg__place part_of(const char *tail, const char *head, double fraction)
{
    bg__place along;

    for (size_t i = 0; i < picture.edges.count; i++) {
        const bg__edge *e = &picture.edges.items[i];
        if (e->tail == node(tail) - picture.nodes.items &&
            e->head == node(head) - picture.nodes.items) {
            return bg__point_at(e, fraction, &along);
        }
    }
    ck_abort_msg("no bond from %s to %s", tail, head);
    return (bg__place){ 0.0, 0.0 };
}

/* Two bonds between the same two nodes, and an element in between. */
START_TEST(bonds_of_the_same_nodes_lie_side_by_side)
{
    const bg_draw_place line[] = { { "1a", 0.0, 0.0 }, { "R", 1.0, 0.0 }, { "0b", 2.0, 0.0 } };
    const char *text = "1a>0b;0b>1a;1a>R;0b>C";

    if (!has_dot()) {
        return;
    }
    options.places = line;
    options.n_places = 3;
    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
    lay_out();
    for (int i = 1; i < 10; i++) { /* i tenths of one way and 10 - i of the other are opposite */
        bg__place a = part_of("1a", "0b", i / 10.0), b = part_of("0b", "1a", 1.0 - i / 10.0);
        ck_assert_double_gt(hypot(a.x - b.x, a.y - b.y), 0.05);
    }
    for (size_t i = 0; i < picture.edges.count; i++) {
        const bg__edge *e = &picture.edges.items[i];
        for (size_t k = 0; k < picture.nodes.count; k++) {
            const bg__node *n = &picture.nodes.items[k];
            bg__box box = { n->x - n->width / 2.0, n->y - n->height / 2.0, n->x + n->width / 2.0,
                            n->y + n->height / 2.0 };
            ck_assert_msg((int) k == e->tail || (int) k == e->head || !bg__goes_through(e, &box),
                          "a bond comes through %s", n->name);
        }
    }
}
END_TEST

START_TEST(lack_of_memory_is_reported)
{
    ha_status status = HA_ERR_MEMORY;

    if (!has_dot()) {
        return;
    }
    make_grid(1.0);
    options.n_places = 4; /* the others go near their neighbours */
    for (size_t n = 1; status == HA_ERR_MEMORY; n++) {
        bg__picture_clear(&picture);
        picture = (bg__picture){ 0 };
        ha_ctx_fail_allocation(ctx, n);
        status = bg__picture_make(graph, NULL, &options, &picture);
        if (status == HA_OK) {
            status = bg__picture_arrange(&picture, &options);
        }
        ha_ctx_fail_allocation(ctx, 0);
        ck_assert_msg(status == HA_OK || status == HA_ERR_MEMORY, "allocation %zu: %d", n, status);
    }
    ck_assert(picture.is_placed);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("export_room");
    TCase *tests = tcase_create("export_room");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, elements_do_not_overlap);
    tcase_add_test(tests, parts_lie_as_their_places_do);
    tcase_add_test(tests, the_unit_of_places_does_not_matter);
    tcase_add_test(tests, one_part_far_away_does_not_make_the_others_small);
    tcase_add_test(tests, labels_hide_nothing);
    tcase_add_test(tests, long_values_take_two_lines);
    tcase_add_test(tests, bonds_of_the_same_nodes_lie_side_by_side);
    tcase_add_test(tests, lack_of_memory_is_reported);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
