/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Causality of large graphs: CPU time and memory of assigning it with the full report, from 10^4 to
 * 10^6 bonds, built through the C API and read from text; of the equations, the compiled model and
 * a run of the RC ladder. Each case runs in a process of its own, so that its peak of memory is its
 * own.
 */
#include <config.h>

#include "bondgraph/compact.h"
#include "bondgraph/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What is reported of dependent storages: the paths of this many. */
enum { N_PATHS = 20 };

/* Seconds of this process's own work: others on the machine count less than in the time that
 * passes. */
static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* The largest resident set of this process so far [MB]. */
static double peak_memory(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double) usage.ru_maxrss / 1024.0 : (double) NAN;
}

/* --- scenes ---------------------------------------------------------------------------------- */

/* A graph written down: elements TYPE_NUMBER of value 1. */
typedef struct {
    int n_elements, n_bonds;
    const char **type;
    int *number;
    int *tail, *head;
} scene;

static int add(scene *s, const char *type, int number)
{
    s->type[s->n_elements] = type;
    s->number[s->n_elements] = number;
    return s->n_elements++;
}

static void bond(scene *s, int tail, int head)
{
    s->tail[s->n_bonds] = tail;
    s->head[s->n_bonds++] = head;
}

/* Bonds a one-port to a junction. */
static void hang(scene *s, int junction, const char *type, int number)
{
    bond(s, junction, add(s, type, number));
}

/* A source, and sections of a resistor in the line and a capacitance across it: 4 bonds each. */
static void rc_ladder(scene *s, int n_bonds)
{
    int from = add(s, "Se", 0);

    for (int i = 1; i <= n_bonds / 4; i++) {
        int one = add(s, "1", i), zero = add(s, "0", i);
        bond(s, from, one);
        hang(s, one, "R", i);
        bond(s, one, zero);
        hang(s, zero, "C", i);
        from = zero;
    }
}

/* Inertias on shafts that gears join: all but one depend. */
static void gear_train(scene *s, int n_bonds)
{
    int shaft = add(s, "1", 0);

    bond(s, add(s, "Se", 0), shaft);
    hang(s, shaft, "I", 0);
    for (int i = 1; i <= n_bonds / 3; i++) {
        int gear = add(s, "TF", i), next = add(s, "1", i);
        bond(s, shaft, gear);
        bond(s, gear, next);
        hang(s, next, "I", i);
        shaft = next;
    }
}

/* A square of 0-junctions, resistors between neighbours, a source at a corner: 6 bonds for each.
   The whole grid is one algebraic loop. */
static void r_grid(scene *s, int n_bonds)
{
    int side = (int) sqrt((double) n_bonds / 6.0), first = s->n_elements;

    for (int i = 0; i < side * side; i++) {
        add(s, "0", i);
    }
    bond(s, add(s, "Se", 0), first);
    for (int i = 0; i < side * side; i++) {
        for (int k = 0; k < 2; k++) {
            if (k == 0 ? i % side < side - 1 : i / side < side - 1) {
                int one = add(s, "1", 2 * i + k);
                bond(s, first + i, one);
                bond(s, one, first + i + (k == 0 ? 1 : side));
                hang(s, one, "R", 2 * i + k);
            }
        }
    }
}

/* 1-junctions with a source and a C each, gyrators between them in a ring of odd length. */
static void gyrator_ring(scene *s, int n_bonds)
{
    int n = n_bonds / 4 / 2 * 2 + 1, first = s->n_elements;

    for (int i = 0; i < n; i++) {
        add(s, "1", i);
    }
    for (int i = 0; i < n; i++) {
        int gyrator = add(s, "GY", i);
        bond(s, add(s, "Se", i), first + i);
        hang(s, first + i, "C", i);
        bond(s, first + i, gyrator);
        bond(s, gyrator, first + (i + 1) % n);
    }
}

/* Odd rings of gyrators, bridges between them: all are entangled, one storage depends. */
static void ring_chain(scene *s, int n_bonds)
{
    enum { RING = 5 };
    int last = -1;

    for (int i = 0; i < n_bonds / (4 * RING + 3); i++) {
        int first = s->n_elements;
        for (int k = 0; k < RING; k++) {
            add(s, "1", RING * i + k);
        }
        for (int k = 0; k < RING; k++) {
            int gyrator = add(s, "GY", RING * i + k);
            bond(s, add(s, "Se", RING * i + k), first + k);
            hang(s, first + k, "C", RING * i + k);
            bond(s, first + k, gyrator);
            bond(s, gyrator, first + (k + 1) % RING);
        }
        if (last >= 0) {
            int bridge = add(s, "0", i);
            bond(s, last + 2, bridge);
            bond(s, bridge, first);
            hang(s, bridge, "R", i);
        }
        last = first;
    }
}

static scene make(void (*fill)(scene *s, int n_bonds), int n_bonds)
{
    size_t n = (size_t) n_bonds + 64;
    scene s = { .type = calloc(n, sizeof *s.type),
                .number = calloc(n, sizeof *s.number),
                .tail = calloc(n, sizeof *s.tail),
                .head = calloc(n, sizeof *s.head) };

    if (s.type == NULL || s.number == NULL || s.tail == NULL || s.head == NULL) {
        abort();
    }
    fill(&s, n_bonds);
    return s;
}

static void clear(scene *s)
{
    free(s->type);
    free(s->number);
    free(s->tail);
    free(s->head);
}

static ha_status build(const scene *s, bg_graph *graph)
{
    bg_element element = 0;
    bg_bond unused = 0;
    char name[32];

    for (int i = 0; i < s->n_elements; i++) {
        bg_element_def def = bg_element_def_default();
        snprintf(name, sizeof name, "%s_%d", s->type[i], s->number[i]);
        def.type = s->type[i];
        def.name = name;
        HA_TRY(bg_graph_add_element(graph, &def, &element));
    }
    for (int i = 0; i < s->n_bonds; i++) {
        HA_TRY(bg_graph_add_bond(graph, s->tail[i], s->head[i], 1, HA_NOWHERE, &unused));
    }
    return HA_OK;
}

/* The graph in the compact notation; to be freed. */
static char *write_text(const scene *s)
{
    char *text = calloc((size_t) s->n_bonds + 1, 40);
    size_t length = 0;

    for (int i = 0; i < s->n_bonds && text != NULL; i++) {
        int tail = s->tail[i], head = s->head[i];
        length += (size_t) sprintf(text + length, "%s_%d>%s_%d\n", s->type[tail], s->number[tail],
                                   s->type[head], s->number[head]);
    }
    return text;
}

/* --- what is measured ------------------------------------------------------------------------ */

/* Seconds of each step, and the peak of memory [MB]. */
typedef struct {
    ha_status status;
    int n_bonds, n_dependent;
    double make, assign, derive, compile, run, memory;
} measured;

/* Assigns causality and asks for what a report says of it. */
static ha_status assign(bg_graph *graph, bg_causality **out)
{
    HA_TRY(bg_causality_assign(graph, out));
    for (int i = 0; i < bg_causality_count(*out, BG_DERIVATIVE) && i < N_PATHS; i++) {
        char *path = NULL;
        HA_TRY(bg_causality_path(*out, i, &path));
        free(path);
    }
    return HA_OK;
}

static void measure_causality(const scene *s, bool from_text, measured *m)
{
    ha_ctx *ctx = ha_ctx_new();
    bg_graph *graph = bg_graph_new(ctx);
    bg_causality *causality = NULL;
    char *text = from_text ? write_text(s) : NULL;
    double t0 = now();

    m->status =
        from_text ? bg_compact_read(graph, text, strlen(text), HA_NOWHERE) : build(s, graph);
    double t1 = now();
    m->status = m->status == HA_OK ? assign(graph, &causality) : m->status;
    m->make = t1 - t0;
    m->assign = now() - t1;
    if (m->status == HA_OK) {
        m->n_bonds = bg_causality_n_bonds(causality);
        m->n_dependent = bg_causality_count(causality, BG_DERIVATIVE);
    }
    free(text);
    bg_causality_free(causality);
    bg_graph_free(graph);
    ha_ctx_free(ctx);
}

/* From text to a run over ten time constants R C of a section. */
static void measure_model(const scene *s, bool runs, measured *m)
{
    ha_ctx *ctx = ha_ctx_new();
    bg_graph *graph = bg_graph_new(ctx);
    bg_causality *causality = NULL;
    bg_equations *equations = NULL;
    bg_model *model = NULL;
    ha_result *result = ha_result_new(ctx);
    bg_run_options options = bg_run_options_default();
    bg_run_report report;
    char *text = write_text(s);
    const char *wanted[] = { "energy.error" };
    double t[6] = { now() };

    m->status = bg_compact_read(graph, text, strlen(text), HA_NOWHERE);
    t[1] = now();
    m->status = m->status == HA_OK ? assign(graph, &causality) : m->status;
    t[2] = now();
    m->status = m->status == HA_OK ? bg_equations_derive(causality, &equations) : m->status;
    t[3] = now();
    m->status = m->status == HA_OK ? bg_model_compile(equations, wanted, 1, &model) : m->status;
    t[4] = now();
    options.solver.t_end = options.solver.step = 10.0;
    if (m->status == HA_OK && runs) {
        m->status = bg_model_run(ctx, model, &options, result, &report);
    }
    t[5] = now();
    m->make = t[1] - t[0];
    m->assign = t[2] - t[1];
    m->derive = t[3] - t[2];
    m->compile = t[4] - t[3];
    m->run = t[5] - t[4];
    m->n_bonds = s->n_bonds;
    free(text);
    ha_result_free(result);
    bg_model_free(model);
    bg_equations_free(equations);
    bg_causality_free(causality);
    bg_graph_free(graph);
    ha_ctx_free(ctx);
}

/* A case: which scene, and what is done with it. */
typedef struct {
    const char *title;
    void (*fill)(scene *s, int n_bonds);
    enum { FROM_API, FROM_TEXT, MODEL } kind;
    int first, last; /* bonds, in steps of ten */
} bench_case;

static void measure_here(const bench_case *c, int n_bonds, measured *m)
{
    scene s = make(c->fill, n_bonds);

    if (c->kind == MODEL) {
        measure_model(&s, true, m);
    } else {
        measure_causality(&s, c->kind == FROM_TEXT, m);
    }
    clear(&s);
    m->memory = peak_memory();
}

/* Measures in a process of its own; what it found comes through a pipe. */
static measured measure(const bench_case *c, int n_bonds)
{
    measured m = { .status = HA_ERR_PROCESS };
    int ends[2];

    fflush(stdout);
    if (pipe(ends) != 0) {
        return m;
    }
    pid_t child = fork();
    if (child == 0) {
        measure_here(c, n_bonds, &m);
        _exit(write(ends[1], &m, sizeof m) == (ssize_t) sizeof m ? 0 : 1);
    }
    close(ends[1]);
    if (child < 0 || read(ends[0], &m, sizeof m) != (ssize_t) sizeof m) {
        m.status = HA_ERR_PROCESS;
    }
    close(ends[0]);
    if (child > 0) {
        waitpid(child, NULL, 0);
    }
    return m;
}

/* --- the table ------------------------------------------------------------------------------- */

static void print_time(double seconds)
{
    if (seconds > 0.0) {
        printf(" %9.2f", 1e3 * seconds);
    } else {
        printf(" %9s", "-");
    }
}

/* One line for each size; the growth is that of the sum of all times, for one bond. */
static int print_case(const bench_case *c)
{
    double last = -1.0;

    for (int n = c->first; n <= c->last; n *= 10) {
        measured m = measure(c, n);
        if (m.status != HA_OK) {
            printf("%-22s %8d | failed: %s\n", c->title, n, ha_status_name(m.status));
            return 1;
        }
        double total = m.make + m.assign + m.derive + m.compile;
        printf("%-22s %8d %8d |", c->title, m.n_bonds, m.n_dependent);
        print_time(m.make);
        print_time(m.assign);
        print_time(m.derive);
        print_time(m.compile);
        print_time(m.run);
        printf(" | %8.1f %7.3f", m.memory, 1e6 * total / m.n_bonds);
        if (last < 0.0) {
            printf(" %6s\n", "");
        } else {
            printf(" %6.2f\n", total / m.n_bonds / last);
        }
        last = total / m.n_bonds;
    }
    return 0;
}

int main(void)
{
    static const bench_case cases[] = {
        { "RC ladder", rc_ladder, FROM_API, 10000, 1000000 },
        { "gear train", gear_train, FROM_API, 10000, 1000000 },
        { "R grid", r_grid, FROM_API, 10000, 1000000 },
        { "gyrator ring", gyrator_ring, FROM_API, 10000, 1000000 },
        { "chain of odd rings", ring_chain, FROM_API, 10000, 1000000 },
        { "RC ladder, text", rc_ladder, FROM_TEXT, 10000, 1000000 },
        { "gear train, text", gear_train, FROM_TEXT, 10000, 1000000 },
        { "RC ladder, small", rc_ladder, MODEL, 130, 130 },
        { "RC ladder, run", rc_ladder, MODEL, 1000, 100000 },
    };
    int failures = 0;

    printf("CPU times in ms; `make`: through the C API, or read from text; `total`: all but the "
           "run, for "
           "one bond [us]; `growth`: of that since the line above\n");
    printf("%-22s %8s %8s | %9s %9s %9s %9s %9s | %8s %7s %6s\n", "case", "bonds", "depend", "make",
           "causality", "equations", "compile", "run", "peak/MB", "total", "growth");
    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        failures += print_case(&cases[i]);
    }
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
