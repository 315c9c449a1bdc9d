#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What fish offers: names of the model, from files and words with quotes too.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

command -v fish >/dev/null || {
    echo "skipped: no fish (Debian: fish)"
    exit 77
}

# offers WANTED LINE: all that fish offers at the end of the line, without descriptions
offers() {
    local offered
    offered=$(cd "$directory" && HOME=$directory fish --no-config -c '
        function halfarrow; $HALFARROW $argv; end
        source $completion
        complete -C $argv[1]' "$2" | cut -f 1)
    [ "$offered" = "$1" ] || problem "fish offers \`$offered\` for \`$2\`, not \`$1\`"
}

completion=$(realpath "$top_srcdir/tools/completion/halfarrow.fish")
export completion
HALFARROW=$(realpath "$(command -v "$HALFARROW")")
cp "$examples/four_bar.yaml" "$directory/my model.yaml"
cp "$examples"/{motor_speed,motor_four_bar,nested_chain}.yaml "$directory"
"$HALFARROW" run -q "$examples/pendulum.yaml" -o "$directory/a.csv"
offers --driver 'halfarrow run --dri'
offers compare 'halfarrow comp'
offers unlimited 'halfarrow run motor_speed.yaml --variant u'
# names of the model only, where there are files of such a name, too
offers motor 'halfarrow linearise "my model.yaml" -u mot'
offers bodies.crank.mass= 'halfarrow run my\ model.yaml --set bodies.crank.ma'
offers bodies.crank.mass= "halfarrow run 'my model.yaml' --set 'bodies.crank.ma"
offers 'O.fx;rod.alpha' "halfarrow plot ~/a.csv --panels 'O.fx;rod.al"
rod='strand[0].rope[0].piece[0].link[0].rod'
offers $rod.angle "halfarrow compare nested_chain.yaml -y $rod.an"
# files, where it has nothing to offer
offers "motor_four_bar.yaml
motor_speed.yaml" 'halfarrow run moto'
finish
