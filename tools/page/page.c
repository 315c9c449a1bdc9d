/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of `report`: tools/page/page.html with `{{NAME}}` replaced by its parts: those made here
 * and those that the program holds (embed.sh).
 *
 * Its content security policy allows nothing but the one style and the one script in it, by their
 * digests: no request leaves the page, and no markup in a name can run anything.
 */
#include <config.h>

#include "tools/page/page.h"

#include "tools/page/page_files.h"

#include <stdio.h>
#include <string.h>

const char *page_run_name(const page_run *run)
{
    return run->run.name == NULL ? "" : run->run.name;
}

/* The name of the model, of a file without one the file's. */
static ha_status add_title(const page *p, ha__strbuf *out)
{
    const cli_model *model = &p->runs.items[0].run.model;
    const char *name = model->file == NULL ? "" : m2d_model_name(model->file);
    const char *slash = strrchr(model->name, '/');

    if (name[0] == '\0') {
        name = model->own != NULL && p->cli->file == NULL ? p->cli->text[CLI_GRAPH]
               : slash == NULL                            ? model->name
                                                          : slash + 1;
    }
    ha__strbuf_add_markup(out, name);
    return out->status;
}

static ha_status add_version(const page *p, ha__strbuf *out)
{
    (void) p;
    ha__strbuf_add(out, PACKAGE_VERSION);
    return out->status;
}

/* The mechanisms of all runs at their start, over each other. */
static ha_status add_mechanism(const page *p, ha__strbuf *out)
{
    bool has_begun = false;

    for (size_t i = 0; i < p->runs.count; i++) {
        const page_run *run = &p->runs.items[i];
        if (!run->has_scene) {
            continue;
        }
        if (!has_begun) {
            scene_begin(&p->view, "the mechanism at the start", out);
            has_begun = true;
        }
        ha__strbuf_addf(out, "<g class=\"run run-%zu\">\n", i);
        HA_TRY(scene_draw(&run->scene, &p->view, 0, out));
        ha__strbuf_add(out, "</g>\n");
    }
    ha__strbuf_add(out, has_begun ? "</svg>\n" : "");
    return out->status;
}

static ha_status add_diagrams(const page *p, ha__strbuf *out)
{
    return page_add_diagrams(p, false, out);
}

static ha_status add_bare(const page *p, ha__strbuf *out)
{
    return page_add_diagrams(p, true, out);
}

static const struct {
    const char *name;
    ha_status (*add)(const page *p, ha__strbuf *out);
} parts[] = {
    { "title", add_title },
    { "version", add_version },
    { "summary", page_add_summary },
    { "mechanism", add_mechanism },
    { "diagrams", add_diagrams },
    { "structure", page_add_structure },
    { "bare", add_bare },
    { "audit", page_add_audit },
    { "values", page_add_values },
    { "peaks", page_add_peaks },
    { "data", page_add_data },
};

static ha_status add_part(const page *p, const char *mark, size_t length, ha__strbuf *out)
{
    char name[32] = "";
    const char *held = NULL;

    memcpy(name, mark, length < sizeof name ? length : sizeof name - 1);
    for (size_t i = 0; i < HA_COUNT(parts); i++) {
        if (strcmp(parts[i].name, name) == 0) {
            return parts[i].add(p, out);
        }
    }
    held = page_file(name);
    if (held == NULL) {
        return ha_fail(p->cli->ctx, HA_ERR_INTERNAL, HA_NOWHERE,
                       "the page asks for a part `%s`, which there is not; report this as a fault "
                       "of the program",
                       name);
    }
    ha__strbuf_add(out, held);
    return out->status;
}

ha_status page_write(const page *p, ha__strbuf *out)
{
    const char *at = page_file("page.html"), *mark = NULL;

    while ((mark = strstr(at, "{{")) != NULL) {
        size_t length = strcspn(mark + 2, "}");
        ha__strbuf_add_bytes(out, at, (size_t) (mark - at));
        HA_TRY(add_part(p, mark + 2, length, out));
        at = mark + 2 + length + 2;
    }
    ha__strbuf_add(out, at);
    return out->status;
}
