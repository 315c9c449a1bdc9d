#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Plots through gnuplot: formats, units, several files, names, a missing gnuplot.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

call 0 run -q "$examples/pendulum.yaml" -o "$directory/a.csv"
call 0 run -q "$examples/pendulum.yaml" --set 'bodies.rod.start.angle=30 deg' -o "$directory/b.mat"

# the script has the data, the units on the axes, one panel for each unit
call 0 plot "$directory/a.csv" --y rod.angle,O.fx,O.fy -o "$directory/a.gp"
empty out
called="the script"
cp "$directory/a.gp" "$directory/out"
has out "set xlabel 't [s]'"
has out "set ylabel 'rod.angle [rad]'"
has out "set ylabel '[N]'"
has out "set multiplot layout 2,1"
[ "$(grep -c '<< END' "$directory/a.gp")" -eq 3 ] || problem "not three curves"
diff <(sed -n '/^\$data_1_1 << END/,/^END/p' "$directory/a.gp" | sed '1d;$d') \
    <(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "rod.angle [rad]") k = i }
        NR > 1 { print $1, $k }' "$directory/a.csv") >/dev/null ||
    problem "the data of the script are not those of the CSV file"
call 0 plot "$directory/a.csv" "$directory/b.mat" --y rod.angle -o "$directory/two.gp"
called="the script of two files"
cp "$directory/two.gp" "$directory/out"
has out "title 'a'"
has out "title 'b'"
mkdir "$directory/other"
cp "$directory/a.csv" "$directory/other/a.csv"
call 0 plot "$directory/a.csv" "$directory/other/a.csv" --y O.fx,O.fy -o "$directory/two.gp"
called="the script of two files of one name"
cp "$directory/two.gp" "$directory/out"
has out "title 'O.fx, $directory/a.csv'"
has out "title 'O.fy, $directory/other/a.csv'"
call 2 plot "$directory/a.csv" --y rod.angel -o "$directory/x.gp"
has err 'do you mean `rod.angle`'
call 2 plot "$directory/b.mat" --y nosuchthing -o "$directory/x.gp"
has err 'the result has `rod.x`, `rod.y`'
call 2 plot "$examples/pendulum.yaml" --y rod.angle -o "$directory/x.gp"
has err 'is a model'
has err 'halfarrow run'
call 2 plot "$directory/a.csv" -o "$directory/x.gp"
has err "--y NAME,NAME"
# entries that stand for several outputs, as in a model file; none twice
call 0 plot "$directory/a.csv" --y energy,O.force,O.fx -o "$directory/group.gp"
called="the script of groups"
cp "$directory/group.gp" "$directory/out"
for name in energy.kinetic energy.error O.fx O.fy O.torque; do
    has out "$name"
done
[ "$(grep -c '<< END' "$directory/group.gp")" -eq 8 ] || problem "not eight curves"
printf 't [s],x\n0,1\n1,x\n' >"$directory/bad.csv"
call 2 plot "$directory/bad.csv"
has err 'bad.csv:3:3: error: `x` in column `x` is no number'
call 2 plot "$directory/a.csv" --y rod.angle -o "$directory/a.csv"
call 2 plot "$directory/a.gp" -o "$directory/a.gp"
has err "is the file that the results are read from"

# a comparison: all runs over each other, and the differences, on a logarithmic axis as magnitudes
call 0 compare -q "$examples/rapson.yaml" --t-end '1 s' --variant rigid --variant compliant \
    --y tiller.alpha -o "$directory/compare.gp"
called="the script of a comparison"
cp "$directory/compare.gp" "$directory/out"
has out "set ylabel 'tiller.alpha [rad/s2]'"
has out "set ylabel 'difference of tiller.alpha [rad/s2]'"
has out "title 'compliant - rigid'"
grep -q "^set logscale" "$directory/out" && problem "a logarithmic axis without --log"
call 0 run -q "$examples/rapson.yaml" --t-end '1 s' --variant rigid -o "$directory/r.csv"
call 0 run -q "$examples/rapson.yaml" --t-end '1 s' --variant compliant -o "$directory/c.csv"
values() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "tiller.alpha [rad/s2]") k = i }
        NR > 1 { print $k }' "$1"
}
diff <(paste -d ' ' <(values "$directory/r.csv") <(values "$directory/c.csv") |
    awk '{ printf "%.12g\n", $2 - $1 }') \
    <(sed -n '/^\$data_2_1 << END/,/^END/p' "$directory/compare.gp" | sed '1d;$d' |
        awk '{ printf "%.12g\n", $2 }') >/dev/null ||
    problem "the differences are not those of the two results"
call 0 compare -q "$examples/rapson.yaml" --t-end '1 s' --variant rigid --variant compliant \
    --y tiller.alpha --log -o "$directory/compare.gp"
cp "$directory/compare.gp" "$directory/out"
has out "set logscale y"
has out "using 1:(abs(\$2))"

# magnitudes, display units, panels by choice; the numbers are those of the table
sum_of() {
    sed -n "/^\$data_$1 << END/,/^END/p" "$directory/out" | sed '1d;$d' |
        awk '{ s += $2 } END { print s }'
}
column_sum() {
    awk -F, -v x="$1" -v y="$2" -v by="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) { if ($i == x) a = i; if ($i == y) b = i } next }
        { s += y == "" ? $a : sqrt($a^2 + $b^2) }
        END { print s / by }' "$directory/a.csv"
}
close_to() {
    awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(a != 0 && d * d < 1e-9 * b * b) }' ||
        problem "$called: $1 is not $2"
}
call 0 plot "$directory/a.csv" --panels 'magnitude(O.force);rod.angle,rod.omega;magnitude(rod.v)' \
    --unit deg,kN,ms -o "$directory/p.gp"
cp "$directory/p.gp" "$directory/out"
has out "set multiplot layout 3,1"
has out "set ylabel 'magnitude(O.force) [kN]'"
has out "set ylabel 'magnitude(rod.v) [m/s]'"
has out "title 'rod.angle [deg]'"
has out "title 'rod.omega [rad/s]'"
has out "set xlabel 't [ms]'"
close_to "$(sum_of 1_1)" "$(column_sum 'O.fx [N]' 'O.fy [N]' 1000)"
close_to "$(sum_of 2_1)" "$(column_sum 'rod.angle [rad]' '' 0.017453292519943295)"
close_to "$(sum_of 2_2)" "$(column_sum 'rod.omega [rad/s]' '' 1)"
close_to "$(sum_of 3_1)" "$(column_sum 'rod.vx [m/s]' 'rod.vy [m/s]' 1)"
call 0 plot "$directory/a.csv" "$directory/b.mat" --x 'magnitude(rod.v)' --y 'magnitude(O)' \
    --unit mN -o "$directory/p.gp"
cp "$directory/p.gp" "$directory/out"
has out "set xlabel 'magnitude(rod.v) [m/s]'"
has out "set ylabel 'magnitude(O) [mN]'"
call 2 plot "$directory/a.csv" --y rod.angle --unit V -o "$directory/p.gp"
has err 'of the dimension of `V`'
call 2 plot "$directory/a.csv" --y rod.angle --unit nonsense -o "$directory/p.gp"
has err '`nonsense`'
call 2 plot "$directory/a.csv" --y 'magnitude(nosuch)' -o "$directory/p.gp"
has err 'there is no output `magnitude(nosuch)`'
call 2 plot "$directory/a.csv" --y rod.angle --panels O.fx -o "$directory/p.gp"
has err 'leave --y out'
call 2 plot "$directory/a.csv" --panels 'O.fx;' -o "$directory/p.gp"
has err 'no output is named'

# for printed pages
call 0 plot "$directory/a.csv" --y O.fx,O.fy --grey -o "$directory/p.gp"
cp "$directory/p.gp" "$directory/out"
has out "linecolor rgb '#000000' dashtype 1"
has out "linecolor rgb '#4b5563' dashtype (12,5)"
for size in 84 84x 84x60x 5x60 84x9999 axb; do
    call 2 plot "$directory/a.csv" --y O.fx --size "$size" -o "$directory/p.gp"
    has err "\`--size $size\` is no size"
done
if command -v gnuplot >/dev/null; then
    for suffix in svg png pdf; do
        call 0 plot "$directory/a.csv" --y O.fx --size 84x60 --grey -o "$directory/p.$suffix"
        empty err
    done
    # 84 mm are 238 points of 1/72 inch, 317 pixels of 1/96 inch
    grep -aq 'MediaBox *\[ *0 0 23[78][. 0-9]* 1[67][0-9]' "$directory/p.pdf" ||
        ! grep -aq MediaBox "$directory/p.pdf" || problem "$called: not 84 mm x 60 mm"
    grep -q 'width="317" height="226"' "$directory/p.svg" || problem "p.svg is not 317 x 226"
fi

# names of any characters
name="A \"b\" <c> & \\d 'e' \`date\` \$x, %s é"
printf '"t [s]","%s [m/s2]",two\n0,1,2\n1,3,nan\n2,2,1\n' "${name//\"/\"\"}" >"$directory/names.csv"
call 0 plot "$directory/names.csv" --y "$name,two" -o "$directory/names.gp"
quoted='A \042b\042 <c> & \134d \047e\047 \140date\140 \044x, \045s é [m/s2]'
grep -qF "set ylabel \"$quoted\" noenhanced" "$directory/names.gp" ||
    problem "the name is not in the script"

if command -v gnuplot >/dev/null; then
    for suffix in svg png pdf; do
        call 0 plot "$directory/a.csv" "$directory/b.mat" --y rod.angle,O.fx \
            -o "$directory/a.$suffix"
        empty out
        empty err
        [ -s "$directory/a.$suffix" ] || problem "no a.$suffix"
    done
    grep -q '<svg' "$directory/a.svg" || problem "a.svg is no SVG"
    head -c 4 "$directory/a.pdf" | grep -q '%PDF' || problem "a.pdf is no PDF"
    head -c 4 "$directory/a.png" | grep -q 'PNG' || problem "a.png is no PNG"
    call 0 plot "$directory/names.csv" --y "$name" -o "$directory/names.svg"
    grep -qF "A \"b\" &lt;c> &amp; \\d 'e' \`date\` \$x, %s é" "$directory/names.svg" ||
        problem "the name is not in the picture: $(grep -F 'A ' "$directory/names.svg")"
    gnuplot -d -e 'set terminal dumb' "$directory/a.gp" >"$directory/out" 2>&1 ||
        problem "gnuplot does not read the script: $(cat "$directory/out")"
    call 0 plot "$directory/a.csv" --y rod.angle
    has out "rod.angle [rad]"
    has out "*****"
    # a sweep is a log-log plot
    call 0 compare -q "$examples/pendulum.yaml" --sweep 'bodies.rod.mass=2 kg:8 kg:3' --y O.fx \
        -o "$directory/sweep.svg"
    grep -q 'bodies.rod.mass \[kg\]' "$directory/sweep.svg" || problem "no axis of the sweep"
fi

# efforts and flows have an axis each, with units and without
for value in 12 '12 V'; do
    call 0 run -q --graph "Se{$value}>1a>R;1a>I" --t-end 0.1 -o "$directory/axes.csv"
    call 0 plot "$directory/axes.csv" --y Se.e,I.f,R.e -o "$directory/axes.gp"
    [ "$(grep -c '^plot ' "$directory/axes.gp")" -eq 2 ] || problem "$called: not two axes"
done
grep -qF '[V]' "$directory/axes.gp" || problem "$called: no volts on the axis"
grep -qF '[A]' "$directory/axes.gp" || problem "$called: no amperes on the axis"

# names that mean something to gnuplot, to XML or to a spreadsheet
printf "%s\n" "t [s],'a,b''c,d]]>e,f\`ls\`\$g\\\\h,''=i" \
    0,1,2,3,4,5 1,2,3,4,5,6 >"$directory/n.csv"
if command -v gnuplot >/dev/null; then
    for name in "'a" "b''c" 'd]]>e' 'f`ls`$g\\h' "'=i"; do
        call 0 plot "$directory/n.csv" --y "$name" -o "$directory/n.svg"
        if command -v xmllint >/dev/null; then
            xmllint --noout "$directory/n.svg" || problem "$called: the picture is no XML"
        fi
        shown=$(printf %s "$name" | sed 's/>/\&gt;/')
        grep -qF -- ">$shown<" "$directory/n.svg" || problem "$called: the name is not there"
    done
fi

# without gnuplot: an error that says what to do, and the script is there
PATH=/nonexistent "$HALFARROW" plot "$directory/a.csv" --y rod.angle -o "$directory/y.svg" \
    2>"$directory/err"
[ $? -eq 1 ] || problem "a missing gnuplot is not exit status 1"
called="plot without gnuplot"
has err "install the package gnuplot"
has err "y.gp"
[ ! -e "$directory/y.svg" ] || problem "a picture without gnuplot"
grep -q 'rod.angle' "$directory/y.gp" || problem "no script without gnuplot"
# over another output: one in its unit is as long upwards as sideways
call 0 run -q "$examples/parallel_parking.yaml" --step 0.5 -o "$directory/park.csv"
call 0 plot "$directory/park.csv" --x car.rear.x --y car.rear.y -o "$directory/path.gp"
has path.gp 'car.rear.x [m]'
printf 't [s],x [m],y [m]\n0,0,0\n1,3,0\n2,3,2\n3,0,2\n' >"$directory/round.csv"
call 0 plot "$directory/round.csv" --x x --y y -o "$directory/round.gp"
has round.gp 'set size ratio -1'
call 0 plot "$directory/park.csv" --x car.rear.x --y car.angle -o "$directory/angle.gp"
grep -q 'set size ratio' "$directory/angle.gp" && problem "units that differ are drawn alike"
call 2 plot "$directory/park.csv" --x car.reat.x --y car.angle
has err 'car.rear.x'
call 2 plot "$directory/park.csv" --x rear.force --y car.angle
has err 'name one'

# friction circles: the forces of a wheel, and its limit where it has one
printf '%s\n' 't [s],W.f_long [N],W.f_lat [N],W.limit [N],V.f_long [N],V.f_lat [N]' \
    0,1,2,4,0,1 1,3,0,5,1,1 >"$directory/wheels.csv"
call 0 plot "$directory/wheels.csv" --wheels W,V -o "$directory/circle.gp"
has circle.gp 'set size ratio -1'
# of W the forces, the circles with the radii 4 and 5; of V the forces
awk '
    /^\$data/ { n++; next }
    n && NF == 2 && $1 + 0 == $1 { r = sqrt($1 * $1 + $2 * $2); count[n]++; sum[n] += r }
    END {
        if (n != 4 || count[1] != 2 || count[4] != 2) exit 1
        for (i = 2; i <= 3; i++)
            if (count[i] < 100 || (sum[i] / count[i] - 2 - i) ^ 2 > 1e-20) exit 1
    }' "$directory/circle.gp" || problem "$called: wrong circles"
call 2 plot "$directory/wheels.csv" --wheels U
has err '`W`, `V`'
call 2 plot "$directory/wheels.csv" --wheels W --y W.f_lat
has err '--x and --y'

finish
