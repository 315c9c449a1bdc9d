/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pictures as TikZ, with the signs of export_dot.c drawn as lines. Let P be the end of a bond at
 * its head, t the unit vector along the bond there and r the one to the right of t:
 *
 *   half arrow   from P to P - L (cos(a) t - sin(a) r), L = 0.11 in, a = 35 deg
 *   stroke       from P - w r to P + w r, w = 0.07 in, likewise at the tail
 *   number       beside the middle of the bond, on the side without barb
 *
 * The document needs the package tikz and no other; its page is as large as the picture. A paper
 * takes the lines from \providecommand to \end{tikzpicture}.
 *
 * Letters that pdflatex does not have, such as Chinese ones, go through the command \bgletter,
 * which prints their number (U+6C49) there; the engines that know Unicode print the letter itself
 * where their font has it. LuaTeX calls the size of the page otherwise than the others.
 */
#include <config.h>

#include "bondgraph/draw/export_priv.h"
#include "bondgraph/draw/export_text.h"
#include "lib/core/utf8.h"
#include "lib/expr/expr_latex.h"

#include <math.h>
#include <string.h>

#define BARB 0.11 /* [in] */
#define STROKE 0.07
#define COS 0.8192 /* of 35 deg */
#define SIN 0.5736

typedef struct {
    const bg__picture *picture;
    ha__strbuf *out;
} writer;

/* --- text ----------------------------------------------------------------------------------- */

/* Characters that texts of pictures contain and pdflatex does not have as they are. */
static const char *special(const char *text, size_t *length)
{
    static const struct {
        const char *bytes, *latex;
    } table[] = {
        { "<", "\\textless{}" },
        { ">", "\\textgreater{}" },
        { "|", "\\textbar{}" },
        { "\"", "\\texttt{\\char34}" }, /* straight in every encoding */
        { "\xe2\x80\xa6", "\\dots{}" },
        { "\xc3\x97", "\\ensuremath{\\times}" },
        { "\xc2\xb0", "\\ensuremath{^\\circ}" },
        { "\xc2\xb2", "\\ensuremath{^2}" },
        { "\xc2\xb3", "\\ensuremath{^3}" },
        { "\xc2\xb7", "\\ensuremath{\\cdot}" },
        { "\xc2\xb5", "\\ensuremath{\\mu}" },
        { "\xe2\x84\xa6", "\\ensuremath{\\Omega}" },
    };

    for (size_t i = 0; i < HA_COUNT(table); i++) {
        *length = strlen(table[i].bytes);
        if (strncmp(text, table[i].bytes, *length) == 0) {
            return table[i].latex;
        }
    }
    return NULL;
}

static void add_text(ha__strbuf *out, const char *text)
{
    for (size_t n = 0; *text != '\0'; text += n) {
        unsigned code = 0;
        const char *latex = special(text, &n);
        if (latex != NULL) {
            ha__strbuf_add(out, latex);
        } else if (*text == '-' && text[1] >= '0' && text[1] <= '9') {
            ha__strbuf_add(out, "\\ensuremath{-}");
            n = 1;
        } else {
            n = ha__utf8_read(text, strlen(text), &code);
            n = n == 0 ? 1 : n;
            if (n > 1 && !ha__latex_has(code)) {
                ha__strbuf_addf(out, "\\bgletter{%04X}{%.*s}", code, (int) n, text);
            } else {
                ha__latex_text(out, text, n);
            }
        }
    }
}

/* Whether pdflatex lacks a letter of a text. */
static bool is_foreign(const char *text)
{
    for (size_t n = 0; *text != '\0'; text += n) {
        unsigned code = 0;
        if (special(text, &n) == NULL) {
            n = ha__utf8_read(text, strlen(text), &code);
            n = n == 0 ? 1 : n;
            if (n > 1 && !ha__latex_has(code)) {
                return true;
            }
        }
    }
    return false;
}

const char *bg__tikz_foreign(const bg__picture *p)
{
    for (size_t i = 0; i < p->groups.count; i++) {
        if (is_foreign(p->groups.items[i].title)) {
            return p->groups.items[i].title;
        }
    }
    for (size_t i = 0; i < p->nodes.count; i++) {
        const bg__node *node = &p->nodes.items[i];
        if (is_foreign(node->head)) {
            return node->head;
        }
        for (size_t k = 0; k < HA_COUNT(node->small); k++) {
            if (is_foreign(node->small[k])) {
                return node->small[k];
            }
        }
    }
    return NULL;
}

static void add_place(ha__strbuf *out, bg__place at)
{
    ha__strbuf_add(out, "(");
    bg__add_decimal(out, at.x);
    ha__strbuf_add(out, ",");
    bg__add_decimal(out, at.y);
    ha__strbuf_add(out, ")");
}

/* --- nodes ---------------------------------------------------------------------------------- */

static void add_lines(const writer *w, const bg__node *node)
{
    ha__strbuf_add(w->out, node->is_multi ? "\\textbf{" : "{");
    add_text(w->out, node->head);
    ha__strbuf_add(w->out, "}");
    for (size_t i = 0; i < HA_COUNT(node->small); i++) {
        if (node->small[i][0] != '\0') {
            bool is_last = i + 1 == HA_COUNT(node->small) || node->small[i + 1][0] == '\0';
            const char *colour = !is_last                                 ? "bgpale"
                                 : (node->marks & BG__MARK_CONFLICT) != 0 ? "bgred"
                                 : (node->marks & BG__MARK_LOOP) != 0     ? "bgviolet"
                                                                          : "bgpale";
            ha__strbuf_addf(w->out, "\\\\[-1pt]{\\scriptsize\\color{%s}", colour);
            add_text(w->out, node->small[i]);
            ha__strbuf_add(w->out, "}");
        }
    }
}

static void add_node(const writer *w, int number)
{
    const bg__node *node = &w->picture->nodes.items[number];

    ha__strbuf_addf(w->out, "\\node[%s] (n%d) at ",
                    node->is_box        ? "bgword"
                    : node->is_junction ? "bgjunction"
                                        : "bgelement",
                    number);
    add_place(w->out, (bg__place){ node->x, node->y });
    ha__strbuf_add(w->out, " {");
    add_lines(w, node);
    ha__strbuf_add(w->out, "};\n");
}

static void add_group(const writer *w, int number)
{
    bg__box box = bg__group_box(w->picture, number);

    ha__strbuf_add(w->out, "\\draw[bggroup] ");
    add_place(w->out, (bg__place){ box.left, box.bottom });
    ha__strbuf_add(w->out, " rectangle ");
    add_place(w->out, (bg__place){ box.right, box.top });
    ha__strbuf_add(w->out, ";\n\\node[bgtitle] at ");
    add_place(w->out, bg__title_place(w->picture, number));
    ha__strbuf_add(w->out, " {");
    add_text(w->out, w->picture->groups.items[number].title);
    ha__strbuf_add(w->out, "};\n");
}

/* --- edges ---------------------------------------------------------------------------------- */

static const char *style(const bg__edge *e)
{
    return (e->marks & BG__MARK_CONFLICT) != 0     ? "bgconflict"
           : (e->marks & BG__MARK_DERIVATIVE) != 0 ? "bgderivative"
           : (e->marks & BG__MARK_LOOP) != 0       ? "bgloop"
           : e->kind == BG__EDGE_SIGNAL            ? "bgsignal"
                                                   : "bgbond";
}

static void add_curve(const writer *w, const bg__edge *e)
{
    add_place(w->out, e->places[0]);
    for (int i = 1; i + 2 < e->n_places; i += 3) {
        ha__strbuf_add(w->out, " .. controls ");
        add_place(w->out, e->places[i]);
        ha__strbuf_add(w->out, " and ");
        add_place(w->out, e->places[i + 1]);
        ha__strbuf_add(w->out, " .. ");
        add_place(w->out, e->places[i + 2]);
    }
}

/* A line between two places, in a style. */
static void add_segment(const writer *w, const char *line_style, bg__place a, bg__place b)
{
    ha__strbuf_addf(w->out, "\\draw[%s] ", line_style);
    add_place(w->out, a);
    ha__strbuf_add(w->out, " -- ");
    add_place(w->out, b);
    ha__strbuf_add(w->out, ";\n");
}

static void add_stroke(const writer *w, const bg__edge *e, bool at_head)
{
    bg__place end = e->places[at_head ? e->n_places - 1 : 0], t = bg__direction_at(e, at_head);
    ha__strbuf text = HA_STRBUF(w->picture->ctx);

    ha__strbuf_addf(&text, "bgstroke,%s,solid", style(e));
    add_segment(w, ha__strbuf_text(&text), bg__place_beside(end, t, -STROKE, true),
                bg__place_beside(end, t, STROKE, true));
    ha__strbuf_clear(&text);
}

static void add_line(const writer *w, const bg__edge *e)
{
    bg__place end = e->places[e->n_places - 1], t = bg__direction_at(e, true);
    bool has_barb = e->kind == BG__EDGE_BOND;

    ha__strbuf_addf(w->out, "\\draw[%s%s%s] ", style(e), e->dim > 1 ? ",bgmulti" : "",
                    has_barb ? "" : ",bgfull");
    add_curve(w, e);
    ha__strbuf_add(w->out, ";\n");
    if (has_barb) {
        ha__strbuf_addf(w->out, "\\draw[%s,solid] ", style(e));
        add_place(w->out, end);
        ha__strbuf_add(w->out, " -- ");
        bg__place back = bg__place_beside(end, t, -BARB * COS, false);
        add_place(w->out, bg__place_beside(back, t, BARB * SIN, true));
        ha__strbuf_add(w->out, ";\n");
    }
    for (int at_head = 0; at_head < 2; at_head++) {
        if (e->has_stroke[at_head]) {
            add_stroke(w, e, at_head != 0);
        }
    }
}

static void add_words(const writer *w, const char *node_style, bg__place at, const char *text)
{
    ha__strbuf_addf(w->out, "\\node[%s] at ", node_style);
    add_place(w->out, at);
    ha__strbuf_add(w->out, " {");
    add_text(w->out, text);
    ha__strbuf_add(w->out, "};\n");
}

static void add_labels(const writer *w, const bg__edge *e)
{
    for (int end = 0; end < 2; end++) {
        if (e->label[end][0] != '\0') {
            add_words(w, "bglabel", e->label_at[end], e->label[end]);
        }
    }
    if (bg__shows_dim(e)) {
        ha__strbuf_add(w->out, "\\node[bglabel] at ");
        add_place(w->out, e->dim_at);
        ha__strbuf_addf(w->out, " {%d};\n", e->dim);
    }
}

/* --- legend --------------------------------------------------------------------------------- */

static void add_legend(const writer *w)
{
    bg__sample samples[BG__MOST_SAMPLES];
    int n = bg__picture_legend(w->picture, samples);
    bg__box box = bg__picture_box(w->picture);

    for (int i = 0; i < n; i++) {
        double y = box.bottom - 0.4 - i * BG__LEGEND_LINE;
        bg__place places[4] = { { box.left + 0.1, y },
                                { box.left + 0.25, y },
                                { box.left + 0.4, y },
                                { box.left + 0.55, y } };
        bg__edge sample = *samples[i].edge;
        sample.places = places;
        sample.n_places = 4;
        add_line(w, &sample);
        add_words(w, "bgwords", (bg__place){ box.left + 0.7, y }, samples[i].words);
    }
}

/* --- all of it ------------------------------------------------------------------------------- */

static void add_head(ha__strbuf *out)
{
    static const struct {
        const char *name, *rgb;
    } colours[] = { { "bgink", BG__INK },   { "bgpale", BG__PALE },     { "bgorange", BG__ORANGE },
                    { "bgred", BG__RED },   { "bgviolet", BG__VIOLET }, { "bgblue", BG__BLUE },
                    { "bgbox", "#f3f4f6" }, { "bgedge", "#d1d5db" } };

    ha__strbuf_add(out, "\\documentclass{article}\n"
                        "\\usepackage[utf8]{inputenc}\n"
                        "\\usepackage{tikz}\n"
                        "\\begin{document}\n"
                        "\\newsavebox\\bondgraph\n"
                        "\\begin{lrbox}{\\bondgraph}%\n"
                        "\\providecommand\\bgletter[2]{\\ifdefined\\Umathchar"
                        "\\iffontchar\\font\"#1 #2\\else\\texttt{U+#1}\\fi"
                        "\\else\\texttt{U+#1}\\fi}%\n");
    for (size_t i = 0; i < HA_COUNT(colours); i++) {
        ha__strbuf_addf(out, "\\definecolor{%s}{HTML}{", colours[i].name);
        for (const char *digit = colours[i].rgb + 1; *digit != '\0'; digit++) {
            ha__strbuf_addf(out, "%c", *digit >= 'a' ? *digit - 'a' + 'A' : *digit);
        }
        ha__strbuf_add(out, "}%\n");
    }
    ha__strbuf_add(
        out,
        "\\begin{tikzpicture}[x=1in, y=1in, line cap=round, line join=round,\n"
        "  bgelement/.style={align=center, font=\\small\\sffamily, text=bgink, inner sep=1pt},\n"
        "  bgjunction/.style={bgelement, font=\\sffamily},\n"
        "  bgword/.style={bgelement, draw=bgpale, fill=bgbox, rounded corners=3pt, inner "
        "sep=4pt},\n"
        "  bggroup/.style={draw=bgedge, fill=bgbox, rounded corners=6pt},\n"
        "  bgtitle/.style={anchor=center, font=\\scriptsize\\sffamily, text=bgpale},\n"
        "  bglabel/.style={font=\\tiny\\sffamily, text=bgpale, inner sep=0.5pt},\n"
        "  bgwords/.style={anchor=west, font=\\scriptsize\\sffamily, text=bgpale, inner sep=0pt},\n"
        "  bgbond/.style={draw=bgink, line width=0.6pt},\n"
        "  bgmulti/.style={double, double distance=1.4pt},\n"
        "  bgfull/.style={-latex, line width=0.5pt},\n"
        "  bgstroke/.style={line width=1.2pt},\n"
        "  bgsignal/.style={draw=bgblue, line width=0.4pt, densely dotted},\n"
        "  bgderivative/.style={draw=bgorange, line width=1.1pt, densely dashed},\n"
        "  bgconflict/.style={draw=bgred, line width=1.1pt},\n"
        "  bgloop/.style={draw=bgviolet, line width=1.1pt}]\n");
}

void bg__tikz_write(const bg__picture *picture, ha__strbuf *out)
{
    const writer w = { picture, out };

    add_head(out);
    for (size_t g = 0; g < picture->groups.count; g++) {
        add_group(&w, (int) g);
    }
    for (size_t i = 0; i < picture->edges.count; i++) {
        if (picture->edges.items[i].n_places > 0) {
            add_line(&w, &picture->edges.items[i]);
            add_labels(&w, &picture->edges.items[i]);
        }
    }
    for (size_t i = 0; i < picture->nodes.count; i++) {
        add_node(&w, (int) i);
    }
    add_legend(&w);
    ha__strbuf_add(out, "\\end{tikzpicture}%\n"
                        "\\end{lrbox}%\n"
                        "\\ifdefined\\pdfpagewidth\\else"
                        "\\let\\pdfpagewidth\\pagewidth\\let\\pdfpageheight\\pageheight\\fi\n"
                        "\\pdfpagewidth=\\dimexpr\\wd\\bondgraph+4mm\\relax\n"
                        "\\pdfpageheight=\\dimexpr\\ht\\bondgraph+\\dp\\bondgraph+4mm\\relax\n"
                        "\\hoffset=\\dimexpr2mm-1in\\relax\n"
                        "\\voffset=\\dimexpr2mm-1in\\relax\n"
                        "\\shipout\\hbox{\\usebox\\bondgraph}\n"
                        "\\end{document}\n");
}
