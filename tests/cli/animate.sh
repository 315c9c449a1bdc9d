#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Films: pictures of each moment at the places of the CSV, GIF and MP4 where the converters are.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

call 2 animate "$examples/pendulum.yaml"
has err '.gif'
call 2 animate "$examples/pendulum.yaml" -o "$directory/x.avi"
has err '.mp4'
call 2 animate "$examples/rlc.bgl" --t-end 1 -o "$directory/x.svg"
has err "no bodies"
call 2 animate "$examples/pendulum.yaml" --duration 0 -o "$directory/x.svg"
has err "--duration"
call 2 animate "$examples/pendulum.yaml" --duration '3 kg' -o "$directory/x.svg"
[ -z "$(ls "$directory"/x* 2>/dev/null)" ] || problem "a film in spite of an error"

# 25 pictures a second and the last one; each is drawn to scale at the place of its time
call 0 animate "$examples/four_bar.yaml" --duration '400 ms' -o "$directory/film.svg"
empty out
set -- "$directory"/film-*.svg
[ $# -eq 11 ] || problem "$# pictures of 0.4 s"
"$HALFARROW" run -q "$examples/four_bar.yaml" -o "$directory/film.csv" || problem "no run"
for picture in "$@"; do
    grep -m 1 -o 'class="body body-2[^>]*' "$picture" |
        sed -E 's/.*translate\(([^ ]*) ([^)]*)\) rotate\(([^)]*)\).*/\1 \2 \3/'
done >"$directory/places"
awk -F '[, ]' '
    function distance(a, b) { return a < b ? b - a : a - b }
    FNR == NR {
        n++; x[n] = $1; y[n] = $2; angle[n] = $3; next
    }
    FNR == 1 {
        line = $0; m = split(line, names, ",")
        for (i = 1; i <= m; i++) { sub(/ .*/, "", names[i]); column[names[i]] = i }
        next
    }
    {
        rows++; split($0, v, ",")
        X[rows] = v[column["rocker.x"]]
        Y[rows] = v[column["rocker.y"]]
        A[rows] = v[column["rocker.angle"]]
    }
    END {
        # the scale from the two pictures that are farthest apart, then all others must fit
        for (i = 1; i <= n; i++) { row[i] = int((i - 1) * (rows - 1) / (n - 1) + 1 + 1e-9) }
        for (i = 2; i <= n; i++) {
            if (distance(X[row[i]], X[row[1]]) > far) {
                far = distance(X[row[i]], X[row[1]])
                k = i
            }
        }
        scale = (x[k] - x[1]) / (X[row[k]] - X[row[1]])
        if (!(scale > 100)) { print "the scale is " scale; exit 1 }
        for (i = 1; i <= n; i++) {
            if (distance(x[i], scale * X[row[i]]) > 0.3 ||
                distance(y[i], scale * Y[row[i]]) > 0.3 ||
                distance(angle[i], A[row[i]] * 57.29577951308232) > 0.01) {
                print "picture " i " is at " x[i] " " y[i] " " angle[i]
                bad = 1
            }
        }
        exit bad || n != 11
    }' "$directory/places" "$directory/film.csv" ||
    problem "$called: pictures are not where bodies are"
if command -v xmllint >/dev/null; then
    xmllint --noout "$@" || problem "$called: a picture is not well formed"
fi

if command -v rsvg-convert >/dev/null && command -v ffmpeg >/dev/null; then
    for kind in gif mp4; do
        call 0 animate "$examples/slider_crank.yaml" --duration '400 ms' -o "$directory/film.$kind"
        n=$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 \
            "$directory/film.$kind")
        [ "$n" = 11 ] || problem "$called: $n pictures in the film"
    done
fi
PATH=/nonexistent "$HALFARROW" animate "$examples/pendulum.yaml" -o "$directory/none.gif" \
    2>"$directory/err"
[ $? -eq 1 ] || problem "a missing converter is not exit status 1"
called="animate without converters"
has err librsvg2-bin
[ ! -e "$directory/none.gif" ] || problem "a film without converters"
# the second converter is missing
mkdir "$directory/bin"
printf '#!/bin/sh\ncat\n' >"$directory/bin/rsvg-convert"
chmod +x "$directory/bin/rsvg-convert"
ln -s "$(command -v sh)" "$(command -v cat)" "$directory/bin"
PATH=$directory/bin "$HALFARROW" animate "$examples/pendulum.yaml" --duration '200 ms' \
    -o "$directory/none.mp4" 2>"$directory/err"
has err "package ffmpeg"
finish
