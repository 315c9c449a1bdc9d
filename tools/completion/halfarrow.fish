# SPDX-License-Identifier: GPL-3.0-or-later
# Completion for fish: the program itself says what may come, see tools/completion/completion.c.
complete -c halfarrow -a '(halfarrow completion (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
