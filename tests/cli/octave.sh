#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Results in .mat as others read them: every number that Octave, and SciPy where Python has it,
# finds is that of the CSV file of the same run. Skipped where there is neither.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

octave=$(command -v octave-cli || command -v octave || true)
python=
for candidate in python3 /usr/bin/python3; do
    if [ -z "$python" ] && "$candidate" -c 'import scipy.io' 2>/dev/null; then
        python=$candidate
    fi
done
if [ -z "$octave$python" ]; then
    echo "Octave and SciPy are missing (Debian: octave python3-scipy)"
    exit 77
fi

call 0 run -q "$examples/four_bar.yaml" -o "$directory/a.csv"
call 0 run -q "$examples/four_bar.yaml" -o "$directory/a.mat"

# The names of the matrix `name` are the columns of the text; row 2 of dataInfo says where each is.
cat >"$directory/read.m" <<'END'
m = load("a.mat");
text = fileread("a.csv");
head = strsplit(strtok(text, "\n"), ",");
table = dlmread("a.csv", ",", 1, 0);
assert(strtrim(m.Aclass(1, :)), "Atrajectory");
names = cellstr(m.name');
units = cellstr(m.description');
assert(numel(names) == columns(table));
csv = importdata("a.csv", ",", 1);
assert(csv.data, table);
assert(strtrim(csv.colheaders), strtrim(strsplit(strtok(text, "\n"), ",")));
for k = 1:numel(names)
  column = abs(m.dataInfo(2, k));
  if m.dataInfo(1, k) == 1
    found = repmat(m.data_1(column, 1), rows(table), 1);
  else
    found = m.data_2(column, :)';
  endif
  assert(found, table(:, k));
  wanted = head{k};
  if k == 1
    assert(names{k}, "time");
  else
    assert(strtok(wanted, " "), names{k});
  endif
  unit = regexp(wanted, '\[(.*)\]', "tokens");
  if ! isempty(unit)
    assert(! isempty(strfind(units{k}, ["[" unit{1}{1} "]"])));
  endif
endfor
printf("%d columns of %d rows\n", numel(names), rows(table));
END
cat >"$directory/read.py" <<'END'
import csv, scipy.io

m = scipy.io.loadmat("a.mat", chars_as_strings=False)
rows = list(csv.reader(open("a.csv")))
names = ["".join(column).strip() for column in m["name"].T]
assert len(names) == len(rows[0]), (len(names), len(rows[0]))
for k, name in enumerate(names):
    column = abs(int(m["dataInfo"][1, k])) - 1
    found = m["data_1"][column] if m["dataInfo"][0, k] == 1 else m["data_2"][column]
    assert name == ("time" if k == 0 else rows[0][k].split(" ")[0]), name
    for i, row in enumerate(rows[1:]):
        value = found[0] if m["dataInfo"][0, k] == 1 else found[i]
        assert float(row[k]) == value, (name, i, row[k], value)
print(len(names), "columns of", len(rows) - 1, "rows")
END
wanted="$(head -1 "$directory/a.csv" | tr ',' '\n' | wc -l) columns of"
wanted+=" $(($(wc -l <"$directory/a.csv") - 1)) rows"
for reader in "${octave:+$octave --norc --quiet read.m}" "${python:+$python read.py}"; do
    if [ -n "$reader" ]; then
        called="$reader"
        # shellcheck disable=SC2086 # a program and its arguments
        (cd "$directory" && $reader) >"$directory/out" 2>"$directory/err" || {
            cat "$directory/err"
            problem "the numbers are not those of the CSV file"
        }
        has out "$wanted"
    fi
done
finish
