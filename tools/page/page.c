/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pages are templates (tools/page/page.html is that of `report`) with `{{NAME}}` replaced by their
 * parts: those that are made here and those that the program holds (embed.sh).
 *
 * The content security policy allows nothing but the one style and the one script in them, by their
 * digests: no request leaves a page, and no markup in a name can run anything.
 */
#include <config.h>

#include "tools/page/page.h"

#include "tools/page/page_files.h"
#include "tools/page/page_live.h"

#include <string.h>

const char *page_run_name(const page_run *run)
{
    return run->run.name == NULL ? "" : run->run.name;
}

static ha_status add_title(const void *user, ha__strbuf *out)
{
    const page *p = user;

    ha__strbuf_add_markup(out, cli_model_title(p->cli, &p->runs.items[0].run.model));
    return out->status;
}

/* The mechanisms of all runs at their start, over each other. */
static ha_status add_mechanism(const void *user, ha__strbuf *out)
{
    const page *p = user;
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

static ha_status add_modes(const void *user, ha__strbuf *out)
{
    const page *p = user;

    return p->modes == NULL ? HA_OK : page_add_modes(p->modes, out);
}

static ha_status add_frequency(const void *user, ha__strbuf *out)
{
    const page *p = user;

    ha__strbuf_add(out, p->frequency == NULL ? "" : p->frequency);
    return out->status;
}

static ha_status add_legend(const void *user, ha__strbuf *out)
{
    (void) user;
    ha__strbuf_add(out, page_file("legend.html"));
    return out->status;
}

/* Of a live page: its style, its script and the engine. Of a page under --watch: what it may read
   beside itself, and the script that does. */
static ha_status add_policy(const void *user, ha__strbuf *out)
{
    const page *p = user;

    bool is_watched = p->cli->stamp[0] != '\0';

    ha__strbuf_add(out, page_file(p->live != NULL ? is_watched ? "live-watch-policy" : "live-policy"
                                  : is_watched    ? "watch-policy"
                                                  : "policy"));
    return out->status;
}

static ha_status add_watch(const void *user, ha__strbuf *out)
{
    const page *p = user;

    if (p->cli->stamp[0] != '\0') {
        ha__strbuf_addf(out, "<meta name=\"stamp\" content=\"%s\">\n<script>%s</script>\n",
                        p->cli->stamp, page_file("watch"));
    }
    return out->status;
}

static const page_part parts[] = {
    { "policy", add_policy },
    { "watch", add_watch },
    { "live", page_add_live },
    { "title", add_title },
    { "summary", page_add_summary },
    { "mechanism", add_mechanism },
    { "diagrams", page_add_diagrams },
    { "legend", add_legend },
    { "modes", add_modes },
    { "frequency", add_frequency },
    { "structure", page_add_structure },
    { "loads", page_add_loads },
    { "limits", page_add_limits },
    { "equations", page_add_equations },
    { "audit", page_add_audit },
    { "values", page_add_values },
    { "peaks", page_add_peaks },
    { "data", page_add_data },
};

/* --- filling -------------------------------------------------------------------------------- */

/* What replaces a mark of a template: of its own parts, the version, or what the program holds. */
static ha_status add_part(const page_part *own, size_t n, const void *user, const char *mark,
                          size_t length, ha__strbuf *out)
{
    char name[32] = "";
    const char *held = NULL;

    memcpy(name, mark, length < sizeof name ? length : sizeof name - 1);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(own[i].name, name) == 0) {
            return own[i].add(user, out);
        }
    }
    if (strcmp(name, "head") == 0) { /* what all templates begin with has marks of its own */
        return page_fill("head.html", own, n, user, out);
    }
    held = strcmp(name, "version") == 0 ? PACKAGE_VERSION : page_file(name);
    if (held == NULL) {
        return ha_fail(out->ctx, HA_ERR_INTERNAL, HA_NOWHERE,
                       "the page asks for a part `%s`, which there is not; report this as a fault "
                       "of the program",
                       name);
    }
    ha__strbuf_add(out, held);
    return out->status;
}

ha_status page_fill(const char *template, const page_part *own, size_t n, const void *user,
                    ha__strbuf *out)
{
    const char *at = page_file(template), *mark = NULL;

    while ((mark = strstr(at, "{{")) != NULL) {
        size_t length = strcspn(mark + 2, "}");
        ha__strbuf_add_bytes(out, at, (size_t) (mark - at));
        HA_TRY(add_part(own, n, user, mark + 2, length, out));
        at = mark + 2 + length + 2;
    }
    ha__strbuf_add(out, at);
    return out->status;
}

ha_status page_write(const page *p, ha__strbuf *out)
{
    return page_fill("page.html", parts, HA_COUNT(parts), p, out);
}
