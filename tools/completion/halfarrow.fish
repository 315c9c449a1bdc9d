# SPDX-License-Identifier: GPL-3.0-or-later
# Completion for fish: the program itself says what may come, see tools/completion/completion.c.
function __halfarrow_offers
    # without the quote that an open word begins with, and as the program would get them
    set -l given (commandline -opc)[2..] (commandline -ct | string trim --left --chars '\'"' | string unescape)
    halfarrow completion (string replace --regex '^~/' "$HOME/" -- $given) 2>/dev/null
end
# files only where the program has nothing to offer
complete -c halfarrow -n 'count (__halfarrow_offers) >/dev/null' -f -a '(__halfarrow_offers)'
