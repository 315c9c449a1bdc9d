/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints what documents say of the options of a run, from their table: `options page` the table of
 * the page on model files, `options manual` the list of the manual page, `options schema` the
 * section `simulate` of the schema; `options forces` the types of forces in the schema.
 */
#include <config.h>

#include "bondgraph/model/run_options.h"
#include "mech2d/mechanism/force.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 100 };

/* --- the page --------------------------------------------------------------------------------- */

static void add_page(ha__strbuf *out, const ha__option *row)
{
    bool is_plain = strcmp(row->unit, "1") == 0;

    ha__strbuf_addf(out, "| `%s` | `--%s` | ", row->key, row->name);
    ha__option_add_sentence(out, row);
    ha__strbuf_addf(out, " | %s | ", is_plain ? "" : row->unit);
    if (row->words != NULL) {
        ha__option_add_words(out, row);
    } else {
        ha__option_add_range(out, row);
    }
    ha__strbuf_add(out, " |\n");
}

/* --- the manual page -------------------------------------------------------------------------- */

/* Adds a text for troff, hyphens as minus signs, in lines. */
static void add_troff(ha__strbuf *out, const char *text)
{
    size_t used = 0;

    while (*text != '\0') {
        size_t n = strcspn(text, " ");
        bool breaks = used > 0 && used + 1 + n > WIDTH;
        ha__strbuf_add(out, used == 0 ? "" : breaks ? "\n" : " ");
        used = (breaks || used == 0 ? 0 : used + 1) + n;
        for (size_t i = 0; i < n; i++) {
            ha__strbuf_add(out, text[i] == '-' ? "\\" : "");
            ha__strbuf_add_bytes(out, text + i, 1);
        }
        text += n + strspn(text + n, " ");
    }
    ha__strbuf_add(out, ".\n");
}

static void add_manual(ha__strbuf *out, const ha__option *row)
{
    ha__strbuf sentence = HA_STRBUF(out->ctx);
    char argument[16] = "";

    for (size_t i = 0; i + 1 < sizeof argument && ha__option_argument(row)[i] != '\0'; i++) {
        argument[i] = (char) (ha__option_argument(row)[i] - 'A' + 'a');
    }
    ha__strbuf_add(out, ".TP\n.BI \\-\\-");
    for (const char *c = row->name; *c != '\0'; c++) {
        ha__strbuf_add(out, *c == '-' ? "\\" : "");
        ha__strbuf_add_bytes(out, c, 1);
    }
    ha__strbuf_addf(out, "= %s\n", argument);
    ha__option_add_sentence(&sentence, row);
    if (sentence.length > 0 && sentence.text[0] >= 'a' && sentence.text[0] <= 'z') {
        sentence.text[0] = (char) (sentence.text[0] - 'a' + 'A');
    }
    add_troff(out, ha__strbuf_text(&sentence));
    ha__strbuf_clear(&sentence);
}

/* --- the schema ------------------------------------------------------------------------------- */

static void add_schema(ha__strbuf *out, const ha__option *row)
{
    bool is_last = row == &bg__run_options[BG__RUN_COUNT - 1];
    bool has_unit = strcmp(row->unit, "1") != 0;

    ha__strbuf_addf(out, "        \"%s\": {\n", row->key);
    if (row->words != NULL) {
        ha__strbuf_add(out, "          \"enum\": [\n");
        for (int i = 0; i <= (int) row->high; i++) {
            ha__strbuf_add(out, "            \"");
            ha__option_add_word(out, row, i);
            ha__strbuf_add(out, i < (int) row->high ? "\",\n" : "\"\n");
        }
    } else {
        ha__strbuf_add(out, "          \"allOf\": [\n            {\n"
                            "              \"$ref\": \"#/definitions/value\"\n            }\n");
    }
    ha__strbuf_add(out, "          ],\n          \"description\": \"");
    ha__option_add_sentence(out, row);
    ha__strbuf_addf(out, "%s%s%s\"\n        }%s\n", has_unit ? " [" : "", has_unit ? row->unit : "",
                    has_unit ? "]" : "", is_last ? "" : ",");
}

/* ---------------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *head;
    void (*add)(ha__strbuf *out, const ha__option *row);
    const char *foot;
} kinds[] = {
    { "page", "| key | option | what | unit | values |\n|---|---|---|---|---|\n", add_page, "" },
    { "manual", "", add_manual, "" },
    { "schema",
      "    \"simulate\": {\n      \"type\": [\n        \"object\",\n        \"null\"\n      ],\n"
      "      \"description\": \"options of the run\",\n      \"properties\": {\n",
      add_schema, "      },\n      \"additionalProperties\": false\n    },\n" },
};

/* The types of forces, to be followed by what the schema says of them. */
static void add_forces(ha__strbuf *out)
{
    ha__strbuf_add(out, "    \"force\": {\n      \"type\": \"object\",\n      \"properties\": {\n"
                        "        \"type\": {\n          \"enum\": [\n");
    for (size_t i = 0; m2d__force_type_at(i) != NULL; i++) {
        ha__strbuf_addf(out, "            \"%s\"%s\n", m2d__force_type_at(i)->name,
                        m2d__force_type_at(i + 1) == NULL ? "" : ",");
    }
    ha__strbuf_add(out, "          ],\n          \"description\": \"what acts\"\n");
}

int main(int argc, char **argv)
{
    ha_ctx *ctx = ha_ctx_new();
    ha__strbuf out = HA_STRBUF(ctx);

    for (size_t k = 0; k < HA_COUNT(kinds); k++) {
        if (argc == 2 && strcmp(argv[1], kinds[k].name) == 0) {
            ha__strbuf_add(&out, kinds[k].head);
            for (size_t i = 0; i < BG__RUN_COUNT; i++) {
                kinds[k].add(&out, &bg__run_options[i]);
            }
            ha__strbuf_add(&out, kinds[k].foot);
        }
    }
    if (argc == 2 && strcmp(argv[1], "forces") == 0) {
        add_forces(&out);
    }
    bool is_good = out.status == HA_OK && out.length > 0 && fputs(out.text, stdout) >= 0;
    ha__strbuf_clear(&out);
    ha_ctx_free(ctx);
    return is_good && fflush(stdout) == 0 ? 0 : 1;
}
