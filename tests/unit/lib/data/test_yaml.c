/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model files as trees: places, limits, errors, checked access, merging and setting. */
#include <config.h>

#include "lib/data/yaml.h"

#include "lib/core/mem.h"
#include "lib/core/strbuf.h"

#include "tests/util/context.h"

#include <check.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static ha__yaml *read_text(const char *text)
{
    ha__yaml *doc = NULL;
    ha_status status = ha__yaml_read_text(ctx, text, strlen(text), "m.yaml", &doc);

    ck_assert_msg(status == HA_OK, "%s", ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "?");
    return doc;
}

/* Diagnostic number i is an error at this place whose text has `part`. */
static void expect_diag(size_t i, int line, int column, const char *part)
{
    ck_assert_uint_gt(ha_ctx_n_diags(ctx), i);
    const ha_diag *diag = ha_ctx_diag(ctx, i);
    ck_assert_msg(strstr(diag->text, part) != NULL, "%s", diag->text);
    ck_assert_msg(diag->where.line == line && diag->where.column == column, "%d:%d: %s",
                  diag->where.line, diag->where.column, diag->text);
}

static void expect_refused_bytes(const char *text, size_t length, ha_status status, int line,
                                 int column, const char *part)
{
    ha__yaml *doc = NULL;
    ha_status found = ha__yaml_read_text(ctx, text, length, "m.yaml", &doc);

    ck_assert_msg(found == status, "`%.80s` gives %s: %s", text, ha_status_name(found),
                  ha_ctx_n_diags(ctx) > 0 ? ha_ctx_diag(ctx, 0)->text : "no error");
    ck_assert_ptr_null(doc);
    expect_diag(0, line, column, part);
    ck_assert_str_eq(ha_ctx_diag(ctx, 0)->where.file, "m.yaml");
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    ha_ctx_clear(ctx);
}

static void expect_refused(const char *text, ha_status status, int line, int column,
                           const char *part)
{
    expect_refused_bytes(text, strlen(text), status, line, column, part);
}

static void expect_place(ha_where where, int line, int column)
{
    ck_assert_str_eq(where.file, "m.yaml");
    ck_assert_int_eq(where.line, line);
    ck_assert_int_eq(where.column, column);
}

/* The tree in flow style, the pairs in their order: what a tree is, for comparisons. */
static void write_node(ha__strbuf *out, const ha__yaml_node *node)
{
    if (node->kind == HA__YAML_SCALAR) {
        ha__strbuf_addf(out, node->is_quoted ? "\"%s\"" : "%s", node->text);
    }
    for (size_t i = 0; i < node->n; i++) {
        ha__strbuf_add(out, i > 0 ? ", " : node->kind == HA__YAML_MAPPING ? "{" : "[");
        if (node->kind == HA__YAML_MAPPING) {
            ha__strbuf_addf(out, "%s: ", node->pairs[i].key);
        }
        write_node(out, node->kind == HA__YAML_MAPPING ? node->pairs[i].value : node->items[i]);
    }
    if (node->kind != HA__YAML_SCALAR) {
        ha__strbuf_add(out, node->kind == HA__YAML_MAPPING ? (node->n == 0 ? "{}" : "}")
                                                           : (node->n == 0 ? "[]" : "]"));
    }
}

static void expect_tree(const ha__yaml_node *node, const char *text)
{
    ha__strbuf out = HA_STRBUF(ctx);

    write_node(&out, node);
    ck_assert_str_eq(ha__strbuf_text(&out), text);
    ha__strbuf_clear(&out);
}

/* --- reading --------------------------------------------------------------------------------- */

START_TEST(scalars_keep_their_text_and_know_whether_they_were_quoted)
{
    ha__yaml *doc = read_text("a: 2.5 kg\nb: \"no\"\nc: no\nd: 0x10\ne:\nf: '1'\ng: >\n  x\n"
                              "h: !!str 5\ni: -kp*(J.angle - 0.1*sin(2*pi*t))\n");
    const ha__yaml_node *root = ha__yaml_root(doc);

    expect_tree(root, "{a: 2.5 kg, b: \"no\", c: no, d: 0x10, e: , f: \"1\", g: \"x\n\", "
                      "h: \"5\", i: -kp*(J.angle - 0.1*sin(2*pi*t))}");
    ck_assert(ha__yaml_is_null(ha__yaml_get(root, "e")));
    ck_assert(!ha__yaml_is_null(ha__yaml_get(root, "c")));
    ck_assert_ptr_null(ha__yaml_get(root, "z"));
    ck_assert_ptr_null(ha__yaml_get(ha__yaml_get(root, "a"), "a"));
    ha__yaml_free(doc);
}
END_TEST

START_TEST(json_is_read_too)
{
    ha__yaml *doc =
        read_text("{\"halfarrow\": 1,\n \"b\": [1, 2.5e3, {\"c\": null}], \"d\": true}");
    const ha__yaml_node *root = ha__yaml_root(doc);

    expect_tree(root, "{halfarrow: 1, b: [1, 2.5e3, {c: null}], d: true}");
    expect_place(ha__yaml_find(root, "b")->where, 2, 2);
    expect_place(ha__yaml_get(root, "b")->items[1]->where, 2, 11);
    ha__yaml_free(doc);
}
END_TEST

START_TEST(places_are_lines_and_byte_columns)
{
    ha__yaml *doc = read_text("\xEF\xBB\xBF# \u00e4\r\nk\u00f6rper: {m\u00e4sse: 5, b: \"q\"}\r\n"
                              "\u03a9:\r\n  - x\r\n  -   y\r\nlast: z\n");
    const ha__yaml_node *root = ha__yaml_root(doc);
    const ha__yaml_node *first = ha__yaml_get(root, "k\u00f6rper");

    expect_place(root->where, 2, 1);
    expect_place(first->where, 2, 10);
    expect_place(ha__yaml_find(first, "m\u00e4sse")->where, 2, 11);
    expect_place(ha__yaml_get(first, "m\u00e4sse")->where, 2, 19);
    expect_place(ha__yaml_find(first, "b")->where, 2, 22);
    expect_place(ha__yaml_get(first, "b")->where, 2, 25);
    expect_place(ha__yaml_text_where(ha__yaml_get(first, "b")), 2, 26);
    expect_place(ha__yaml_find(root, "\u03a9")->where, 3, 1);
    expect_place(ha__yaml_get(root, "\u03a9")->items[1]->where, 5, 7);
    expect_place(ha__yaml_get(root, "last")->where, 6, 7);
    ha__yaml_free(doc);
}
END_TEST

START_TEST(aliases_share_nodes)
{
    ha__yaml *doc = read_text("a: &x {k: 1}\nb: [*x, *x]\nc: &x 5\nd: *x\n");
    const ha__yaml_node *root = ha__yaml_root(doc);

    expect_tree(root, "{a: {k: 1}, b: [{k: 1}, {k: 1}], c: 5, d: 5}");
    ck_assert_ptr_eq(ha__yaml_get(root, "b")->items[0], ha__yaml_get(root, "a"));
    ha__yaml_free(doc);
}
END_TEST

START_TEST(the_smallest_documents_are_read)
{
    ha__yaml *doc = read_text("{}");

    ck_assert_uint_eq(ha__yaml_root(doc)->n, 0);
    ha__yaml_free(doc);
    doc = read_text("---\na: []\n...\n");
    expect_tree(ha__yaml_root(doc), "{a: []}");
    ha__yaml_free(doc);
}
END_TEST

/* Processor time of reading a mapping of n keys and finding some [s]. */
static double time_wide(int n)
{
    ha__strbuf text = HA_STRBUF(ctx);
    clock_t start = clock();

    ha__strbuf_add(&text, "bodies: {");
    for (int i = 0; i < n; i++) {
        ha__strbuf_addf(&text, "\u00e4%d: [%d], ", i, i);
    }
    ha__strbuf_add(&text, "}\n");
    ha__yaml *doc = read_text(ha__strbuf_text(&text));
    const ha__yaml_node *bodies = ha__yaml_get(ha__yaml_root(doc), "bodies");
    ck_assert_uint_eq(bodies->n, (size_t) n);
    for (int i = 0; i < n; i += 7) {
        char key[32];
        snprintf(key, sizeof key, "\u00e4%d", i);
        const ha__yaml_node *found = ha__yaml_get(bodies, key);
        ck_assert_ptr_nonnull(found);
        ck_assert_str_eq(found->items[0]->text, key + 2);
    }
    ha__yaml_free(doc);
    ha__strbuf_clear(&text);
    return (double) (clock() - start) / CLOCKS_PER_SEC;
}

START_TEST(a_wide_document_is_read_in_linear_time)
{
    double small = time_wide(1000), large = time_wide(100000);

    /* a hundred times for linear growth, ten thousand for quadratic, whatever the machine does */
    ck_assert_msg(large < 1000.0 * small, "%g s for 10^3 keys, %g s for 10^5", small, large);
}
END_TEST

/* --- refusals -------------------------------------------------------------------------------- */

START_TEST(unusable_texts_are_refused_with_their_place)
{
    expect_refused("", HA_ERR_SYNTAX, 1, 1, "the file is empty");
    expect_refused("# nothing\n\n", HA_ERR_SYNTAX, 1, 1, "the file is empty");
    expect_refused("---\n", HA_ERR_SYNTAX, 1, 1, "the file is empty");
    expect_refused("- a\n- b\n", HA_ERR_SYNTAX, 1, 1, "the file is a sequence");
    expect_refused("\n  hello\n", HA_ERR_SYNTAX, 2, 3, "the file is a scalar");
    expect_refused("a: 1\n--- \nb: 2\n", HA_ERR_SYNTAX, 2, 1, "second document");
    expect_refused("a: 1\nb: \xff\n", HA_ERR_SYNTAX, 2, 4, "byte 0xFF is no UTF-8");
    expect_refused("a: \xc3(\n", HA_ERR_SYNTAX, 1, 4, "no UTF-8");
    expect_refused("a: \xed\xa0\x80\n", HA_ERR_SYNTAX, 1, 4, "no UTF-8");
    expect_refused("a: \xc0\x80\n", HA_ERR_SYNTAX, 1, 4, "no UTF-8");
    expect_refused("a: \x01\n", HA_ERR_SYNTAX, 1, 4, "control character 0x01");
    expect_refused_bytes("a: b\0c\n", 7, HA_ERR_SYNTAX, 1, 5, "control character 0x00");
    expect_refused_bytes("\x7f"
                         "ELF\2\1\1\0",
                         8, HA_ERR_SYNTAX, 1, 1, "binary file");
    expect_refused_bytes("\xff\xfe"
                         "a\0:\0",
                         6, HA_ERR_SYNTAX, 1, 1, "UTF-16");
    expect_refused("a: \"x\\0y\"\n", HA_ERR_SYNTAX, 1, 4, "control character 0x00");
}
END_TEST

START_TEST(syntax_errors_say_what_to_do)
{
    expect_refused("a:\n\tb: 1\n", HA_ERR_SYNTAX, 2, 1, "indent with blanks, not with tabs");
    expect_refused("a: b: c\n", HA_ERR_SYNTAX, 1, 5, "put a value that holds `: ` in quotes");
    expect_refused("a: 5\nb: [1", HA_ERR_SYNTAX, 2, 6, "begins at line 2, column 4");
    expect_refused("a: 1\n b: 2\n", HA_ERR_SYNTAX, 2, 3, "check the indentation");
    expect_refused("a: [1, 2\nb: 3\n", HA_ERR_SYNTAX, 2, 2, "close the bracket");
    expect_refused("a: {x: 1\n", HA_ERR_SYNTAX, 2, 1, "close the brace");
    expect_refused("a: \"x\n", HA_ERR_SYNTAX, 2, 1, "close the quotes");
    expect_refused("a: @x\n", HA_ERR_SYNTAX, 1, 4, "in quotes");
    expect_refused("a: * \n", HA_ERR_SYNTAX, 1, 5, "in quotes");
    expect_refused("a: 1\nb\n", HA_ERR_SYNTAX, 3, 1, "write a colon");
    expect_refused("a: !mine 1\n", HA_ERR_SYNTAX, 1, 4, "the tag `!mine` means nothing");
    expect_refused("[1]: 1\n", HA_ERR_SYNTAX, 1, 1, "a key is a sequence");
    expect_refused("{a: 1}: 1\n", HA_ERR_SYNTAX, 1, 1, "a key is a mapping");
    expect_refused("\"\": 1\n", HA_ERR_SYNTAX, 1, 1, "a key is empty");
    expect_refused("? \n: 1\n", HA_ERR_SYNTAX, 1, 2, "a key is empty");
    expect_refused("a: &x {b: 1}\nc: {<<: *x}\n", HA_ERR_SYNTAX, 2, 5, "merge keys");
}
END_TEST

START_TEST(every_duplicate_key_is_reported_with_both_places)
{
    static const char text[] = "a: 1\nb: {c: 1, d: 2, c: 3}\na: 2\n";
    ha__yaml *doc = NULL;

    ck_assert_int_eq(ha__yaml_read_text(ctx, text, strlen(text), "m.yaml", &doc), HA_ERR_NAME);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 2);
    expect_diag(0, 2, 17, "the key `c` is given twice, first at line 2, column 5");
    expect_diag(1, 3, 1, "the key `a` is given twice, first at line 1, column 1");
}
END_TEST

START_TEST(duplicates_are_found_in_large_mappings)
{
    ha__strbuf text = HA_STRBUF(ctx);
    ha__yaml *doc = NULL;

    for (int i = 0; i < 1000; i++) {
        ha__strbuf_addf(&text, "k%d: 1\n", i == 900 ? 20 : i);
    }
    ck_assert_int_eq(ha__yaml_read_text(ctx, text.text, text.length, "m.yaml", &doc), HA_ERR_NAME);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
    expect_diag(0, 901, 1, "the key `k20` is given twice, first at line 21, column 1");
    ha__strbuf_clear(&text);
}
END_TEST

static char *repeated(const char *part, size_t n, const char *head)
{
    char *text = malloc(strlen(head) + n * strlen(part) + 1);

    ck_assert_ptr_nonnull(text);
    strcpy(text, head);
    char *end = text + strlen(head);
    for (size_t i = 0; i < n; i++, end += strlen(part)) {
        memcpy(end, part, strlen(part) + 1);
    }
    return text;
}

/* Processor time of refusing a depth of n [s]. */
static double time_deep(size_t n)
{
    static const char *const parts[] = { "[", "{a: ", "- ", "? " };
    clock_t start = clock();

    for (size_t i = 0; i < HA_COUNT(parts); i++) {
        char *text = repeated(parts[i], n, i < 2 ? "a: " : "a:\n ");
        ha__yaml *doc = NULL;
        ck_assert_int_ne(ha__yaml_read_text(ctx, text, strlen(text), "m.yaml", &doc), HA_OK);
        ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
        ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "more than 64"));
        ha_ctx_clear(ctx);
        free(text);
    }
    return (double) (clock() - start) / CLOCKS_PER_SEC;
}

START_TEST(nesting_is_limited_early)
{
    double small = time_deep(1000), large = time_deep(100000);

    ck_assert_msg(large < 1000.0 * small, "%g s for a depth of 10^3, %g s for 10^5", small, large);
}
END_TEST

START_TEST(a_nesting_of_64_is_the_most)
{
    char text[256] = "a: ";

    memset(text + 3, '[', 64);
    memset(text + 67, ']', 64);
    expect_refused(text, HA_ERR_LIMIT, 1, 67, "more than 64");
    memset(text + 3, '[', 63);
    memset(text + 66, ']', 63);
    text[129] = '\0';
    ha__yaml_free(read_text(text));
}
END_TEST

START_TEST(aliases_cannot_grow_without_bound)
{
    ha__strbuf text = HA_STRBUF(ctx);

    ha__strbuf_add(&text, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 40; i++) {
        ha__strbuf_addf(&text, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d]\n", i, i, i - 1, i - 1, i - 1,
                        i - 1);
    }
    ha__yaml *doc = NULL;
    ck_assert_int_eq(ha__yaml_read_text(ctx, text.text, text.length, "m.yaml", &doc), HA_ERR_LIMIT);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "fewer aliases"));
    ha_ctx_clear(ctx);

    /* each level adds one: the tree gets deep, not large */
    ha__strbuf_clear(&text);
    ha__strbuf_add(&text, "a0: &a0 []\n");
    for (int i = 1; i < 70; i++) {
        ha__strbuf_addf(&text, "a%d: &a%d [*a%d]\n", i, i, i - 1);
    }
    ck_assert_int_eq(ha__yaml_read_text(ctx, text.text, text.length, "m.yaml", &doc), HA_ERR_LIMIT);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, "nesting of more than 64"));
    ha_ctx_clear(ctx);
    ha__strbuf_clear(&text);

    expect_refused("a: &x [1, *x]\n", HA_ERR_SYNTAX, 1, 11, "inside of what it repeats");
    expect_refused("a: &x {b: {c: *x}}\n", HA_ERR_SYNTAX, 1, 15, "inside of what it repeats");
    expect_refused("a: *nobody\n", HA_ERR_NAME, 1, 4, "no anchor `&nobody`");
}
END_TEST

START_TEST(texts_over_64_mib_are_refused)
{
    size_t length = (size_t) 64 * 1024 * 1024 + 1;
    char *text = malloc(length);

    ck_assert_ptr_nonnull(text);
    memset(text, ' ', length);
    expect_refused_bytes(text, length, HA_ERR_LIMIT, 1, 1, "64 MiB");
    free(text);
}
END_TEST

/* --- files ----------------------------------------------------------------------------------- */

START_TEST(files_and_standard_input_are_read)
{
    char path[] = "test_yaml_XXXXXX";
    int file = mkstemp(path);
    ha__yaml *doc = NULL;

    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, "a: 1\nb: [\n", 10), 10);
    ck_assert_int_eq(ha__yaml_read_file(ctx, path, &doc), HA_ERR_SYNTAX);
    ck_assert_str_eq(ha_ctx_diag(ctx, 0)->where.file, path);
    ck_assert_int_eq(ha_ctx_diag(ctx, 0)->where.line, 3);
    ha_ctx_clear(ctx);

    ck_assert_int_eq(write(file, "2]\n", 3), 3);
    ck_assert_int_eq(ha__yaml_read_file(ctx, path, &doc), HA_OK);
    expect_tree(ha__yaml_root(doc), "{a: 1, b: [2]}");
    ha__yaml_free(doc);

    ck_assert_ptr_nonnull(freopen(path, "r", stdin));
    ck_assert_int_eq(ha__yaml_read_file(ctx, "-", &doc), HA_OK);
    ck_assert_str_eq(ha__yaml_root(doc)->where.file, "-");
    ha__yaml_free(doc);
    close(file);
    unlink(path);
}
END_TEST

START_TEST(files_that_cannot_be_read_are_named)
{
    ha__yaml *doc = NULL;

    ck_assert_int_eq(ha__yaml_read_file(ctx, "no/such/file.yaml", &doc), HA_ERR_FILE);
    ck_assert_str_eq(ha_ctx_diag(ctx, 0)->where.file, "no/such/file.yaml");
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 0)->text, strerror(ENOENT)));
    ck_assert_int_eq(ha__yaml_read_file(ctx, "/", &doc), HA_ERR_FILE);
    ck_assert_ptr_nonnull(strstr(ha_ctx_diag(ctx, 1)->text, strerror(EISDIR)));
    ck_assert_ptr_null(doc);
}
END_TEST

/* --- checked access -------------------------------------------------------------------------- */

START_TEST(every_unknown_key_is_reported_with_the_nearest)
{
    static const char *const keys[] = { "mass", "inertia", "points" };
    ha__yaml *doc = read_text("mas: 1\ninertia: 2\n  \npionts: 3\ncolour: 4\n");
    const ha__yaml_node *root = ha__yaml_root(doc);

    ck_assert_int_eq(ha__yaml_check_keys(ctx, root, "body `K1`", keys, 3), HA_ERR_NAME);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 3);
    expect_diag(0, 1, 1, "unknown key `mas` in body `K1`; did you mean `mass`?");
    expect_diag(1, 4, 1, "unknown key `pionts` in body `K1`; did you mean `points`?");
    expect_diag(2, 5, 1, "unknown key `colour` in body `K1`; known are mass, inertia, points");
    ha_ctx_clear(ctx);
    ck_assert_int_eq(ha__yaml_check_keys(ctx, root, "body `K1`", NULL, 0), HA_ERR_NAME);
    expect_diag(0, 1, 1, "which takes none");
    ha__yaml_free(doc);
}
END_TEST

START_TEST(checked_access_names_object_and_expectation)
{
    ha__yaml *doc = read_text("s: 5\nn:\nq: [1, 2]\nm: {a: 1}\nt: true\nquoted: \"true\"\n"
                              "big: 99999999999999999999\nneg: -7\nx: 1.5\n");
    const ha__yaml_node *root = ha__yaml_root(doc);
    const ha__yaml_node *node = NULL, *const *items = NULL;
    const char *text = NULL;

    ck_assert_int_eq(ha__yaml_require(ctx, root, "model", "s", &node), HA_OK);
    ck_assert_int_eq(ha__yaml_text(ctx, node, "`s`", &text), HA_OK);
    ck_assert_str_eq(text, "5");
    ck_assert_int_eq(ha__yaml_items(ctx, ha__yaml_get(root, "q"), "`q`", 2, &items), HA_OK);
    ck_assert_str_eq(items[1]->text, "2");
    ck_assert_int_eq(ha__yaml_expect(ctx, ha__yaml_get(root, "n"), "`n`", HA__YAML_MAPPING), HA_OK);
    ck_assert_int_eq(ha__yaml_check_keys(ctx, ha__yaml_get(root, "n"), "`n`", NULL, 0), HA_OK);
    ck_assert_uint_eq(ha_ctx_n_diags(ctx), 0);

    ck_assert_int_eq(ha__yaml_require(ctx, root, "body `K1`", "mass", &node), HA_ERR_NAME);
    ck_assert_int_eq(ha__yaml_text(ctx, ha__yaml_get(root, "q"), "`q`", &text), HA_ERR_SYNTAX);
    ck_assert_int_eq(ha__yaml_text(ctx, ha__yaml_get(root, "n"), "`n`", &text), HA_ERR_SYNTAX);
    ck_assert_int_eq(ha__yaml_items(ctx, ha__yaml_get(root, "q"), "`q`", 3, &items), HA_ERR_SYNTAX);
    ck_assert_int_eq(ha__yaml_items(ctx, ha__yaml_get(root, "s"), "`s`", 2, &items), HA_ERR_SYNTAX);
    expect_diag(0, 1, 1, "body `K1` has no `mass`");
    expect_diag(1, 3, 4, "`q` is a sequence; a single value is expected");
    expect_diag(2, 2, 3, "`n` has no value");
    expect_diag(3, 3, 4, "`q` is a sequence of 2; exactly 3 are expected");
    expect_diag(4, 1, 4, "`s` is `5`; a sequence such as [a, b] is expected");
    ha__yaml_free(doc);
}
END_TEST

/* --- merging and setting --------------------------------------------------------------------- */

START_TEST(merging_is_deep_and_leaves_the_parts_alone)
{
    ha__yaml *doc = read_text("base: {a: 1, b: {c: [1, 2], d: 3}, e: 5}\n"
                              "over: {b: {c: [9], f: 4}, g: {h: 1}, a: {i: 2}}\nempty:\n");
    const ha__yaml_node *root = ha__yaml_root(doc), *out = NULL;
    const ha__yaml_node *base = ha__yaml_get(root, "base"), *over = ha__yaml_get(root, "over");

    ck_assert_int_eq(ha__yaml_merge(doc, base, over, &out), HA_OK);
    expect_tree(out, "{a: {i: 2}, b: {c: [9], d: 3, f: 4}, e: 5, g: {h: 1}}");
    expect_tree(base, "{a: 1, b: {c: [1, 2], d: 3}, e: 5}");
    ck_assert_ptr_eq(ha__yaml_get(out, "e"), ha__yaml_get(base, "e"));
    ck_assert_int_eq(ha__yaml_merge(doc, base, NULL, &out), HA_OK);
    ck_assert_ptr_eq(out, base);
    ck_assert_int_eq(ha__yaml_merge(doc, NULL, over, &out), HA_OK);
    ck_assert_ptr_eq(out, over);
    ck_assert_int_eq(ha__yaml_merge(doc, base, ha__yaml_get(root, "empty"), &out), HA_OK);
    ck_assert_ptr_eq(out, base);
    ha__yaml_free(doc);
}
END_TEST

START_TEST(setting_replaces_one_value_and_reads_it_as_yaml)
{
    static const ha_where where = { "--set", 1, 1 };
    ha__yaml *doc = read_text("parameters: {mom: 0.033 N.m, rr: 7 mm}\n"
                              "gravity: [0, -9.81]\nsimulate:\n");
    const ha__yaml_node *before = ha__yaml_root(doc);

    ck_assert_int_eq(ha__yaml_set(doc, "parameters.mom=0.75", where), HA_OK);
    ck_assert_int_eq(ha__yaml_set(doc, "gravity.1=0", where), HA_OK);
    ck_assert_int_eq(ha__yaml_set(doc, "parameters.k={a: [1, 2 mm]}", where), HA_OK);
    ck_assert_int_eq(ha__yaml_set(doc, "parameters.k.a.1=3 mm", where), HA_OK);
    ck_assert_int_eq(ha__yaml_set(doc, "simulate.t_end=2 s", where), HA_OK);
    ck_assert_int_eq(ha__yaml_set(doc, "name=\"x=y\"", where), HA_OK);
    ck_assert_int_eq(ha__yaml_set(doc, "none=", where), HA_OK);
    expect_tree(ha__yaml_root(doc),
                "{parameters: {mom: 0.75, rr: 7 mm, k: {a: [1, 3 mm]}}, gravity: [0, 0], "
                "simulate: {t_end: 2 s}, name: \"x=y\", none: }");
    expect_tree(before,
                "{parameters: {mom: 0.033 N.m, rr: 7 mm}, gravity: [0, -9.81], simulate: }");
    const ha__yaml_pair *mom = ha__yaml_find(ha__yaml_get(ha__yaml_root(doc), "parameters"), "mom");
    ck_assert_str_eq(mom->value->where.file, "--set");
    ck_assert_int_eq(mom->value->where.column, 16);
    ck_assert_int_eq(mom->where.column, 12);
    ha__yaml_set_root(doc, before);
    ck_assert_ptr_eq(ha__yaml_root(doc), before);
    ha__yaml_free(doc);
}
END_TEST

/* `*` stands for every entry, but where one has this name. */
START_TEST(a_star_sets_every_entry)
{
    static const char text[] = "joints: {A: {k: 1, c: 2}, B: {c: 3}, C: {k: 4}}\n"
                               "variants: {v: {joints: {\"*\": {k: 5}, A: {k: 6}}}}\n"
                               "list: [{k: 7}, {c: 8}]\n";
    static const ha_where where = { "--set", 1, 1 };
    static const struct {
        const char *setting;
        size_t n_places;
    } present[] = { { "joints.*.k=10", 2 },
                    { "joints.*.z=11", 0 },
                    { "nothing.*.k=12", 0 },
                    { "list.*.k=13", 1 },
                    { "list.5.k=14", 0 },
                    { "joints.A.c=15", 1 },
                    { "variants.v.joints.*.k=16", 1 },
                    { "joints.A.k.z=17", 0 } };
    static const struct {
        const char *parent, *name, *key, *value;
    } expected[] = { { "joints", "A", "k", "10" },
                     { "joints", "C", "k", "10" },
                     { "joints", "A", "c", "15" },
                     { "joints", "A", "d", "18" },
                     { "joints", "B", "d", "18" } };
    ha__yaml *doc = NULL;
    size_t n = 0;

    ck_assert_int_eq(ha__yaml_read_text(ctx, text, strlen(text), "m", &doc), HA_OK);
    for (size_t i = 0; i < HA_COUNT(present); i++) {
        ck_assert_int_eq(ha__yaml_set_present(doc, present[i].setting, where, &n), HA_OK);
        ck_assert_uint_eq(n, present[i].n_places);
    }
    ck_assert_int_eq(ha__yaml_set(doc, "joints.*.d=18", where), HA_OK);
    for (size_t i = 0; i < HA_COUNT(expected); i++) {
        const ha__yaml_node *node = ha__yaml_get(ha__yaml_root(doc), expected[i].parent);
        node = ha__yaml_get(ha__yaml_get(node, expected[i].name), expected[i].key);
        ck_assert_ptr_nonnull(node);
        ck_assert_str_eq(node->text, expected[i].value);
    }
    const ha__yaml_node *overlay =
        ha__yaml_get(ha__yaml_get(ha__yaml_get(ha__yaml_root(doc), "variants"), "v"), "joints");
    ck_assert_str_eq(ha__yaml_get(ha__yaml_get(overlay, "*"), "k")->text, "16");
    ck_assert_str_eq(ha__yaml_get(ha__yaml_get(overlay, "A"), "k")->text, "6");
    ck_assert_int_eq(ha__yaml_set(doc, "joints.*.z.z=1", where), HA_ERR_NAME);
    ha__yaml_free(doc);
}
END_TEST

START_TEST(settings_that_lead_nowhere_are_refused)
{
    static const struct {
        const char *text;
        ha_status status;
        int column;
        const char *part;
    } cases[] = {
        { "parmeters.mom=1", HA_ERR_NAME, 1, "did you mean `parameters`" },
        { "parameters.mmo.a=1", HA_ERR_NAME, 12, "did you mean `mom`" },
        { "parameters.mom.a=1", HA_ERR_NAME, 16, "in the scalar `0.033`" },
        { "zzz.a=1", HA_ERR_NAME, 1, "all but the last key" },
        { "gravity.2=1", HA_ERR_NAME, 9, "no item of a sequence of 2" },
        { "gravity.x=1", HA_ERR_NAME, 9, "no item of a sequence of 2" },
        { "gravity.-1=1", HA_ERR_NAME, 9, "no item" },
        { "parameters", HA_ERR_SYNTAX, 1, "it is not PATH=VALUE" },
        { "=1", HA_ERR_SYNTAX, 1, "it is not PATH=VALUE" },
        { "", HA_ERR_SYNTAX, 1, "it is not PATH=VALUE" },
        { " =1", HA_ERR_SYNTAX, 1, "empty" },
        { "a..b=1", HA_ERR_SYNTAX, 1, "empty" },
        { "a.=1", HA_ERR_SYNTAX, 1, "empty" },
        { ".a=1", HA_ERR_SYNTAX, 1, "empty" },
        { "name=[1", HA_ERR_SYNTAX, 8, "close the bracket" },
        { "name={a: 1, a: 2}", HA_ERR_NAME, 13, "given twice" },
    };
    ha__yaml *doc = read_text("parameters: {mom: 0.033}\ngravity: [0, 1]\n");
    const ha__yaml_node *before = ha__yaml_root(doc);

    for (size_t i = 0; i < HA_COUNT(cases); i++) {
        ha_status status = ha__yaml_set(doc, cases[i].text, (ha_where){ "--set", 1, 1 });
        ck_assert_msg(status == cases[i].status, "%s: %s", cases[i].text, ha_status_name(status));
        expect_diag(0, 1, cases[i].column, cases[i].part);
        ck_assert_uint_eq(ha_ctx_n_diags(ctx), 1);
        ck_assert_ptr_eq(ha__yaml_root(doc), before);
        ha_ctx_clear(ctx);
    }
    ck_assert_int_eq(ha__yaml_set(doc, "x.y=1", HA_NOWHERE), HA_ERR_NAME);
    ck_assert_ptr_null(ha_ctx_diag(ctx, 0)->where.file);
    ha__yaml_free(doc);
}
END_TEST

/* --- memory ---------------------------------------------------------------------------------- */

static ha_status scenario(ha_ctx *own)
{
    static const char text[] =
        "a: &x {k1: 1, k2: 2, k3: 3, k4: 4, k5: 5, k6: 6, k7: 7, k8: 8, k9: 9}\n"
        "b: [*x, {c: 5}, \"d\"]\ne: {k1: [2], l: 7}\n";
    ha__yaml *doc = NULL;
    const ha__yaml_node *out = NULL;

    HA_TRY(ha__yaml_read_text(own, text, strlen(text), "m.yaml", &doc));
    ha_status status = ha__yaml_merge(doc, ha__yaml_get(ha__yaml_root(doc), "a"),
                                      ha__yaml_get(ha__yaml_root(doc), "e"), &out);
    if (status == HA_OK) {
        status = ha__yaml_set(doc, "b.1.c={x: 1}", (ha_where){ "--set", 1, 1 });
    }
    if (status == HA_OK && ha__yaml_set(doc, "bb.c=1", HA_NOWHERE) == HA_ERR_MEMORY) {
        status = HA_ERR_MEMORY;
    }
    ha__yaml_free(doc);
    return status;
}

START_TEST(failing_allocations_are_reported_and_leak_nothing)
{
    size_t n_allocations = 0;

    ck_assert_int_eq(scenario(ctx), HA_OK);
    n_allocations = ha_ctx_n_allocations(ctx);
    ck_assert_uint_gt(n_allocations, 10);
    for (size_t n = 1; n <= n_allocations; n++) {
        ha_ctx *own = ha_ctx_new();
        ha_ctx_fail_allocation(own, n);
        ck_assert_int_eq(scenario(own), HA_ERR_MEMORY);
        ck_assert_uint_ge(ha_ctx_n_errors(own), 1);
        ha_ctx_free(own);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("yaml");
    TCase *tests = tcase_create("yaml");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, scalars_keep_their_text_and_know_whether_they_were_quoted);
    tcase_add_test(tests, json_is_read_too);
    tcase_add_test(tests, places_are_lines_and_byte_columns);
    tcase_add_test(tests, aliases_share_nodes);
    tcase_add_test(tests, the_smallest_documents_are_read);
    tcase_add_test(tests, a_wide_document_is_read_in_linear_time);
    tcase_add_test(tests, unusable_texts_are_refused_with_their_place);
    tcase_add_test(tests, syntax_errors_say_what_to_do);
    tcase_add_test(tests, every_duplicate_key_is_reported_with_both_places);
    tcase_add_test(tests, duplicates_are_found_in_large_mappings);
    tcase_add_test(tests, nesting_is_limited_early);
    tcase_add_test(tests, a_nesting_of_64_is_the_most);
    tcase_add_test(tests, aliases_cannot_grow_without_bound);
    tcase_add_test(tests, texts_over_64_mib_are_refused);
    tcase_add_test(tests, files_and_standard_input_are_read);
    tcase_add_test(tests, files_that_cannot_be_read_are_named);
    tcase_add_test(tests, every_unknown_key_is_reported_with_the_nearest);
    tcase_add_test(tests, checked_access_names_object_and_expectation);
    tcase_add_test(tests, merging_is_deep_and_leaves_the_parts_alone);
    tcase_add_test(tests, setting_replaces_one_value_and_reads_it_as_yaml);
    tcase_add_test(tests, a_star_sets_every_entry);
    tcase_add_test(tests, settings_that_lead_nowhere_are_refused);
    tcase_add_test(tests, failing_allocations_are_reported_and_leak_nothing);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
