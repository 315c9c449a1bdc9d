#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sum.sh SOURCE FILE...: prints a checksum of the files, named relative to the directory SOURCE, by
# which an engine is told from one of other sources.
set -eu
export LC_ALL=C

cd "$1"
shift
cat "$@" | cksum
