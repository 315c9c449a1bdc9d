/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of `report`: tools/page/page.html with `{{NAME}}` replaced by its parts.
 *
 * Its content security policy allows nothing but the one style and the one script in it, by their
 * digests: no request leaves the page, and no markup in a name can run anything.
 */
#include <config.h>

#include "tools/page/page.h"

#include "tools/page/page_files.h"
#include "tools/shared/sha256.h"

#include <stdio.h>
#include <string.h>

const char *page_run_name(const page_run *run)
{
    return run->run.name == NULL ? "" : run->run.name;
}

/* The files of the style and of the script, in this order. */
static const char *const style_files[] = { "uPlot.min.css", "scene.css", "page.css" };
static const char *const script_files[] = { "uPlot.iife.min.js", "data.js",   "player.js",
                                            "mechanism.js",      "canvas.js", "diagram.js",
                                            "plots.js",          "trace.js",  "page.js" };

static void add_files(const char *const *names, size_t n, ha__strbuf *out)
{
    for (size_t i = 0; i < n; i++) {
        ha__strbuf_add(out, "\n");
        ha__strbuf_add(out, page_file(names[i]));
    }
}

static ha_status add_style(const page *p, ha__strbuf *out)
{
    (void) p;
    add_files(style_files, HA_COUNT(style_files), out);
    return out->status;
}

/* The script, with the licence of its foreign part in front. */
static ha_status add_script(const page *p, ha__strbuf *out)
{
    (void) p;
    ha__strbuf_add(out, "\n/*!\nuPlot\n\n");
    ha__strbuf_add(out, page_file("LICENSE"));
    ha__strbuf_add(out, "*/");
    add_files(script_files, HA_COUNT(script_files), out);
    return out->status;
}

/* Adds the source expression that allows what `add` adds between its tags. */
static ha_status add_digest(ha_status (*add)(const page *p, ha__strbuf *out), ha__strbuf *out)
{
    ha__strbuf text = HA_STRBUF(out->ctx);
    uint8_t digest[SHA256_SIZE];
    ha_status status = add(NULL, &text);

    sha256(ha__strbuf_text(&text), text.length, digest);
    ha__strbuf_clear(&text);
    ha__strbuf_add(out, "'sha256-");
    add_base64(out, digest, sizeof digest);
    ha__strbuf_add(out, "'");
    return status;
}

static ha_status add_policy(const page *p, ha__strbuf *out)
{
    (void) p;
    ha__strbuf_add(out, "default-src 'none'; style-src ");
    HA_TRY(add_digest(add_style, out));
    ha__strbuf_add(out, "; script-src ");
    HA_TRY(add_digest(add_script, out));
    ha__strbuf_add(out, "; base-uri 'none'; form-action 'none'");
    return out->status;
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
    { "policy", add_policy },
    { "title", add_title },
    { "version", add_version },
    { "style", add_style },
    { "summary", page_add_summary },
    { "mechanism", add_mechanism },
    { "diagrams", add_diagrams },
    { "structure", page_add_structure },
    { "bare", add_bare },
    { "audit", page_add_audit },
    { "values", page_add_values },
    { "data", page_add_data },
    { "script", add_script },
};

static ha_status add_part(const page *p, const char *name, size_t length, ha__strbuf *out)
{
    for (size_t i = 0; i < HA_COUNT(parts); i++) {
        if (strlen(parts[i].name) == length && strncmp(parts[i].name, name, length) == 0) {
            return parts[i].add(p, out);
        }
    }
    return ha_fail(p->cli->ctx, HA_ERR_INTERNAL, HA_NOWHERE,
                   "the page asks for a part `%.*s`, which there is not; report this as a fault of "
                   "the program",
                   (int) length, name);
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
