/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Element types that users register: checks, and the copy as the struct that the built-in types
 * are, whose law calls the user's and checks that it has said all.
 */
#include <config.h>

#include "bondgraph/element_type.h"

#include "bondgraph/elements/emit.h"
#include "bondgraph/graph/registry.h"

#include <math.h>
#include <string.h>

enum { TYPE_COOKIE = 0x62677479, MAX_NAME = 32, MAX_TITLE = 80 };

/* A registered type: what the other files see, and the functions behind it. */
typedef struct {
    bg__type type; /* first: an element's type leads back here */
    ha_status (*emit)(bg_emitter *emitter);
    void *user;
} registration;

bg_element_type bg_element_type_default(void)
{
    return (bg_element_type){ .n_ports = 1,
                              .kind = BG_KIND_RESISTOR,
                              .rule = BG_RULE_COUNT,
                              .default_value = 1.0,
                              .lowest = -HUGE_VAL,
                              .book = BG_BOOK_LOSS,
                              .cookie = TYPE_COOKIE };
}

/* --- laws ------------------------------------------------------------------------------------ */

static const registration *registration_of(const bg_emitter *em)
{
    return (const registration *) em->system->graph->elements.items[em->element].type;
}

void *bg_emitter_user(const bg_emitter *em)
{
    return registration_of(em)->user;
}

/* The states that an element has added. */
static int count_states(const bg_emitter *em)
{
    int n = 0;

    for (size_t i = 0; i < em->system->unknowns.count; i++) {
        n += em->system->unknowns.items[i].element == em->element;
    }
    return n;
}

static ha_status fail(const bg_emitter *em, const char *what)
{
    const bg__type *type = &registration_of(em)->type;

    return ha_fail(em->system->ctx, HA_ERR_ARGUMENT, bg__where(em),
                   "the law of the %s `%s` %s; correct the registered type `%s`", type->title,
                   bg__name(em), what, type->name);
}

/* The law must have said all that its ports, states and signals need. */
static ha_status check_emitted(bg_emitter *em)
{
    const bg__type *type = &registration_of(em)->type;
    bool has_content = (type->signals & (BG__HAS_P | BG__HAS_Q)) != 0;

    for (int port = 0; port < em->n_ports; port++) {
        if ((em->given >> port & 1u) == 0) {
            return ha_fail(em->system->ctx, HA_ERR_ARGUMENT, bg__where(em),
                           "the law of the %s `%s` does not say the %s at port %d, where the %s "
                           "arrives; correct the registered type `%s`",
                           type->title, bg__name(em),
                           bg__effort_arrives(em, port) == 1 ? "flow" : "effort", port + 1,
                           bg__effort_arrives(em, port) == 1 ? "effort" : "flow", type->name);
        }
    }
    if (em->n_rates != count_states(em)) {
        return fail(em, "adds a state and does not say its rate");
    }
    if (has_content && bg__content(em) == HA_EXPR_NONE) {
        return fail(em, "does not say its momentum or displacement");
    }
    if (type->energy != NULL && type->energy(em) == HA_EXPR_NONE) {
        HA_TRY(ha_dag_status(em->dag));
        return fail(em, "gives no energy");
    }
    return HA_OK;
}

static ha_status emit_registered(bg_emitter *em)
{
    size_t n_errors = ha_ctx_n_errors(em->system->ctx);
    ha_status status = registration_of(em)->emit(em);

    if (status != HA_OK && ha_ctx_n_errors(em->system->ctx) == n_errors) {
        return ha_fail(em->system->ctx, status, bg__where(em),
                       "the law of the %s `%s` fails: %s; see the registered type `%s`",
                       registration_of(em)->type.title, bg__name(em), ha_status_text(status),
                       registration_of(em)->type.name);
    }
    HA_TRY(status);
    HA_TRY(ha_dag_status(em->dag));
    return check_emitted(em);
}

/* --- checks ---------------------------------------------------------------------------------- */

static ha_status check_name(ha_ctx *ctx, const bg_element_type *type)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    size_t n = strlen(type->name);
    const bg__type *other = NULL;

    if (n == 0 || n > MAX_NAME || strspn(type->name, letters) != n) {
        return ha_fail(ctx, HA_ERR_NAME, HA_NOWHERE,
                       "`%.40s` cannot be the name of an element type; give 1 to %d letters A to Z "
                       "and a to z",
                       type->name, MAX_NAME);
    }
    other = bg__type_find(ctx, type->name, n);
    return other == NULL ? HA_OK
                         : ha_fail(ctx, HA_ERR_NAME, HA_NOWHERE,
                                   "the element type `%s` is there already: it is %s %s; give "
                                   "another name",
                                   type->name, bg__article(other), other->title);
}

/* What is wrong with the ports, NULL: nothing. */
static const char *fault_of_ports(const bg_element_type *type)
{
    bool is_one_port = type->kind == BG_KIND_SOURCE || type->kind == BG_KIND_STORAGE;
    int n = type->n_ports, k = type->n_efforts;

    if (n < 1 || n > BG__MAX_TYPE_PORTS) {
        return "its n_ports are not in 1 to 8";
    }
    if (is_one_port && n > 1) {
        return "a source or storage has one port; couple several by a field's law, or make it a "
               "converter";
    }
    if (type->gives_power >> n != 0) {
        return "gives_power names a port that it does not have";
    }
    if (type->rule == BG_RULE_COUNT && k != 0 && k != 1 && k != n - 1 && k != n) {
        return "n_efforts must be 0, 1, n_ports - 1 or n_ports";
    }
    if (type->rule == BG_RULE_COUNT && (k < 0 || k > n)) {
        return "n_efforts is not in 0 to n_ports";
    }
    if (type->rule == BG_RULE_EQUAL && n != 2) {
        return "the rule BG_RULE_EQUAL is of two ports";
    }
    return type->kind == BG_KIND_SOURCE && type->rule != BG_RULE_COUNT
               ? "a source has one sense: give the rule BG_RULE_COUNT"
               : NULL;
}

/* What is wrong with the rest, NULL: nothing. */
static const char *fault_of_rest(const bg_element_type *type)
{
    bool is_stored = type->book == BG_BOOK_KINETIC || type->book == BG_BOOK_POTENTIAL;
    double x = type->default_value;

    if (type->preferred != 0 && type->preferred != 1) {
        return "preferred is neither 0 nor 1";
    }
    if (isnan(type->lowest) || !isfinite(x) || x < type->lowest ||
        (type->excludes_lowest != 0 && x <= type->lowest) ||
        (type->excludes_zero != 0 && x == 0.0)) {
        return "its default_value is out of its own range";
    }
    if (type->emit == NULL) {
        return "it has no emit function";
    }
    if (is_stored != (type->energy != NULL)) {
        return is_stored ? "its energy is stored, and it has no energy function"
                         : "it has an energy function, and its book is not of stored energy";
    }
    if ((type->kind == BG_KIND_STORAGE) != is_stored) {
        return "a storage, and nothing else, has the book BG_BOOK_KINETIC or BG_BOOK_POTENTIAL";
    }
    if (type->kind == BG_KIND_STORAGE && type->has_momentum == 0 && type->has_displacement == 0) {
        return "a storage needs has_momentum or has_displacement";
    }
    if (type->has_momentum != 0 && type->has_displacement != 0) {
        return "it has both a momentum and a displacement; give one";
    }
    return type->pin != NULL && type->pin_reason == NULL ? "it has a pin and no pin_reason" : NULL;
}

static ha_status check(ha_ctx *ctx, const bg_element_type *type)
{
    if (type->cookie != TYPE_COOKIE || type->name == NULL) {
        return ha_fail(ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "an element type has no name, or does not come from "
                       "bg_element_type_default(); start from that and give one");
    }
    HA_TRY(check_name(ctx, type));

    const char *fault = NULL;
    if (type->title == NULL || type->title[0] == '\0' || strlen(type->title) > MAX_TITLE) {
        fault = "its title is missing, or longer than 80 bytes";
    } else if ((unsigned) type->kind >= BG_KIND_COUNT || (unsigned) type->rule > BG_RULE_FREE ||
               (unsigned) type->book > BG_BOOK_LOSS) {
        fault = "its kind, rule or book is none of the enumeration";
    }
    fault = fault != NULL ? fault : fault_of_ports(type);
    fault = fault != NULL ? fault : fault_of_rest(type);
    return fault == NULL
               ? HA_OK
               : ha_fail(ctx, HA_ERR_VALUE, HA_NOWHERE,
                         "the element type `%s` cannot be registered: %s", type->name, fault);
}

/* --- registration ---------------------------------------------------------------------------- */

static unsigned signals_of(const bg_element_type *type)
{
    return BG__HAS_EF | (type->n_ports > 1 ? (unsigned) BG__HAS_EF2 : 0u) |
           (type->has_momentum != 0 ? (unsigned) BG__HAS_P : 0u) |
           (type->has_displacement != 0 ? (unsigned) BG__HAS_Q : 0u);
}

/* The type as the built-in ones are told. */
static bg__type translate(const bg_element_type *type)
{
    static const bg__stage stages[BG_KIND_COUNT] = { [BG_KIND_SOURCE] = BG__STAGE_FIXED,
                                                     [BG_KIND_STORAGE] = BG__STAGE_STORAGE,
                                                     [BG_KIND_RESISTOR] = BG__STAGE_RESISTOR,
                                                     [BG_KIND_CONVERTER] = BG__STAGE_STRUCTURE };

    return (bg__type){ .min_ports = type->n_ports,
                       .max_ports = type->n_ports,
                       .gives_power = (int) type->gives_power,
                       .stage = stages[type->kind],
                       .rule = type->rule,
                       .base = type->n_efforts,
                       .preferred = type->preferred,
                       .default_value = type->default_value,
                       .lowest = type->lowest,
                       .excludes_lowest = type->excludes_lowest,
                       .excludes_zero = type->excludes_zero,
                       .wants_constant = type->wants_constant,
                       .signals = signals_of(type),
                       .book = type->book,
                       .is_resistor = type->kind == BG_KIND_RESISTOR,
                       .is_registered = 1,
                       .pin = type->pin,
                       .emit = emit_registered,
                       .energy = type->energy };
}

static ha_status copy_text(ha_ctx *ctx, bg__registry *all, const char *from, const char **to)
{
    *to = from == NULL ? NULL : ha__arena_text(ctx, &all->arena, from, strlen(from));
    return from != NULL && *to == NULL ? HA_ERR_MEMORY : HA_OK;
}

ha_status bg_element_type_register(ha_ctx *ctx, const bg_element_type *type)
{
    bg__registry *all = NULL;
    registration *added = NULL;

    HA_TRY(check(ctx, type));
    HA_TRY(bg__registry_of(ctx, &all));
    HA_TRY_ROOM(ctx, &all->types, 1);
    HA_TRY_GET(added, ha__arena_alloc(ctx, &all->arena, 1, sizeof *added));
    *added = (registration){ translate(type), type->emit, type->user };
    HA_TRY(copy_text(ctx, all, type->name, &added->type.name));
    HA_TRY(copy_text(ctx, all, type->title, &added->type.title));
    HA_TRY(copy_text(ctx, all, type->pin_reason, &added->type.pin_reason));
    all->types.items[all->types.count++] = &added->type;
    return HA_OK;
}
