/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rank of a pencil, block by block.
 *
 * Row i is paired with column i. Column j leads to row i where the entry P_ij is not 0; the
 * strongly connected components of that graph, in order, bring P to block triangular form, and det
 * P is the product of the determinants of the diagonal blocks. Most blocks are of size 1: what the
 * strokes have put in causal order costs nothing. Only the others are eliminated.
 *
 * Leading part: scale column j by s^-h_j with any heights h, and row i by s^-H_i with
 * H_i = max over its entries of (h_j + power). What is left for s to infinity are the entries with
 * h_j + power = H_i, a matrix L of numbers, and
 *     det P(s) = s^(sum of H - sum of h) (det L + terms in 1/s),
 * so that sum of H - sum of h bounds the degree of det P, and is the degree when det L is not 0.
 */
#include <config.h>

#include "bondgraph/causality/pencil.h"

#include "lib/core/sort.h"
#include "lib/graph/digraph.h"
#include "lib/linalg/modular.h"

#include <limits.h>
#include <string.h>

/* The matrix of a view, rows and columns that are left out removed. */
typedef struct {
    ha_ctx *ctx;
    const bg__pencil *p;
    const bg__pencil_view *view;
    int n;      /* rows that are in */
    int *given; /* (n) number in the pencil */
    int *kept;  /* (pencil's n) number here, -1: left out */
    int *start; /* (n + 1) */
    HA_ARRAY(int) column;
    HA_ARRAY(uint64_t) value;
    int *slot;      /* (n) by column: 1 + number of the entry of the row under way */
    int *component; /* (n) block of each row */
    int n_components;
    int *member, *first; /* rows by blocks: (n), (n_components + 1) */
    long degree;
} matrix;

/* --- the matrix of a view ------------------------------------------------------------------- */

static ha_status choose_rows(matrix *m)
{
    int n = m->p->n;

    HA_TRY_ALLOC_EACH(m->ctx, n, m->given, m->kept);
    for (int i = 0; i < n; i++) {
        bool is_in = m->view->is_out == NULL || !m->view->is_out[i];
        m->kept[i] = is_in ? m->n : -1;
        if (is_in) {
            m->given[m->n++] = i;
        }
    }
    return HA_OK;
}

static ha_status add_entry(matrix *m, int row_start, int column, uint64_t value)
{
    int slot = m->slot[column] - 1;

    if (slot >= row_start && m->column.items[slot] == column) {
        m->value.items[slot] = ha__mod_add(m->value.items[slot], value);
        return HA_OK;
    }
    m->slot[column] = (int) m->column.count + 1;
    HA_TRY_PUSH(m->ctx, &m->column, column);
    HA_TRY_PUSH(m->ctx, &m->value, value);
    return HA_OK;
}

/* The entry that makes row i soft. */
static bg__pencil_entry soft_entry(int i)
{
    return (bg__pencil_entry){ i, -1, ha__mod_chance((uint64_t) i, UINT64_MAX) };
}

static bool is_soft(const matrix *m, int i)
{
    return m->view->is_soft != NULL && m->view->is_soft[i];
}

/* H_i of a row of the pencil. */
static int row_height(const matrix *m, int i)
{
    const int *h = m->view->height;
    int height = is_soft(m, i) ? h[i] - 1 : INT_MIN;

    for (size_t k = m->p->row_start[i]; k < m->p->row_start[i + 1]; k++) {
        bg__pencil_entry e = m->p->entries.items[k];
        if (m->kept[e.column] >= 0 && h[e.column] + e.power > height) {
            height = h[e.column] + e.power;
        }
    }
    return height;
}

static ha_status add_scaled(matrix *m, int row_start, bg__pencil_entry e, int height)
{
    uint64_t value = e.value;

    if (m->kept[e.column] < 0) {
        return HA_OK;
    }
    if (m->view->height != NULL) {
        if (m->view->height[e.column] + e.power != height) {
            return HA_OK;
        }
    } else {
        uint64_t base = e.power < 0 ? ha__mod_inverse(m->view->s) : m->view->s;
        value =
            ha__mod_mul(value, ha__mod_power(base, (uint64_t) (e.power < 0 ? -e.power : e.power)));
    }
    return add_entry(m, row_start, m->kept[e.column], value);
}

static ha_status fill(matrix *m)
{
    HA_TRY(choose_rows(m));
    HA_TRY_ALLOC(m->ctx, m->start, m->n + 1, m->slot, m->n);
    for (int k = 0; k < m->n; k++) {
        int i = m->given[k];
        int height = m->view->height != NULL ? row_height(m, i) : 0;
        m->degree += height == INT_MIN || m->view->height == NULL ? 0 : height - m->view->height[i];
        for (size_t e = m->p->row_start[i]; e < m->p->row_start[i + 1]; e++) {
            HA_TRY(add_scaled(m, m->start[k], m->p->entries.items[e], height));
        }
        if (is_soft(m, i)) {
            HA_TRY(add_scaled(m, m->start[k], soft_entry(i), height));
        }
        m->start[k + 1] = (int) m->column.count;
    }
    return HA_OK;
}

/* --- blocks --------------------------------------------------------------------------------- */

static ha_status find_components(matrix *m)
{
    int *to = NULL;

    HA_TRY_ALLOC(m->ctx, m->component, m->n, to, m->column.count);
    for (int i = 0; i < m->n; i++) {
        for (int k = m->start[i]; k < m->start[i + 1]; k++) {
            /* an entry that has cancelled leads nowhere */
            to[k] = m->value.items[k] != 0 ? i : m->column.items[k];
        }
    }
    return ha__then_free(ha__digraph_strong(m->ctx, m->n, (int) m->column.count, m->column.items,
                                            to, m->component, &m->n_components),
                         to);
}

static ha_status group(matrix *m)
{
    HA_TRY(find_components(m));
    HA_TRY_ALLOC(m->ctx, m->member, m->n, m->first, m->n_components + 1);
    ha__group(m->n, m->component, NULL, m->n_components, m->first, m->member);
    for (int k = 0; k < m->n; k++) { /* from here on: number in the block */
        m->slot[m->member[k]] = k - m->first[m->component[m->member[k]]];
    }
    return HA_OK;
}

/* A diagonal block as a matrix of its own. */
typedef struct {
    int *row_start, *column;
    uint64_t *value, *right, *left;
} block;

static void block_clear(block *b)
{
    HA_FREE(b->row_start, b->column, b->value, b->right, b->left);
}

static ha_status cut_out(const matrix *m, int c, block *b)
{
    int first = m->first[c], n = m->first[c + 1] - first, count = 0;

    for (int i = 0; i < n; i++) {
        int row = m->member[first + i];
        count += m->start[row + 1] - m->start[row];
    }
    HA_TRY_ALLOC(m->ctx, b->row_start, n + 1);
    HA_TRY_ALLOC_EACH(m->ctx, count, b->column, b->value);
    HA_TRY_ALLOC_EACH(m->ctx, n, b->right, b->left);
    for (int i = 0; i < n; i++) {
        int row = m->member[first + i], at = b->row_start[i];
        for (int k = m->start[row]; k < m->start[row + 1]; k++) {
            if (m->component[m->column.items[k]] == c) {
                b->column[at] = m->slot[m->column.items[k]];
                b->value[at++] = m->value.items[k];
            }
        }
        b->row_start[i + 1] = at;
    }
    return HA_OK;
}

static uint64_t diagonal(const matrix *m, int i)
{
    for (int k = m->start[i]; k < m->start[i + 1]; k++) {
        if (m->column.items[k] == i) {
            return m->value.items[k];
        }
    }
    return 0;
}

static ha_status examine_block(const matrix *m, int c, uint64_t *right, uint64_t *left,
                               bg__pencil_rank *found)
{
    int first = m->first[c], n = m->first[c + 1] - first;
    ha__mod_answer answer = { 0, 0 };
    block b = { 0 };
    bool wants = right != NULL;
    ha_status status = cut_out(m, c, &b);

    if (status == HA_OK) {
        const ha__mod_matrix a = { n, b.row_start, b.column, b.value };
        status =
            ha__mod_eliminate(m->ctx, &a, wants ? b.right : NULL, wants ? b.left : NULL, &answer);
    }
    for (int i = 0; i < n && status == HA_OK && wants && answer.rank < n; i++) {
        right[m->given[m->member[first + i]]] = b.right[i];
        left[m->given[m->member[first + i]]] = b.left[i];
    }
    block_clear(&b);
    found->n_missing += n - answer.rank;
    found->determinant = ha__mod_mul(found->determinant, answer.determinant);
    return status;
}

/* A block of size 1 is its number. */
static void examine_single(const matrix *m, int i, uint64_t *right, uint64_t *left,
                           bg__pencil_rank *found)
{
    uint64_t value = diagonal(m, i);

    found->n_missing += value == 0 ? 1 : 0;
    if (value == 0 && right != NULL) {
        right[m->given[i]] = left[m->given[i]] = 1;
    }
    found->determinant = ha__mod_mul(found->determinant, value);
}

static ha_status examine(matrix *m, uint64_t *right, uint64_t *left, bg__pencil_rank *found)
{
    HA_TRY(fill(m));
    HA_TRY(group(m));
    if (right != NULL) {
        memset(right, 0, (size_t) m->p->n * sizeof *right);
        memset(left, 0, (size_t) m->p->n * sizeof *left);
    }
    *found = (bg__pencil_rank){ 0, 1, m->degree };
    for (int c = 0; c < m->n_components; c++) {
        if (m->first[c + 1] - m->first[c] == 1) {
            examine_single(m, m->member[m->first[c]], right, left, found);
        } else {
            HA_TRY(examine_block(m, c, right, left, found));
        }
    }
    return HA_OK;
}

ha_status bg__pencil_examine(ha_ctx *ctx, const bg__pencil *pencil, const bg__pencil_view *view,
                             uint64_t *right, uint64_t *left, bg__pencil_rank *out)
{
    matrix m = { .ctx = ctx, .p = pencil, .view = view };
    bg__pencil_rank found = { 0 };
    ha_status status = examine(&m, right, left, &found);

    if (status == HA_OK) {
        *out = found;
    }
    HA_FREE(m.given, m.kept, m.start);
    HA_ARRAY_CLEAR(&m.column, &m.value);
    HA_FREE(m.slot, m.component, m.member, m.first);
    return status;
}
