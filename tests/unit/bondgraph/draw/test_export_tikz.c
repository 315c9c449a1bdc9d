/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pictures as TikZ, and names that no format may stumble over. The truth: geometry (a stroke stands
 * at right angles on the end of its bond, a barb at 35 degrees on its right), pdflatex, which has
 * to accept the text, and the names themselves, read back from SVG.
 */
#include <config.h>

#include "bondgraph/compact.h"
#include "bondgraph/export.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ha_ctx *ctx;
static bg_graph *graph;
static bg_causality *causality;
static bg_draw_options options;
static char *tex;

static const char *const hard_names[] = {
    "A \"b\" <c> & \\d",
    "50 % #1 $x_1^2 ~ {}",
    "\\input{x}",
    "back\\",
    "\xce\xb1\xe6\xb1\x89\xc3\xa9",
    "-->",
    "]]>",
    "n\\N\\G",
    "@|`'",
};

static void set_up(void)
{
    ctx = ha_ctx_new();
    graph = bg_graph_new(ctx);
    causality = NULL;
    tex = NULL;
    options = bg_draw_options_default();
    ck_assert_ptr_nonnull(graph);
}

static void tear_down(void)
{
    free(tex);
    bg_causality_free(causality);
    bg_graph_free(graph);
    ha_ctx_free(ctx);
}

/* Letters of Europe, some of which pdflatex lacks in its first encoding, Greek, Cyrillic, Chinese,
   a sign beyond 16 bits. */
static const char letters[] =
    "\xc3\xa9\xc3\x9f\xc5\x82\xc4\x8d\xc5\x91\xc4\x85\xc3\xb0\xc3\xbe\xc4\x91"
    "\xce\xb1\xcf\x89\xce\xac\xd0\x96\xe6\xb1\x89\xf0\x9f\x94\xa7";

static bool has_program(const char *test)
{
    return system(test) == 0;
}

static bool has_dot(void)
{
    return has_program("command -v dot >/dev/null");
}

/* Draws the graph; false when there is no Graphviz, and the error says so. */
static bool draw(void)
{
    ha_status status = bg_graph_tikz(graph, causality, &options, &tex);

    if (!has_dot()) {
        ck_assert_int_eq(status, HA_ERR_PROCESS);
        ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "graphviz"));
        return false;
    }
    ck_assert_msg(status == HA_OK, "%s",
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "no diagnostic");
    return true;
}

static void read_graph(const char *text)
{
    ck_assert_int_eq(bg_compact_read(graph, text, strlen(text), HA_NOWHERE), HA_OK);
    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;

    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) {
        n++;
    }
    return n;
}

/* Reads the `n` places that follow `at`. */
static const char *read_places(const char *at, double x[], double y[], int n)
{
    for (int i = 0; i < n; i++) {
        at = strchr(at, '(');
        while (at != NULL && sscanf(at, "(%lf,%lf)", &x[i], &y[i]) != 2) {
            at = strchr(at + 1, '(');
        }
        ck_assert_ptr_nonnull(at);
        at++;
    }
    return at;
}

/* A star of 1-ports around a junction, a group each, with names that are hard to write. */
static void make_hard(void)
{
    bg_element_def def = bg_element_def_default();
    bg_element centre, leaf;
    bg_bond bond;

    def.type = "1";
    def.name = "centre";
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &centre), HA_OK);
    for (size_t i = 0; i < HA_COUNT(hard_names); i++) {
        char name[80];
        snprintf(name, sizeof name, "%s.R", hard_names[i]);
        def.type = i == 0 ? "Se" : "R";
        def.name = name;
        def.group = hard_names[i];
        ck_assert_int_eq(bg_graph_add_element(graph, &def, &leaf), HA_OK);
        ck_assert_int_eq(bg_graph_add_bond(graph, centre, leaf, 1, HA_NOWHERE, &bond), HA_OK);
    }
}

START_TEST(strokes_stand_at_right_angles_on_the_end_of_the_bond)
{
    double x[4], y[4], sx[2], sy[2];

    options.has_legend = 0;
    read_graph("Se>R"); /* the effort arrives at the resistor, the head */
    if (!draw()) {
        return;
    }
    const char *line = strstr(tex, "\\draw[bgbond] ");
    ck_assert_ptr_nonnull(line);
    read_places(line, x, y, 4);
    line = strstr(tex, "\\draw[bgstroke");
    ck_assert_ptr_nonnull(line);
    ck_assert_uint_eq(count(tex, "\\draw[bgstroke"), 1);
    read_places(line, sx, sy, 2);
    ck_assert_double_eq_tol((sx[0] + sx[1]) / 2.0, x[3], 2e-3);
    ck_assert_double_eq_tol((sy[0] + sy[1]) / 2.0, y[3], 2e-3);
    double dot = (sx[1] - sx[0]) * (x[3] - x[2]) + (sy[1] - sy[0]) * (y[3] - y[2]);
    ck_assert_double_eq_tol(dot, 0.0, 1e-3);
}
END_TEST

START_TEST(the_barb_is_on_the_right_of_the_bond)
{
    double x[4], y[4], bx[2], by[2];

    options.has_legend = 0;
    read_graph("Se>R");
    if (!draw()) {
        return;
    }
    read_places(strstr(tex, "\\draw[bgbond] "), x, y, 4);
    read_places(strstr(tex, "\\draw[bgbond,solid] "), bx, by, 2);
    ck_assert_double_eq_tol(bx[0], x[3], 1e-9);
    ck_assert_double_eq_tol(by[0], y[3], 1e-9);
    double tx = x[3] - x[2], ty = y[3] - y[2], ux = bx[1] - bx[0], uy = by[1] - by[0];
    double cosine = -(tx * ux + ty * uy) / (hypot(tx, ty) * hypot(ux, uy));
    ck_assert_double_eq_tol(acos(cosine) * 180.0 / 3.14159265358979, 35.0, 1.0);
    ck_assert_double_lt(tx * uy - ty * ux, 0.0); /* clockwise of the bond */
}
END_TEST

START_TEST(every_element_and_bond_is_drawn_once)
{
    options.has_legend = 0;
    read_graph("Se>1a>R;1a>I;1a>C;1a>TF>0b>R2;0b>De");
    if (!draw()) {
        return;
    }
    ck_assert_uint_eq(count(tex, "\\node[bgelement]"), 7);
    ck_assert_uint_eq(count(tex, "\\node[bgjunction]"), 2);
    ck_assert_uint_eq(count(tex, "\\draw[bgbond] "), 7);
    ck_assert_uint_eq(count(tex, "\\draw[bgbond,bgfull] "), 1); /* to the detector */
    ck_assert_uint_eq(count(tex, "\\draw[bgstroke"), 7);
}
END_TEST

START_TEST(the_legend_shows_what_occurs_and_no_more)
{
    read_graph("Se>1a>I1;1a>TF>1b>I2;1b>R");
    if (!draw()) {
        return;
    }
    ck_assert_ptr_nonnull(strstr(tex, "derivative causality"));
    ck_assert_ptr_null(strstr(tex, "algebraic loop"));
    ck_assert_ptr_null(strstr(tex, "multibond"));
}
END_TEST

START_TEST(parts_sit_where_they_are_said_to_be)
{
    const bg_draw_place places[] = { { "I1", 0.0, 0.0 }, { "I2", 3.0, 0.0 }, { "R", 0.0, 2.0 } };
    double x[1], y[1], rx, ry, i2x, i1x, i1y;

    options.places = places;
    options.n_places = 3;
    options.has_legend = 0;
    read_graph("1a>I1;1a>I2;1a>R");
    if (!draw()) {
        return;
    }
    /* nodes come in the order of the elements: 1a, I1, I2, R */
    read_places(strstr(tex, "(n1) at"), x, y, 1);
    i1x = x[0];
    i1y = y[0];
    read_places(strstr(tex, "(n2) at"), x, y, 1);
    i2x = x[0];
    read_places(strstr(tex, "(n3) at"), x, y, 1);
    rx = x[0];
    ry = y[0];
    ck_assert_double_gt(i2x - i1x, 0.5);
    ck_assert_double_gt(ry - i1y, 0.3);
    ck_assert_double_lt(fabs(rx - i1x), 0.5 * (i2x - i1x));
}
END_TEST

/* Typesets the picture with an engine, and `line` after the packages. */
static void typeset(const char *engine, const char *line)
{
    char command[600], path[200];
    const char *begin = strstr(tex, "\\begin{document}");

    snprintf(path, sizeof path, "/tmp/test_export_tikz_%ld", (long) getpid());
    snprintf(command, sizeof command, "mkdir -p %s", path);
    ck_assert_int_eq(system(command), 0);
    snprintf(command, sizeof command, "%s/x.tex", path);
    FILE *file = fopen(command, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%.*s%s\n%s", (int) (begin - tex), tex, line, begin);
    fclose(file);
    snprintf(command, sizeof command,
             "cd %s && TEXMFVAR=%s %s -interaction=nonstopmode -halt-on-error x.tex >out 2>&1 "
             "|| { grep -A3 '^!' out; exit 1; }",
             path, path, engine);
    ck_assert_int_eq(system(command), 0);
    snprintf(command, sizeof command, "rm -rf %s", path);
    ck_assert_int_eq(system(command), 0);
}

static bool has_tikz(void)
{
    return has_program("kpsewhich tikz.sty >/dev/null 2>&1");
}

START_TEST(pdflatex_accepts_any_name)
{
    make_hard();
    if (draw() && has_tikz() && has_program("command -v pdflatex >/dev/null")) {
        typeset("pdflatex", "");
    }
}
END_TEST

/* The element R with this name at a junction. */
static void make_named(const char *name)
{
    bg_element_def def = bg_element_def_default();
    bg_element centre, leaf;
    bg_bond bond;

    def.type = "1";
    def.name = "centre";
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &centre), HA_OK);
    def.type = "R";
    def.name = def.group = name;
    ck_assert_int_eq(bg_graph_add_element(graph, &def, &leaf), HA_OK);
    ck_assert_int_eq(bg_graph_add_bond(graph, centre, leaf, 1, HA_NOWHERE, &bond), HA_OK);
}

START_TEST(letters_that_pdflatex_lacks_are_numbers_there_and_a_note_says_so)
{
    make_named(letters);
    if (!draw()) {
        return;
    }
    ck_assert_ptr_nonnull(strstr(tex, "\\bgletter{6C49}{\xe6\xb1\x89}"));
    ck_assert_ptr_nonnull(strstr(tex, "\\bgletter{1F527}"));
    ck_assert_ptr_nonnull(strstr(tex, "\xc5\x91")); /* as it is */
    ck_assert_ptr_nonnull(strstr(tex, "\\ensuremath{\\alpha}"));
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "xelatex"));
    if (has_tikz() && has_program("command -v pdflatex >/dev/null")) {
        typeset("pdflatex", "");
    }
    if (has_tikz() && has_program("command -v xelatex >/dev/null")) {
        typeset("xelatex", "");
    }
    if (has_tikz() && has_program("command -v lualatex >/dev/null")) {
        typeset("lualatex", "");
    }
}
END_TEST

START_TEST(letters_that_pdflatex_has_need_no_note)
{
    make_named("\xc3\xa9\xc5\x82\xce\xb1\xc2\xb0");
    if (draw()) {
        ck_assert_ptr_null(strstr(tex, "\\bgletter{0"));
        ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);
    }
}
END_TEST

/* The text with the entities of XML resolved, in place. */
static void resolve_entities(char *text)
{
    static const struct {
        const char *entity;
        char c;
    } table[] = { { "&amp;", '&' }, { "&lt;", '<' },   { "&gt;", '>' },  { "&quot;", '"' },
                  { "&#45;", '-' }, { "&#39;", '\'' }, { "&#160;", ' ' } };
    char *to = text;

    while (*text != '\0') {
        char c = *text;
        size_t length = 1;
        for (size_t i = 0; i < HA_COUNT(table); i++) {
            if (strncmp(text, table[i].entity, strlen(table[i].entity)) == 0) {
                c = table[i].c;
                length = strlen(table[i].entity);
            }
        }
        *to++ = c;
        text += length;
    }
    *to = '\0';
}

START_TEST(svg_shows_any_name_and_finds_each_bond)
{
    static char svg[400000];
    char path[200];

    if (!has_dot()) {
        return;
    }
    make_hard();
    snprintf(path, sizeof path, "/tmp/test_export_tikz_%ld.svg", (long) getpid());
    ck_assert_int_eq(bg_graph_draw(graph, NULL, &options, path), HA_OK);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    svg[fread(svg, 1, sizeof svg - 1, file)] = '\0';
    fclose(file);
    remove(path);
    resolve_entities(svg);
    ck_assert_uint_eq(count(svg, "<g id=\"bond-"), HA_COUNT(hard_names));
    for (size_t i = 0; i < HA_COUNT(hard_names); i++) {
        char id[40];
        snprintf(id, sizeof id, "<g id=\"bond-%zu\" class=\"edge bond\"", i + 1);
        ck_assert_msg(strstr(svg, id) != NULL, "no %s", id);
    }
    for (size_t i = 0; i < HA_COUNT(hard_names); i++) {
        ck_assert_msg(strstr(svg, hard_names[i]) != NULL, "no `%s`", hard_names[i]);
    }
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    ha_status status = HA_ERR_MEMORY;
    const bg_draw_place places[] = { { "I", 0.0, 0.0 }, { "R", 3.0, 1.0 } };

    if (!has_dot()) {
        return;
    }
    read_graph("Se>1a>R;1a>I");
    options.places = places;
    options.n_places = 2;
    for (size_t n = 1; status != HA_OK; n += 1 + n / 8) { /* each runs `dot` */
        ha_ctx_clear(ctx);
        ha_ctx_fail_allocation(ctx, n);
        status = bg_graph_tikz(graph, causality, &options, &tex);
        ha_ctx_fail_allocation(ctx, 0);
        ck_assert(status == HA_OK || status == HA_ERR_MEMORY);
        ck_assert(status == HA_OK || tex == NULL);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("export_tikz");
    TCase *tests = tcase_create("export_tikz");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, strokes_stand_at_right_angles_on_the_end_of_the_bond);
    tcase_add_test(tests, the_barb_is_on_the_right_of_the_bond);
    tcase_add_test(tests, every_element_and_bond_is_drawn_once);
    tcase_add_test(tests, the_legend_shows_what_occurs_and_no_more);
    tcase_add_test(tests, parts_sit_where_they_are_said_to_be);
    tcase_add_test(tests, pdflatex_accepts_any_name);
    tcase_add_test(tests, letters_that_pdflatex_lacks_are_numbers_there_and_a_note_says_so);
    tcase_add_test(tests, letters_that_pdflatex_has_need_no_note);
    tcase_add_test(tests, svg_shows_any_name_and_finds_each_bond);
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
