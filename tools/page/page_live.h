/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a live page holds beside the page: the model's text, the values that can be changed and how
   far, the joints that can be ideal or not with the bond graph of each form, and the engine. */
#ifndef TOOLS_PAGE_LIVE_H
#define TOOLS_PAGE_LIVE_H

#include "lib/core/mem.h"
#include "lib/data/yaml.h"
#include "tools/page/page.h"

/* A value of the file that can be changed, in its own unit. */
typedef struct live_value {
    const char *path; /* as --set takes it */
    const char *unit; /* behind the number in the file; of a start value without one, the SI unit */
    double value;
    double low, high; /* within which runs work; both are `value` where no other does */
    double factor;    /* of the unit, to SI */
    bool is_given;    /* the range is that of the command line */
} live_value;

/* A joint that is held ideally or not. */
typedef struct live_switch {
    const char *joint;             /* its name; "*": all joints */
    const char *model;             /* what it is else: compliant or clearance */
    const char *path;              /* of the value that tells how far from ideal it is */
    const char *text;              /* that value as the file has it, a number or an expression */
    const char *unit;              /* of a number */
    double value;                  /* the number; of an expression 1, a factor */
    double low, high;              /* in the same way */
    bool is_factor;                /* `text` is an expression, and the value a factor of it */
    HA_ARRAY(const char *) own;    /* PATH=VALUE that make it so where the file does not */
    HA_ARRAY(const char *) scaled; /* PATH=VALUE of what goes with the value, as factors of it */
} live_switch;

/* The bond graph of the model with some joints ideal. */
typedef struct live_form {
    unsigned ideal; /* bits of switches */
    json_t *graph;  /* steps, elements, bonds, numbers, pictures, equations, table */
} live_form;

typedef struct page_live {
    const page *page;
    ha__arena arena;
    ha__yaml *doc; /* of the main file */
    const char *text;
    size_t length;
    char *own;   /* the text where this has read it */
    char *whole; /* with all that it includes; NULL: it includes nothing */
    HA_ARRAY(const char *) sets;
    HA_ARRAY(live_value) values;
    HA_ARRAY(live_switch) switches;
    HA_ARRAY(live_form) forms;
    long left;      /* steps that trial runs may still take */
    long most;      /* steps that one of them may take */
    char limit[32]; /* the same as text */
} page_live;

/*
 * Finds all of it for the first run of a page, whose runs have been made. To be freed with
 * page_live_clear(), also on failure.
 * @return HA_ERR_ARGUMENT: the model is no model file, or the program has no engine; HA_ERR_NAME:
 *         a range is for what the file does not have
 */
HA_MUST_CHECK ha_status page_live_find(page *p, page_live *out);

/* Frees what it holds. */
void page_live_clear(page_live *live);

/* Adds the parts of the page. */
HA_MUST_CHECK ha_status page_add_live(const void *page, ha__strbuf *out);

/* --- page_live_values.c --------------------------------------------------------------------- */

/* The number of a text that is a quantity, its unit and what that is in SI; false: it is none. */
bool live_read_quantity(page_live *live, const char *text, double *value, const char **unit,
                        double *factor);

/* What the file has at a path, with the variant of the first run and with --set; NULL: nothing. */
const char *live_text_at(const page_live *live, const char *path);

/* The node at a path under another; NULL: there is none. */
const ha__yaml_node *live_node_at(const ha__yaml_node *node, const char *path);

/* Finds the values, and how far they can be changed. */
HA_MUST_CHECK ha_status live_find_values(page_live *live);

/* --- page_live_range.c ---------------------------------------------------------------------- */

/* The range of the command line for a path; false: there is none. */
HA_MUST_CHECK ha_status live_given_range(const page_live *live, const char *path, const char *unit,
                                         double *low, double *high, bool *is_given);

/* A command line with more overrides (n), in a context of its own. */
typedef struct live_call {
    cli_call cli;
    HA_ARRAY(const char *) sets;
} live_call;

HA_MUST_CHECK ha_status live_call_begin(const page_live *live, const char *const *sets, size_t n,
                                        live_call *out);
void live_call_end(live_call *call);

/* Whether the model runs to its end with overrides. */
bool live_runs(page_live *live, const char *const *sets, size_t n);

/* Narrows the range of a value to where runs work. */
HA_MUST_CHECK ha_status live_check_range(page_live *live, live_value *value);

/* --- page_live_forms.c ---------------------------------------------------------------------- */

/* Finds the joints that can be switched; adds those that ranges ask for. */
HA_MUST_CHECK ha_status live_find_switches(page_live *live);

/* The bits of the switches whose joints are ideal in a run of the page, by its variant. */
unsigned live_ideal(const page_live *live, size_t run);

/* Draws the forms that no run of the page is of; theirs have been drawn. */
HA_MUST_CHECK ha_status live_draw_forms(page_live *live);

/* The numbers of the scalar bonds of each bond, in the order of the page. */
json_t *live_numbers(const cli_model *model);

#endif
