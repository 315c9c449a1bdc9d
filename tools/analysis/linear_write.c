/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linear models as text, JSON, MATLAB and Octave code and data, and LaTeX. */
#include <config.h>

#include "tools/analysis/linear_write.h"

#include "lib/core/number.h"
#include "lib/core/output.h"
#include "lib/core/strbuf.h"
#include "lib/data/mat4.h"

#include <math.h>
#include <string.h>

enum { WIDEST = 12 }; /* columns of a matrix that is printed */

/* A matrix of the linear model. */
typedef struct {
    const char *name;
    const double *values;
    int rows, columns;
} matrix;

static void list_matrices(const bg_linear *linear, matrix out[4])
{
    out[0] = (matrix){ "A", linear->a, linear->n_states, linear->n_states };
    out[1] = (matrix){ "B", linear->b, linear->n_states, linear->n_inputs };
    out[2] = (matrix){ "C", linear->c, linear->n_outputs, linear->n_states };
    out[3] = (matrix){ "D", linear->d, linear->n_outputs, linear->n_inputs };
}

/* --- text ----------------------------------------------------------------------------------- */

/* A number of seven digits in a column of 14. */
static void add_cell(ha__strbuf *out, double x)
{
    char number[HA__NUMBER_SIZE];

    ha__strbuf_addf(out, " %14s", ha__print_rounded_number(number, ha__plain_sign(x), 7));
}

static void add_names(ha__strbuf *out, const char *title, char *const *names, int n)
{
    ha__strbuf_addf(out, "  %-10s", title);
    for (int i = 0; i < n; i++) {
        ha__strbuf_addf(out, "%s%s", i == 0 ? " " : ", ", names[i]);
    }
    ha__strbuf_add(out, n == 0 ? " none\n" : "\n");
}

static void add_matrix(ha__strbuf *out, const matrix *m, char *const *row_names)
{
    if (m->rows == 0 || m->columns == 0) {
        return;
    }
    ha__strbuf_addf(out, "\n  %s\n", m->name);
    if (m->columns > WIDEST) {
        ha__strbuf_addf(out, "    %d x %d numbers; --json or -o FILE.m has them\n", m->rows,
                        m->columns);
        return;
    }
    for (int i = 0; i < m->rows; i++) {
        ha__strbuf_addf(out, "    %-16s", row_names[i]);
        for (int j = 0; j < m->columns; j++) {
            add_cell(out, m->values[(size_t) i * (size_t) m->columns + (size_t) j]);
        }
        ha__strbuf_add(out, "\n");
    }
}

static void add_eigenvalues(ha__strbuf *out, const bg_linear *linear)
{
    const double turn = 2.0 * acos(-1.0);

    if (linear->eigenvalues == NULL) {
        ha__strbuf_addf(out, "\n  eigenvalues: not computed for %d states\n", linear->n_states);
        return;
    }
    ha__strbuf_add(out, "\n  eigenvalues [1/s], frequency [Hz], damping ratio\n");
    for (int k = 0; k < linear->n_states; k++) {
        double re = linear->eigenvalues[2 * k], im = linear->eigenvalues[2 * k + 1];
        double size = hypot(re, im);
        ha__strbuf_add(out, "   ");
        add_cell(out, re);
        add_cell(out, im);
        add_cell(out, size / turn);
        add_cell(out, size > 0.0 ? -re / size : 0.0);
        ha__strbuf_add(out, "\n");
    }
}

static void add_rest(ha__strbuf *out, const bg_linear *linear)
{
    if (linear->is_equilibrium) {
        ha__strbuf_add(out, "  operating point: an equilibrium\n");
        return;
    }
    ha__strbuf_add(out, "  operating point: not an equilibrium; the largest acceleration is ");
    ha__strbuf_add_short_number(out, linear->acceleration);
    if (linear->fastest != NULL) {
        ha__strbuf_addf(out, " (of %s)", linear->fastest);
    }
    ha__strbuf_add(out, ", the largest velocity ");
    ha__strbuf_add_short_number(out, linear->velocity);
    ha__strbuf_add(out, " [SI]; eigenvalues are no modes there; `--at equilibrium` looks for "
                        "an equilibrium\n");
}

static void add_text(ha__strbuf *out, const bg_linear *linear, const char *title)
{
    matrix all[4];

    list_matrices(linear, all);
    ha__strbuf_addf(out, "%s: dx/dt = A x + B u, y = C x + D u\n\n", title);
    add_names(out, "states x", linear->states, linear->n_states);
    add_names(out, "inputs u", linear->inputs, linear->n_inputs);
    add_names(out, "outputs y", linear->outputs, linear->n_outputs);
    if (linear->n_sides > 0) {
        add_names(out, "sides", linear->sides, linear->n_sides);
    }
    add_rest(out, linear);
    for (int i = 0; i < 4; i++) {
        add_matrix(out, &all[i], i < 2 ? linear->states : linear->outputs);
    }
    add_eigenvalues(out, linear);
}

/* --- MATLAB and Octave ---------------------------------------------------------------------- */

/* A name between single quotes. */
static void add_quoted(ha__strbuf *out, const char *name)
{
    ha__strbuf_add(out, "'");
    for (; *name != '\0'; name++) {
        ha__strbuf_add_bytes(out, name, 1);
        if (*name == '\'') {
            ha__strbuf_add(out, "'");
        }
    }
    ha__strbuf_add(out, "'");
}

static void add_cells(ha__strbuf *out, const char *title, char *const *names, int n)
{
    ha__strbuf_addf(out, "%s = {", title);
    for (int i = 0; i < n; i++) {
        ha__strbuf_add(out, i == 0 ? "" : ", ");
        add_quoted(out, names[i]);
    }
    ha__strbuf_add(out, "};\n");
}

static void add_code(ha__strbuf *out, const bg_linear *linear, const char *title)
{
    matrix all[4];

    list_matrices(linear, all);
    ha__strbuf_addf(out, "%% dx/dt = A*x + B*u, y = C*x + D*u of %s\n", title);
    add_cells(out, "states", linear->states, linear->n_states);
    add_cells(out, "inputs", linear->inputs, linear->n_inputs);
    add_cells(out, "outputs", linear->outputs, linear->n_outputs);
    for (int k = 0; k < 4; k++) {
        const matrix *m = &all[k];
        ha__strbuf_addf(out, "%s = zeros(%d, %d);\n%s(:) = [", m->name, m->rows, m->columns,
                        m->name);
        for (int j = 0; j < m->columns; j++) {
            for (int i = 0; i < m->rows; i++) {
                ha__strbuf_add(out, i + j == 0 ? "" : i == 0 ? ", ...\n    " : ", ");
                ha__strbuf_add_number(out,
                                      m->values[(size_t) i * (size_t) m->columns + (size_t) j]);
            }
        }
        ha__strbuf_add(out, "];\n");
    }
}

/* --- LaTeX ---------------------------------------------------------------------------------- */

static void add_latex_name(ha__strbuf *out, const char *name)
{
    ha__strbuf_add(out, "\\mathtt{");
    for (; *name != '\0'; name++) {
        ha__strbuf_add(out, strchr("_#$%&{}", *name) != NULL ? "\\" : "");
        ha__strbuf_add_bytes(out, name, 1);
    }
    ha__strbuf_add(out, "}");
}

static void add_latex_column(ha__strbuf *out, const char *title, char *const *names, int n)
{
    ha__strbuf_addf(out, "\\[ %s = \\begin{pmatrix}", title);
    for (int i = 0; i < n; i++) {
        ha__strbuf_add(out, i == 0 ? " " : " \\\\ ");
        add_latex_name(out, names[i]);
    }
    ha__strbuf_add(out, " \\end{pmatrix} \\]\n");
}

static void add_latex_matrix(ha__strbuf *out, const matrix *m)
{
    char number[HA__NUMBER_SIZE];

    ha__strbuf_addf(out, "\\[ %s = \\begin{pmatrix}\n", m->name);
    for (int i = 0; i < m->rows; i++) {
        for (int j = 0; j < m->columns; j++) {
            double x = m->values[(size_t) i * (size_t) m->columns + (size_t) j];
            const char *text = ha__print_rounded_number(number, ha__plain_sign(x), 5);
            size_t mantissa = strcspn(text, "e");
            ha__strbuf_add(out, j == 0 ? "  " : " & ");
            ha__strbuf_add_bytes(out, text, mantissa);
            if (text[mantissa] == 'e') {
                ha__strbuf_addf(out, " \\cdot 10^{%s}",
                                text + mantissa + (text[mantissa + 1] == '+' ? 2 : 1));
            }
        }
        ha__strbuf_add(out, " \\\\\n");
    }
    ha__strbuf_add(out, "\\end{pmatrix} \\]\n");
}

static void add_latex(ha__strbuf *out, const bg_linear *linear, const char *title)
{
    matrix all[4];

    (void) title;
    list_matrices(linear, all);
    ha__strbuf_addf(out,
                    "\\documentclass{article}\n\\usepackage{amsmath}\n"
                    "\\setcounter{MaxMatrixCols}{%d}\n\\begin{document}\n"
                    "\\[ \\dot x = A x + B u, \\qquad y = C x + D u \\]\n",
                    linear->n_states + linear->n_inputs + 1);
    add_latex_column(out, "x", linear->states, linear->n_states);
    if (linear->n_inputs > 0) {
        add_latex_column(out, "u", linear->inputs, linear->n_inputs);
    }
    if (linear->n_outputs > 0) {
        add_latex_column(out, "y", linear->outputs, linear->n_outputs);
    }
    for (int k = 0; k < 4; k++) {
        if (all[k].rows > 0 && all[k].columns > 0) {
            add_latex_matrix(out, &all[k]);
        }
    }
    ha__strbuf_add(out, "\\end{document}\n");
}

/* --- files ---------------------------------------------------------------------------------- */

static ha_status write_mat(cli_call *cli, const bg_linear *linear, const char *path)
{
    ha__output out;
    matrix all[4];

    list_matrices(linear, all);
    HA_TRY(ha__output_open(cli->ctx, path, &out));
    for (int k = 0; k < 4; k++) {
        ha__mat_matrix(&out, all[k].name, all[k].values, (size_t) all[k].rows,
                       (size_t) all[k].columns);
    }
    ha__mat_texts(&out, "states", linear->states, (size_t) linear->n_states);
    ha__mat_texts(&out, "inputs", linear->inputs, (size_t) linear->n_inputs);
    ha__mat_texts(&out, "outputs", linear->outputs, (size_t) linear->n_outputs);
    return ha__output_close(&out);
}

/* A format of linear models. */
typedef struct {
    ha__suffix name;
    void (*add)(ha__strbuf *out, const bg_linear *linear, const char *title); /* NULL: .mat */
} format;

static const format formats[] = {
    { { ".txt", "text, as it is printed" }, add_text },
    { { ".m", "code for MATLAB and Octave" }, add_code },
    { { ".mat", "MATLAB version 4" }, NULL },
    { { ".tex", "LaTeX" }, add_latex },
};

const ha__suffixes linear_formats = { HA__SUFFIXES(formats), .what = "the linear model",
                                      .has_plain = true };

ha_status linear_write(cli_call *cli, const bg_linear *linear, const char *title, const char *path)
{
    ha__strbuf out = HA_STRBUF(cli->ctx);
    const format *to = ha__suffix_find(&linear_formats, path);

    if (to->add == NULL) {
        return write_mat(cli, linear, path);
    }
    to->add(&out, linear, title);
    ha_status status = out.status;
    HA_THEN(status, ha__output_write(cli->ctx, path, ha__strbuf_text(&out), out.length));
    return ha__strbuf_drop(&out, status);
}

/* --- JSON ----------------------------------------------------------------------------------- */

ha_status linear_print_json(cli_call *cli, const bg_linear *linear)
{
    const int n = linear->n_states;
    cli_json json = cli_json_new();
    matrix all[4];

    list_matrices(linear, all);
    const cli_member names[] = {
        cli_value("states", cli_json_texts(linear->states, n)),
        cli_value("inputs", cli_json_texts(linear->inputs, linear->n_inputs)),
        cli_value("outputs", cli_json_texts(linear->outputs, linear->n_outputs)),
    };
    cli_json_put_each(&json, names, HA_COUNT(names));
    for (int k = 0; k < 4; k++) {
        cli_json_put(&json, all[k].name,
                     cli_json_matrix(all[k].values, all[k].rows, all[k].columns));
    }
    const cli_member members[] = {
        cli_value("eigenvalues", linear->eigenvalues == NULL
                                     ? json_null()
                                     : cli_json_matrix(linear->eigenvalues, n, 2)),
        cli_bool("equilibrium", linear->is_equilibrium),
        cli_real("velocity", linear->velocity),
        cli_real("acceleration", linear->acceleration),
        cli_value("sides", cli_json_texts(linear->sides, linear->n_sides)),
    };
    cli_json_put_each(&json, members, HA_COUNT(members));
    return cli_json_print(cli, &json);
}
