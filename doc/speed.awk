# SPDX-License-Identifier: GPL-3.0-or-later
# Puts the tables of a file of results into the page: awk -f doc/speed.awk RESULTS.csv doc/speed.md
# prints the page with what is between its two marks replaced. Columns are those of
# bench/bench_csv.c.

BEGIN {
    FS = ","
    n_programs = split("ida explicit explicit8 limit_ida limit_schur simbody", programs, " ")
    title["simbody"] = "Simbody"
    # what is asked, as in bench/cases.c: case, size, text, largest error, largest error of the
    # energy
    n_goals = 0
    add_goal("andrews", 7, "6 digits", 1e-6, 1e300)
    add_goal("andrews", 7, "8 digits", 1e-8, 1e300)
    add_goal("four-bar", 40, "0.1 J, on the branch", 0.1, 0.1)
    add_goal("four-bar", 400, "0.1 J, on the branch", 0.1, 0.1)
    add_goal("chain", 1000, "1e-4 rad", 1e-4, 1e300)
    add_goal("chain", 10000, "1e-4 rad", 1e-4, 1e300)
}

function add_goal(name, size, text, error, energy)
{
    n_goals++
    goal_key[n_goals] = name SUBSEP size
    goal_text[n_goals] = name " | " size " | " text
    goal_error[n_goals] = error
    goal_energy[n_goals] = energy
}

# A time in seconds for readers; nothing: there is none.
function shown(seconds)
{
    if (seconds == "") {
        return "-"
    }
    return seconds < 1 ? sprintf("%.3g ms", 1e3 * seconds) : sprintf("%.3g s", seconds)
}

function ratio(a, b)
{
    return a == "" || b == "" ? "-" : sprintf("%.2f", a / b)
}

function head(    i, line)
{
    for (i = 1; i <= n_programs; i++) {
        line = line " | " (programs[i] in title ? title[programs[i]] : "`" programs[i] "`")
    }
    return line
}

function rule(n,    line)
{
    line = "|"
    while (n-- > 0) {
        line = line "---|"
    }
    return line
}

# --- reading the results ------------------------------------------------------------------------

NR == FNR && /^#/ { machine[++n_machine] = substr($0, 3); next }
NR == FNR && $9 + 0 > 0 {
    program = $4
    sub(/ .*/, "", program)
    for (g = 1; g <= n_goals; g++) {
        key = g SUBSEP program
        if (goal_key[g] == $1 SUBSEP $2 && $14 <= goal_error[g] && $15 <= goal_energy[g] &&
            (!(key in best) || $9 < best[key])) {
            best[key] = $9
            mark[key] = $5 == "code" ? "\\*" : ""
        }
    }
    if ($3 == 1e-6 && $5 != "code") {
        size = $1 SUBSEP $2
        if (!(size in known)) {
            known[size] = 1
            sizes[++n_sizes] = size
        }
        solve[size, program] = $9
        if (program == "ida") {
            setup[size] = $7
            memory[size] = $17
        }
    }
    if ($5 == "code" && program == "ida" && $8 > compile[$1, $2]) {
        compile[$1, $2] = $8
    }
    next
}
NR == FNR { next }

# --- writing the page ---------------------------------------------------------------------------

/^<!-- results/ { print; print_results(); is_inside = 1; next }
/^<!-- end/ { is_inside = 0 }
!is_inside { print }

function print_results(    i)
{
    print ""
    for (i = 1; i <= n_machine; i++) {
        print "- " machine[i]
    }
    print_goals()
    print_sizes()
    print_growth()
    print ""
}

function print_goals(    g, i, line)
{
    print "\nThe fastest run that is good enough, whatever its tolerance, equations as tapes or, " \
          "with *, as\nmachine code; and what halfarrow takes of the time of the program that " \
          "works the same way:\n"
    print "| case | size | asked" head() " | `ida` / `limit_ida` | `explicit` / `limit_schur` |"
    print rule(5 + n_programs)
    for (g = 1; g <= n_goals; g++) {
        line = "| " goal_text[g]
        for (i = 1; i <= n_programs; i++) {
            line = line " | " shown(best[g, programs[i]]) mark[g, programs[i]]
        }
        print line " | " ratio(best[g, "ida"], best[g, "limit_ida"]) " | " \
              ratio(best[g, "explicit"], best[g, "limit_schur"]) " |"
    }
}

function print_sizes(    k, i, part, line)
{
    print "\nAll sizes at a tolerance of 1e-6, equations as tapes; what the translation to " \
          "machine code takes\nonce, with the compiler, and the memory at the end of the set-up:\n"
    print "| case | size | set-up" head() " | translation | memory |"
    print rule(5 + n_programs)
    for (k = 1; k <= n_sizes; k++) {
        split(sizes[k], part, SUBSEP)
        line = "| " part[1] " | " part[2] " | " shown(setup[sizes[k]])
        for (i = 1; i <= n_programs; i++) {
            line = line " | " shown(solve[sizes[k], programs[i]])
        }
        print line " | " shown(compile[sizes[k]]) " | " \
              (memory[sizes[k]] == "" ? "-" : sprintf("%.0f MB", memory[sizes[k]])) " |"
    }
}

# The slope of the line of least squares through (log size, log time), from size 10 on.
function exponent(name, program,    k, part, t, x, y, n, sx, sy, sxx, sxy)
{
    n = sx = sy = sxx = sxy = 0
    for (k = 1; k <= n_sizes; k++) {
        split(sizes[k], part, SUBSEP)
        t = program == "" ? setup[sizes[k]] : solve[sizes[k], program]
        if (part[1] != name || part[2] < 10 || t == "") {
            continue
        }
        x = log(part[2])
        y = log(t)
        n++
        sx += x
        sy += y
        sxx += x * x
        sxy += x * y
    }
    return n < 2 ? "-" : sprintf("%.2f", (n * sxy - sx * sy) / (n * sxx - sx * sx))
}

function print_growth(    c, n, i, names, line)
{
    print "\nGrowth of these times with the size, from 10 on: p of t = c size^p.\n"
    print "| case | set-up" head() " |"
    print rule(2 + n_programs)
    n = split("four-bar chain", names, " ")
    for (c = 1; c <= n; c++) {
        line = "| " names[c] " | " exponent(names[c], "")
        for (i = 1; i <= n_programs; i++) {
            line = line " | " exponent(names[c], programs[i])
        }
        print line " |"
    }
}
