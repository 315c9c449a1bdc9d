# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a notebook as a script: notebook.py FILE [PAGE]. Each cell of code is run, its last
expression shown as a notebook shows it; PAGE is an HTML file with all of that, to be looked at.
"""
import ast
import contextlib
import html
import io
import json
import os
import sys


def shown(value):
    """What a notebook shows of a value, as HTML."""
    for method in ("_repr_html_", "_repr_svg_"):
        if hasattr(value, method):
            text = getattr(value, method)()
            assert text.lstrip().startswith("<"), text[:80]
            return text[text.index("<svg"):] if method == "_repr_svg_" else text
    return "" if value is None else f"<pre>{html.escape(repr(value))}</pre>"


def run(source, names, where):
    """Runs a cell; what it printed and showed, as HTML."""
    tree, last, printed = ast.parse(source, where), None, io.StringIO()
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, where, "exec"), names)
        value = None if last is None else eval(compile(last, where, "eval"), names)
    return f"<pre>{html.escape(printed.getvalue())}</pre>" + shown(value)


def main():
    """Runs all cells in the directory of the notebook."""
    with open(sys.argv[1], encoding="utf-8") as file:
        notebook = json.load(file)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    cells, names, parts, pictures = notebook["cells"], {}, [], 0
    assert len({cell["id"] for cell in cells}) == len(cells)
    page = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
    os.chdir(os.path.dirname(os.path.abspath(sys.argv[1])))
    for i, cell in enumerate(cells):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(f"<pre><b>{html.escape(source)}</b></pre>")
            continue
        assert cell["outputs"] == [] and cell["execution_count"] is None, "outputs are not kept"
        output = run(source, names, f"{sys.argv[1]}, cell {i + 1}")
        pictures += output.count("<svg") + output.count("<iframe")
        parts.append(f'<pre style="background: #eee">{html.escape(source)}</pre>{output}')
    assert pictures >= 4, f"{pictures} pictures"
    if page is not None:
        with open(page, "w", encoding="utf-8") as out:
            out.write('<!doctype html><meta charset="utf-8"><title>notebook</title>'
                      + "\n".join(parts))


main()
