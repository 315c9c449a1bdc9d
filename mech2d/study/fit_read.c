/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is fitted, as text:
 *
 *   fit:
 *     data: FILE.csv
 *     parameters: {PATH: {start, min, max}}
 *     sigma: {OUTPUT: VALUE}
 */
#include <config.h>

#include "mech2d/study/study.h"

#include <math.h>

static ha_status read_parameter(m2d__study *s, const ha__yaml_pair *pair)
{
    static const char *const keys[] = { "start", "min", "max" };
    const ha__yaml_node *node = pair->value, *start = NULL, *least = NULL, *most = NULL;
    const char *what = ha__arena_format(s->ctx, &s->arena, "the parameter `%s`", pair->key);
    m2d_fit_parameter p = { .variable = { .path = pair->key, .where = pair->where },
                            .least = -INFINITY,
                            .most = INFINITY };
    m2d__vary unit = { .where = pair->where };

    HA_TRY_MEMORY(what);
    HA_TRY(ha__yaml_expect(s->ctx, node, what, HA__YAML_MAPPING));
    HA_TRY(ha__yaml_check_keys(s->ctx, node, what, keys, HA_COUNT(keys)));
    HA_TRY(ha__yaml_require(s->ctx, node, what, "start", &start));
    least = ha__yaml_get(node, "min");
    most = ha__yaml_get(node, "max");
    HA_TRY(m2d__study_read_value(s, &unit, start, what, &p.variable.value));
    HA_TRY(least == NULL ? HA_OK : m2d__study_read_value(s, &unit, least, what, &p.least));
    HA_TRY(most == NULL ? HA_OK : m2d__study_read_value(s, &unit, most, what, &p.most));
    HA_TRY(m2d__study_find_unit(s, &unit, &p.variable.unit));
    HA_TRY_PUSH(s->ctx, &s->fit.parameters, p);
    return HA_OK;
}

static ha_status read_sigma(m2d__study *s, const ha__yaml_pair *pair)
{
    m2d_fit_sigma sigma = { .output = pair->key, .where = pair->where };
    m2d__vary unit = { .where = pair->where };

    HA_TRY(m2d__study_read_value(s, &unit, pair->value, "`sigma`", &sigma.value));
    if (!(sigma.value > 0.0)) {
        return ha_fail(s->ctx, HA_ERR_VALUE, pair->where,
                       "the standard deviation of `%s` must be above 0, not %g", pair->key,
                       sigma.value);
    }
    HA_TRY_PUSH(s->ctx, &s->fit.sigmas, sigma);
    return HA_OK;
}

ha_status m2d__fit_read(m2d__study *s, const ha__yaml_node *node)
{
    static const char *const keys[] = { "data", "parameters", "sigma" };
    const ha__yaml_node *data = NULL, *parameters = NULL, *sigma = ha__yaml_get(node, "sigma");
    const char *path = NULL;

    HA_TRY(ha__yaml_expect(s->ctx, node, "`fit`", HA__YAML_MAPPING));
    HA_TRY(ha__yaml_check_keys(s->ctx, node, "`fit`", keys, HA_COUNT(keys)));
    HA_TRY(ha__yaml_require(s->ctx, node, "`fit`", "data", &data));
    HA_TRY(ha__yaml_require(s->ctx, node, "`fit`", "parameters", &parameters));
    HA_TRY(ha__yaml_text(s->ctx, data, "`data`", &path));
    HA_TRY(ha__yaml_expect(s->ctx, parameters, "`parameters`", HA__YAML_MAPPING));
    if (parameters->n == 0) {
        return ha_fail(s->ctx, HA_ERR_VALUE, parameters->where,
                       "`parameters` of `fit` is empty; give for example "
                       "`parameters: {forces.spring.stiffness: {start: 4 kN/m}}`");
    }
    for (size_t i = 0; i < parameters->n; i++) {
        HA_TRY(read_parameter(s, &parameters->pairs[i]));
    }
    HA_TRY(sigma == NULL ? HA_OK : ha__yaml_expect(s->ctx, sigma, "`sigma`", HA__YAML_MAPPING));
    for (size_t i = 0; sigma != NULL && i < sigma->n; i++) {
        HA_TRY(read_sigma(s, &sigma->pairs[i]));
    }
    s->fit.where = data->where;
    s->fit.data = m2d__study_beside(s, path);
    return s->fit.data == NULL ? HA_ERR_MEMORY : HA_OK;
}
