/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Equations in other notations. The C file is compiled by the C compiler and run: its residual must
 * be the model's at random values to round-off. LaTeX is compared with what a person would write,
 * and its groups must close.
 */
#include <config.h>

#include "bondgraph/compact.h"
#include "bondgraph/model/model_priv.h"
#include "mech2d/read.h"
#include "tests/util/memory.h"
#include "tests/util/random.h"
#include "tests/util/util.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ha_ctx *ctx;

static void setup(void)
{
    ctx = ha_ctx_new();
}

static void teardown(void)
{
    ha_ctx_free(ctx);
}

/* --- C ---------------------------------------------------------------------------------------- */

enum { N_POINTS = 5 };

/* Reads t, alpha, beta, y, y' of each point and prints r. */
static const char program[] =
    "#include <stdio.h>\n"
    "int main(void)\n"
    "{\n"
    "    double t, alpha, beta, y[halfarrow_n + 1], yp[halfarrow_n + 1], r[halfarrow_n + 1];\n"
    "    int i;\n"
    "    while (scanf(\"%la %la %la\", &t, &alpha, &beta) == 3) {\n"
    "        for (i = 0; i < halfarrow_n && scanf(\"%la\", &y[i]) == 1; i++) { }\n"
    "        for (i = 0; i < halfarrow_n && scanf(\"%la\", &yp[i]) == 1; i++) { }\n"
    "        halfarrow_residual(t, y, yp, alpha, beta, r);\n"
    "        for (i = 0; i < halfarrow_n; i++) { printf(\"%a\\n\", r[i]); }\n"
    "    }\n"
    "    for (i = 0; i < halfarrow_n; i++) {\n"
    "        printf(\"%s %a\\n\", halfarrow_names[i], halfarrow_start[i]);\n"
    "    }\n"
    "    return 0;\n"
    "}\n";

static uint64_t random_state;

static void write_file(const char *directory, const char *name, const char *text, const char *more)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fputs(more, file);
    ck_assert_int_eq(fclose(file), 0);
}

/* Compiles the file strictly and runs it on `input`; its output. */
static FILE *run_program(const char *directory, const char *c_text, const char *input)
{
    const char *cc = getenv("CC");
    char command[1024];

    write_file(directory, "model.c", c_text, program);
    write_file(directory, "input", input, "");
    snprintf(command, sizeof command,
             "cd %s && %s -std=c17 -Wall -Wextra -Wpedantic -Werror -O1 -ffp-contract=off -o model "
             "model.c -lm && ./model <input >output",
             directory, cc == NULL || cc[0] == '\0' ? "cc" : cc);
    ck_assert_msg(system(command) == 0, "%s", command);
    snprintf(command, sizeof command, "%s/output", directory);
    FILE *output = fopen(command, "r");
    ck_assert_ptr_nonnull(output);
    return output;
}

/* Values of t, alpha, beta, y, y' of all points, as text for the program. */
static char *random_points(int n, double *points)
{
    size_t size = (size_t) (N_POINTS * (2 * n + 3)), at = 0;
    char *text = malloc(size * 32 + 1);

    for (size_t i = 0; i < size; i++) {
        points[i] = random_in(&random_state, 0.1, 1.3);
        at += (size_t) snprintf(text + at, 32, "%a\n", points[i]);
    }
    text[at] = '\0';
    return text;
}

/* Holds the sides on which the values are: the file has the jumps in itself. */
static void hold_sides(const ha_dae *dae, double *work, const double *point)
{
    double g[64];
    signed char sides[64];

    ck_assert_int_le(dae->n_switches, 64);
    if (dae->n_switches > 0) {
        dae->switching(dae->model, work, point[0], point + 3, point + 3 + dae->n, g);
        for (int i = 0; i < dae->n_switches; i++) {
            sides[i] = (signed char) (g[i] >= 0.0);
        }
        dae->set_sides(dae->model, work, sides);
    }
}

static void compare(const bg_model *model, const double *points, FILE *output)
{
    const ha_dae *dae = bg_model_dae(model);
    double *work = calloc(dae->work_size + 1, sizeof *work);
    double *r = calloc((size_t) dae->n + 1, sizeof *r);
    char name[256];

    for (int k = 0; k < N_POINTS; k++, points += 2 * dae->n + 3) {
        const double parameters[BG__PARAMETER_COUNT] = { points[1], points[2], 0.0 };
        dae->prepare(dae->model, parameters, work);
        hold_sides(dae, work, points);
        dae->residual(dae->model, work, points[0], points + 3, points + 3 + dae->n, r);
        for (int i = 0; i < dae->n; i++) {
            double found = (double) NAN;
            ck_assert_int_eq(fscanf(output, "%la", &found), 1);
            ck_assert_msg(fabs(found - r[i]) <= 1e-14 * fmax(1.0, fabs(r[i])),
                          "r[%d]: %.17g, %.17g", i, found, r[i]);
        }
    }
    bg_model_start(model, r);
    for (int i = 0; i < dae->n; i++) {
        double found = (double) NAN;
        ck_assert_int_eq(fscanf(output, "%255s %la", name, &found), 2);
        ck_assert_str_eq(name, bg_model_unknown_name(model, i));
        ck_assert(found == r[i]);
    }
    free(work);
    free(r);
}

/* The C file of a graph against its compiled model. */
static void check_c(bg_graph *graph)
{
    bg_causality *causality = NULL;
    bg_equations *equations = NULL;
    bg_model *model = NULL;
    char *text = NULL, directory[] = "/tmp/halfarrow-test-XXXXXX", command[64];

    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
    ck_assert_int_eq(bg_equations_derive(causality, &equations), HA_OK);
    ck_assert_int_eq(bg_model_compile(equations, NULL, 0, &model), HA_OK);
    ck_assert_int_eq(bg_equations_c(equations, causality, NULL, &text), HA_OK);
    ck_assert_ptr_nonnull(mkdtemp(directory));
    int n = bg_model_dae(model)->n;
    double *points = calloc((size_t) (N_POINTS * (2 * n + 3)), sizeof *points);
    char *input = random_points(n, points);
    FILE *output = run_program(directory, text, input);
    compare(model, points, output);
    fclose(output);
    snprintf(command, sizeof command, "rm -r %s", directory);
    ck_assert_int_eq(system(command), 0);
    free(points);
    free(input);
    free(text);
    bg_model_free(model);
    bg_equations_free(equations);
    bg_causality_free(causality);
}

static const char *const graphs[] = {
    "Se{12}>1a>R{50};1a>I{0.1, p=0.3};1a>C{10 uF, q=1e-6}",
    "n=0.05;Se{n*t}>1a>I1{2};1a>TF{n}>1b>I2{0.5};1b>R{1/3};1a>R2{1e22};1b>C{-1e-9}",
    /* all operations */
    "Se{sin(t) + cos(C.q) - tan(t)*asin(t/9)/acos(t/8) + atan(t)^t}>1a>I;1a>C;"
    "1a>R1{sqrt(t) + exp(C.q) + log(t) + atan2(t, C.q) + sinh(t) - cosh(t) + tanh(t)};"
    "1a>R2{abs(C.q - t) + sign(C.q - 1) + floor(3*t) + min(t, C.q) - max(t, C.q)};"
    "1a>R3{if(t < C.q, t, 2) + (t <= C.q) + 2*(t > C.q) + 3*(t >= C.q) + (t == 1) + (t != C.q)}",
    /* names that would end strings and comments if they could; constraints at velocity level */
    "Se>1a>I1;1a>TF{-3}>0x>1b>I2;0x>Re_\xc3\xa4",
    "Se>R",
    /* algebraic loops, also nonlinear; a mesh */
    "Se{5*cos(t)}>0a>1p>0b;1p>R1{1};0a>1q>0c;1q>R3{3};0b>R2{2};0c>R4{4};0b>1g>0c;1g>C{0.1}",
    "Se{2}>1>R1{e=f+f^3};1>0;0>R2{f=e+e^3};0>C{0.2}",
    "Se>1s>R;1s>I;1s>0x;0x>TF1{2}>0y;0x>TF2{3}>0y;0y>C{0.7}",
    /* derivative causality; with a loop; behind another one */
    "Se>1a>R1;1a>I1{2};1a>GY{0.3}>1b>I2{0.1};1b>R2;1b>TF{4}>1c>I3{1.5};1c>R3",
    "Se1{sin(t)}>1x>C1;Se2>1y>C2{2};Se3>1z>C3{3};1x>GY1>1y;1y>GY2{2}>1z;1z>GY3{3}>1x",
    "0a>1d; 1d>0a; 1d>C1{1.5}; 0a>C2{2}; 0a>R{3}; Sf{t}>0a",
    /* laws and fields */
    "Se{sin(t)}>1>I{f=p/sqrt(1+p^2),p=0.5};1>C{energy=cosh(q),q=0.3};1>R{e=f*abs(f)}",
    "Se{1}>1a>C{1|0.2|0.2|3,q=0.3|-0.1};1a>I1;C>1b;1b>I2{2};1b>R{2}",
    "Se{1}>1a>IC{energy=p1^2*(1+q2)/2+q2^2,q2=0.3};1b>IC;1b>I{2};1a>R",
    "Sf{t}>0>C{e=sinh(q)};0>R;Se{t}>0b>C2{e=sinh(q),inverse=log(e+sqrt(e^2+1))}",
    /* rows that are combined */
    ("1_b>0_a; TF{2.159}>1_b; TF>0_c; 0_a>GY{1.405}; GY>0_c; 0_a>I_a{2.162}; Rf>1_b;"
     "0_c>I_b{1.141}; Sf{1.769*(1-cos(1.627*t))}>0_c"),
};

START_TEST(c_gives_the_residual_of_the_model)
{
    bg_graph *graph = bg_graph_new(ctx);

    random_state = (uint64_t) _i + 1;
    ck_assert_msg(bg_compact_read(graph, graphs[_i], strlen(graphs[_i]), HA_NOWHERE) == HA_OK, "%s",
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "");
    check_c(graph);
    bg_graph_free(graph);
}
END_TEST

START_TEST(c_gives_the_residual_of_a_mechanism)
{
    static const char *const files[] = { "examples/andrews.yaml", "examples/four_bar.yaml",
                                         "examples/motor_four_bar.yaml",
                                         "examples/slider_crank_driven.yaml" };
    m2d_model *model = NULL;
    m2d_system *system = NULL;

    random_state = (uint64_t) _i + 7;
    ck_assert_int_eq(m2d_read_file(ctx, test_source(files[_i]), NULL, &model), HA_OK);
    ck_assert_int_eq(m2d_expand(m2d_model_mechanism(model), &system), HA_OK);
    check_c(m2d_system_graph(system));
    m2d_system_free(system);
    m2d_model_free(model);
}
END_TEST

/* --- LaTeX ------------------------------------------------------------------------------------ */

static char *latex_of(const char *text)
{
    bg_graph *graph = bg_graph_new(ctx);
    bg_causality *causality = NULL;
    char *out = NULL;

    ck_assert_msg(bg_compact_read(graph, text, strlen(text), HA_NOWHERE) == HA_OK, "%s",
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "");
    ck_assert_int_eq(bg_causality_assign(graph, &causality), HA_OK);
    ck_assert_int_eq(bg_equations_latex(causality, &out), HA_OK);
    bg_causality_free(causality);
    bg_graph_free(graph);
    return out;
}

static int count(const char *text, const char *word)
{
    int n = 0;

    for (const char *at = text; (at = strstr(at, word)) != NULL; at += strlen(word)) {
        n++;
    }
    return n;
}

START_TEST(latex_closes_what_it_opens)
{
    char *latex = latex_of(graphs[_i]);
    int depth = 0;

    for (const char *at = latex; *at != '\0'; at++) {
        bool is_escaped = at > latex && at[-1] == '\\' && (at < latex + 2 || at[-2] != '\\');
        depth += is_escaped ? 0 : (*at == '{') - (*at == '}');
        ck_assert_int_ge(depth, 0);
    }
    ck_assert_int_eq(depth, 0);
    ck_assert_int_eq(count(latex, "\\begin{"), count(latex, "\\end{"));
    ck_assert_int_eq(count(latex, "\\left"), count(latex, "\\right"));
    ck_assert_int_gt(count(latex, "\\begin{align*}"), 0);
    free(latex);
}
END_TEST

START_TEST(latex_reads_as_a_person_writes)
{
    static const struct {
        const char *graph, *line;
    } cases[] = {
        { "Se{12}>1a>R1{50};1a>I_x{2}", "e_{\\text{R1}} &= \\text{R1} \\, f_{\\text{R1}}" },
        { "Se{12}>1a>R1{50};1a>I_x{2}", "e_{\\text{I\\_x}} &= e_{\\text{Se}} - e_{\\text{R1}}" },
        { "Se>1a>R;1a>I_x",
          "\\frac{\\mathrm{d}}{\\mathrm{d}t}\\left(\\text{I\\_x} \\, f_{\\text{I\\_x}}\\right) &= "
          "e_{\\text{I\\_x}}" },
        { "Se>1a>R;1a>C{2e-5}", "C &= 2 \\cdot 10^{-5}" },
        { "Se>1a>R;1a>C;1a>I", "\\dot{q}_{\\text{C}} &= f_{\\text{C}}" },
        { "Se>1a>I;1a>TF{3}>1b>R", "e_{1,\\text{TF}} &= \\text{TF} \\, e_{2,\\text{TF}}" },
        { "Se{2*t^3}>1a>R;1a>I", "e_{\\text{Se}} &= 2 \\, t^{3}" },
        { "Se{(t+1)^2*3}>1a>R;1a>I", "3 \\, \\left(1 + t\\right)" },
        { "k=2;Se{1/(k*t)}>1a>I;1a>R", "e_{\\text{Se}} &= \\frac{1}{" },
        { "Se{sqrt(t)*sin(2*t)}>I", "\\sqrt{t} \\, \\sin\\left(2 \\, t\\right)" },
        { "Se{if(t <= 1, 2, t)}>I",
          "\\begin{cases} 2 & t \\le 1 \\\\ t & \\text{else} \\end{cases}" },
        { "Se_\xce\xb1\xc3\xa4\xe6\xb1\x89>1a>I;1a>R",
          "e_{\\text{Se\\_\\ensuremath{\\alpha}\xc3\xa4\\texttt{U+6C49}}}" },
    };

    char *latex = latex_of(cases[_i].graph);
    ck_assert_msg(strstr(latex, cases[_i].line) != NULL, "no %s in %s", cases[_i].line, latex);
    free(latex);
}
END_TEST

/* --- memory ----------------------------------------------------------------------------------- */

typedef struct {
    bg_causality *causality;
    bg_equations *equations;
} derived;

static ha_status write_again(void *user)
{
    const derived *d = user;
    char *latex = NULL, *source = NULL;
    ha_status status = bg_equations_latex(d->causality, &latex);

    ck_assert((status == HA_OK) == (latex != NULL));
    if (status == HA_OK) {
        status = bg_equations_c(d->equations, d->causality, NULL, &source);
        ck_assert((status == HA_OK) == (source != NULL));
    }
    free(latex);
    free(source);
    return status;
}

START_TEST(lack_of_memory_is_reported)
{
    bg_graph *graph = bg_graph_new(ctx);
    derived d = { NULL, NULL };

    ck_assert_int_eq(bg_compact_read(graph, graphs[1], strlen(graphs[1]), HA_NOWHERE), HA_OK);
    ck_assert_int_eq(bg_causality_assign(graph, &d.causality), HA_OK);
    ck_assert_int_eq(bg_equations_derive(d.causality, &d.equations), HA_OK);
    memory_survives(ctx, 0, write_again, &d);
    bg_equations_free(d.equations);
    bg_causality_free(d.causality);
    bg_graph_free(graph);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("equations");
    TCase *tests = tcase_create("equations");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, c_gives_the_residual_of_the_model, 0, (int) HA_COUNT(graphs));
    tcase_add_loop_test(tests, c_gives_the_residual_of_a_mechanism, 0, 4);
    tcase_add_loop_test(tests, latex_closes_what_it_opens, 0, (int) HA_COUNT(graphs));
    tcase_add_loop_test(tests, latex_reads_as_a_person_writes, 0, 12);
    tcase_add_test(tests, lack_of_memory_is_reported);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
