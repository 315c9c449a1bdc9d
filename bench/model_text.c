/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scene as a model file: every quantity with its unit and all digits. The points of a body have
 * the names of the hinges and springs that they belong to.
 */
#include <config.h>

#include "bench/model_text.h"

#include <stdio.h>
#include <stdlib.h>

/* The hinges of each body as lists: side i = 2 hinge + side is followed by next[i]; -1 ends. Number
   n_bodies is the ground. */
typedef struct {
    int *first, *next;
} lists;

static int lists_init(lists *l, const scene *s)
{
    l->first = malloc(((size_t) s->n_bodies + 1) * sizeof *l->first);
    l->next = malloc(2 * (size_t) s->n_hinges * sizeof *l->next);
    if (l->first == NULL || l->next == NULL) {
        return -1;
    }
    for (int b = 0; b <= s->n_bodies; b++) {
        l->first[b] = -1;
    }
    for (int i = 2 * s->n_hinges - 1; i >= 0; i--) {
        int b = s->hinges[i / 2].body[i % 2];
        b = b < 0 ? s->n_bodies : b;
        l->next[i] = l->first[b];
        l->first[b] = i;
    }
    return 0;
}

static void write_point(FILE *out, char kind, int number, const double at[2])
{
    fprintf(out, "%c%d: [%.17g m, %.17g m], ", kind, number, at[0], at[1]);
}

/* The points of a body, -1: of the ground. */
static void write_points(FILE *out, const scene *s, const lists *l, int body)
{
    fprintf(out, "points: {");
    for (int i = l->first[body < 0 ? s->n_bodies : body]; i >= 0; i = l->next[i]) {
        write_point(out, 'J', i / 2, s->hinges[i / 2].at[i % 2]);
    }
    for (int k = 0; k < s->n_springs; k++) {
        if (body < 0 || s->springs[k].body == body) {
            write_point(out, 'S', k, body < 0 ? s->springs[k].ground : s->springs[k].at);
        }
    }
    fprintf(out, "}");
}

static void write_bodies(FILE *out, const scene *s, const lists *l)
{
    static const char *const names[] = { "x", "y", "angle", "vx", "vy", "omega" };
    static const char *const units[] = { "m", "m", "rad", "m/s", "m/s", "rad/s" };

    fprintf(out, "ground: {");
    write_points(out, s, l, -1);
    fprintf(out, "}\nbodies:\n");
    for (int b = 0; b < s->n_bodies; b++) {
        const scene_body *body = &s->bodies[b];
        fprintf(out, "  B%d: {mass: %.17g kg, inertia: %.17g kg.m2, ", b, body->mass,
                body->inertia);
        write_points(out, s, l, b);
        fprintf(out, ", start: {");
        for (int d = 0; d < SCENE_BODY_STATE; d++) {
            fprintf(out, "%s: %.17g %s, ", names[d], d < 3 ? body->place[d] : body->rate[d - 3],
                    units[d]);
        }
        fprintf(out, "}}\n");
    }
}

static void write_end(FILE *out, int body, char kind, int number)
{
    if (body < 0) {
        fprintf(out, "ground.%c%d", kind, number);
    } else {
        fprintf(out, "B%d.%c%d", body, kind, number);
    }
}

static void write_joints(FILE *out, const scene *s)
{
    fprintf(out, "joints:\n");
    for (int k = 0; k < s->n_hinges; k++) {
        fprintf(out, "  J%d: {type: revolute, between: [", k);
        write_end(out, s->hinges[k].body[0], 'J', k);
        fprintf(out, ", ");
        write_end(out, s->hinges[k].body[1], 'J', k);
        fprintf(out, "]");
        if (s->stiffness > 0) {
            fprintf(out, ", model: compliant, stiffness: %.17g N/m, damping: %.17g N.s/m",
                    s->stiffness, s->damping);
        }
        fprintf(out, "}\n");
    }
}

static void write_forces(FILE *out, const scene *s)
{
    fprintf(out, "forces:\n");
    for (int b = 0; b < s->n_bodies; b++) {
        if (s->bodies[b].torque != 0) {
            fprintf(out, "  drive%d: {type: torque, on: B%d, value: %.17g N.m}\n", b, b,
                    s->bodies[b].torque);
        }
    }
    for (int k = 0; k < s->n_springs; k++) {
        const scene_spring *spring = &s->springs[k];
        fprintf(out,
                "  S%d: {type: spring-damper, between: [B%d.S%d, ground.S%d], "
                "stiffness: %.17g N/m, free_length: %.17g m}\n",
                k, spring->body, k, k, spring->stiffness, spring->length);
    }
}

char *bench_model_text(const scene *s, size_t *length)
{
    lists l = { 0 };
    char *text = NULL;
    FILE *out = lists_init(&l, s) == 0 ? open_memstream(&text, length) : NULL;

    if (out != NULL) {
        fprintf(out, "halfarrow: 1\ngravity: [0, %.17g m/s2]\n", -s->gravity);
        write_bodies(out, s, &l);
        write_joints(out, s);
        write_forces(out, s);
        fclose(out);
    }
    free(l.first);
    free(l.next);
    return text;
}
