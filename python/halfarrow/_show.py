# SPDX-License-Identifier: GPL-3.0-or-later
"""What notebooks show: pictures and pages."""
import os

from . import _config
from ._base import _error_of, _find, _options


def _run(line, **how):
    """Runs the program; what it wrote to standard output."""
    import subprocess  # this takes longer to import than all else here
    program = _find(("HALFARROW_PROGRAM", "halfarrow", "bin"), _config.BINDIR)
    return subprocess.run([program, *line], capture_output=True, check=False, encoding="utf-8",
                          errors="replace", **how)


def _plot(table, names, options):
    """A plot of a table, made by `halfarrow plot`."""
    import tempfile
    with tempfile.TemporaryDirectory() as directory:
        data, picture = (os.path.join(directory, file) for file in ("table.csv", "plot.svg"))
        table.save(data)
        line = ["plot", data, *(("-y", ",".join(names)) if names else ()), *_options(options)]
        run = _run([*line, "-o", picture])
        if run.returncode != 0:
            raise _error_of(run.stderr)
        with open(picture, encoding="utf-8") as file:
            return Picture(file.read())


class Picture:
    """A picture, shown by notebooks; `.svg` is its text."""

    def __init__(self, svg):
        self.svg = svg

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        """Writes it to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


class Page:
    """A page, shown by notebooks in a frame; `.html` is its text."""

    def __init__(self, html):
        self.html = html

    def _repr_html_(self):
        text = self.html.replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe srcdoc="{text}" width="100%" height="700" frameborder="0"></iframe>'

    def save(self, path):
        """Writes it to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)


for _class in (Picture, Page):
    _class.__module__ = "halfarrow"
