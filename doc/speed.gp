# SPDX-License-Identifier: GPL-3.0-or-later
# Work and precision: the error at the end over the time of the solution, one curve for each
# program, one point for each tolerance. doc/figures.sh calls
#   gnuplot -c doc/speed.gp RESULTS.csv CASE SIZE LABEL PICTURE.svg
# Results that are wrong altogether, on another branch, are left out.

results = ARG1
name = ARG2
size = int(ARG3)

set terminal svg dynamic background 'white' font 'sans,13' size 800,520
set output ARG5
set encoding utf8
set datafile separator ','
set datafile missing NaN
set logscale xy
set format '10^{%L}'
set grid
set xlabel 'processor time of the solution [ms]'
set ylabel ARG4 noenhanced
set key outside right center Left reverse noenhanced
set pointsize 0.8

# the columns of bench/bench_csv.c: 1 case, 2 size, 4 driver, 5 equations, 9 solve, 14 error
is_shown(driver, equations) = strcol(1) eq name && column(2) == size && column(14) < 0.1 && \
    word(strcol(4), 1) eq driver && strcol(5) eq equations
cost(driver, equations) = is_shown(driver, equations) ? 1e3 * column(9) : NaN

plot results using (cost('ida', 'tapes')):14 with linespoints lw 2 pt 7 lc rgb '#1d4ed8' \
         title 'ida', \
     results using (cost('ida', 'code')):14 with linespoints lw 2 pt 6 dt (12,5) lc rgb '#1d4ed8' \
         title 'ida --compile', \
     results using (cost('explicit', 'tapes')):14 with linespoints lw 2 pt 5 lc rgb '#c2410c' \
         title 'explicit', \
     results using (cost('explicit', 'code')):14 with linespoints lw 2 pt 4 dt (12,5) \
         lc rgb '#c2410c' title 'explicit --compile', \
     results using (cost('explicit8', 'code')):14 with linespoints lw 2 pt 2 dt (12,5) \
         lc rgb '#a16207' title 'explicit8 --compile', \
     results using (cost('limit_ida', '')):14 with linespoints lw 1 pt 9 dt (4,4) lc rgb '#15803d' \
         title 'limit_ida', \
     results using (cost('limit_schur', '')):14 with linespoints lw 1 pt 11 dt (4,4) \
         lc rgb '#7e22ce' title 'limit_schur', \
     results using (cost('simbody', '')):14 with linespoints lw 1 pt 13 dt (14,4,3,4) \
         lc rgb '#0e7490' title 'Simbody'
