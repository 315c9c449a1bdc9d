# SPDX-License-Identifier: GPL-3.0-or-later
"""Anchors of headings as forges make them, so that links work there and on the site alike."""

import re


def github(text, separator):
    """The anchor of a heading: letters, digits and hyphens stay, each blank becomes a hyphen."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", separator)
