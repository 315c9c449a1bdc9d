# SPDX-License-Identifier: GPL-3.0-or-later
#
# Lists what a C header declares without a doc comment: functions, variables, typedefs, structs,
# unions, enums, their members, and macros. A doc comment is /** before the item or /**< after it.
#
# First the text is cut into tokens: words, single punctuation, "D" (doc comment before), "P" (doc
# comment after) and "#" (a whole directive). Then the declarations are read by recursive descent.
# Not counted: the include guard, macros that are undefined again, forward declarations of a struct.
# A doc comment right before #if speaks for all macros up to its #endif.

{ text = text $0 "\n" }

END {
    at = n_items = depth = pending = faults = 0
    cut()
    guard = first_guard()
    while (at < n_tokens) {
        top_level()
    }
    for (i = 0; i < n_items; i++) {
        if (!documented[i]) {
            printf "%s:%d: %s %s has no doc comment\n", FILENAME, item_line[i], item_kind[i],
                item_name[i]
            faults++
        }
    }
    exit faults > 0
}

# --- tokens ---------------------------------------------------------------------------------------

function put(token, value) {
    tokens[n_tokens] = token
    values[n_tokens] = value
    lines[n_tokens] = line
    n_tokens++
}

# Moves over `count` characters.
function skip(count,   piece) {
    piece = substr(text, 1, count)
    text = substr(text, count + 1)
    line += gsub(/\n/, "", piece)
}

# Length of the comment at the start of the text.
function comment_length(   end) {
    if (substr(text, 1, 2) == "//") {
        return index(text, "\n") - 1
    }
    end = index(substr(text, 3), "*/")
    return end == 0 ? length(text) : end + 3
}

function cut(   is_line_start, c, n) {
    line = 1
    n_tokens = 0
    is_line_start = 1
    while (text != "") {
        c = substr(text, 1, 1)
        if (c == "\n") {
            is_line_start = 1
            skip(1)
        } else if (c ~ /[ \t\\]/) {
            skip(1)
        } else if (substr(text, 1, 2) == "/*" || substr(text, 1, 2) == "//") {
            n = comment_length()
            put_comment(substr(text, 1, n))
            skip(n)
        } else if (c == "#" && is_line_start) {
            cut_directive()
        } else if (c == "\"" || c == "'") {
            match(substr(text, 2), c == "\"" ? /^([^"\\\n]|\\.)*"/ : /^([^'\\\n]|\\.)*'/)
            put("S", "")
            skip(RLENGTH < 0 ? 1 : RLENGTH + 1)
            is_line_start = 0
        } else if (match(text, /^[A-Za-z0-9_]+/)) {
            n = RLENGTH
            put("word", substr(text, 1, n))
            skip(n)
            is_line_start = 0
        } else {
            put(c, c)
            skip(1)
            is_line_start = 0
        }
    }
}

function put_comment(comment) {
    if (comment ~ /^\/\*\*</) {
        put("P", "")
    } else if (comment ~ /^\/\*\*[^\/]/ && comment !~ /[@\\]file/) {
        put("D", "")
    }
}

# A directive up to the end of its last continued line; comments in it may span lines.
function cut_directive(   start, directive, c, n) {
    start = line
    directive = ""
    while (text != "") {
        c = substr(text, 1, 1)
        n = 1
        if (substr(text, 1, 2) == "/*") {
            n = comment_length()
        } else if (substr(text, 1, 2) == "\\\n") {
            n = 2
        } else if (c == "\n") {
            break
        }
        directive = directive substr(text, 1, n)
        skip(n)
    }
    put("#", directive)
    lines[n_tokens - 1] = start
    if (match(directive, /^#[ \t]*undef[ \t]+/)) {
        directive = substr(directive, RLENGTH + 1)
        sub(/[^A-Za-z0-9_].*/, "", directive)
        is_undefined[directive] = 1
    }
}

# --- declarations ---------------------------------------------------------------------------------

function first_guard(   i, name) {
    for (i = 0; i < n_tokens; i++) {
        if (tokens[i] == "#") {
            name = values[i]
            if (name !~ /^#[ \t]*ifndef/) {
                return ""
            }
            sub(/^#[ \t]*ifndef[ \t]+/, "", name)
            sub(/[^A-Za-z0-9_].*/, "", name)
            return name
        }
    }
    return ""
}

function add(kind, name, where, is_documented) {
    item_kind[n_items] = kind
    item_name[n_items] = name == "" ? "(no name)" : name
    item_line[n_items] = where
    documented[n_items] = is_documented
    return n_items++
}

function directive(   text_of, name) {
    text_of = values[at]
    if (text_of ~ /^#[ \t]*if/) {
        depth++
        group[depth] = pending || group[depth - 1]
    } else if (text_of ~ /^#[ \t]*endif/) {
        depth--
    } else if (match(text_of, /^#[ \t]*define[ \t]+[A-Za-z0-9_]+/)) {
        name = substr(text_of, 1, RLENGTH)
        sub(/^#[ \t]*define[ \t]+/, "", name)
        if (name != guard && !(name in is_undefined)) {
            if (name in macro) {
                documented[macro[name]] = documented[macro[name]] || pending || group[depth]
            } else {
                macro[name] = add("macro", name, lines[at], pending || group[depth])
            }
            if (text_of ~ /\/\*\*</) {
                documented[macro[name]] = 1
            }
        }
    }
    pending = 0
    at++
}

# What is no declaration: comments, directives, stray semicolons. Returns 1 when it took one.
function took_other() {
    if (tokens[at] == "D") {
        pending = 1
    } else if (tokens[at] == "P") {
        if (n_items > 0) {
            documented[n_items - 1] = 1
        }
    } else if (tokens[at] == "#") {
        directive()
        return 1
    } else if (tokens[at] != ";") {
        return 0
    }
    at++
    return 1
}

function top_level() {
    if (took_other()) {
        return
    }
    if (values[at] == "HA_BEGIN_DECLS" || values[at] == "HA_END_DECLS") {
        at++
        return
    }
    declaration("")
}

# One declaration up to its semicolon, or up to the end of a function's body. `owner` is the struct
# that a member belongs to, "" at top level.
function declaration(owner,   start, is_documented, kind, name, tag, parens, has_parens, item,
                     body) {
    start = at
    is_documented = pending
    pending = 0
    kind = owner == "" ? "variable" : "member"
    name = tag = ""
    parens = has_parens = 0
    body = ""
    item = -1

    for (; at < n_tokens; at++) {
        if (tokens[at] == "P") {
            is_documented = 1
        } else if (tokens[at] == "#") {
            directive()
            at--
        } else if (tokens[at] == "word" && parens == 0) {
            if (values[at] == "typedef") {
                kind = "typedef"
            } else if (values[at] ~ /^(struct|union|enum)$/) {
                body = values[at]
            } else if (!has_parens) {
                name = values[at]
            }
        } else if (tokens[at] == "word" && parens == 1 && tokens[at - 1] == "*" &&
                   tokens[at - 2] == "(") {
            # a pointer to a function: (*name)(
            name = values[at]
            if (kind == "function") {
                kind = owner == "" ? "variable" : "member"
            }
        } else if (tokens[at] == "(") {
            # an attribute is no parameter list
            if (!has_parens && kind == "variable" && name !~ /^__attribute/) {
                kind = "function"
            }
            has_parens = 1
            parens++
        } else if (tokens[at] == ")") {
            parens--
        } else if (tokens[at] == "{" && has_parens) {
            # the body of an inline function
            item = add(kind, qualified(owner, name), lines[start], is_documented)
            skip_braces()
            return
        } else if (tokens[at] == "{") {
            tag = name
            item = add(kind == "typedef" || owner != "" ? kind : body, qualified(owner, tag),
                       lines[start], is_documented)
            at++
            name = ""
            if (body == "enum") {
                enumerators()
            } else {
                members(tag == "" ? owner : tag)
            }
            pending = 0
        } else if (tokens[at] == "=" && parens == 0) {
            # an initialiser says nothing more
            while (at < n_tokens && tokens[at] != ";") {
                at++
            }
            at--
        } else if (tokens[at] == ";" && parens == 0) {
            at++
            break
        }
    }

    if (item >= 0) {
        # an anonymous union or struct needs no comment of its own, its members do
        if (name != "") {
            item_name[item] = qualified(owner, name)
        } else if (owner != "" || (body == "enum" && tag == "")) {
            documented[item] = 1
        }
        # a comment behind the closing brace belongs to the whole
        if (tokens[at] == "P" && lines[at] == lines[at - 1]) {
            documented[item] = 1
            at++
        }
        return
    }
    if (name ~ /^_?[Ss]tatic_assert$/ || (body != "" && at - start == 3)) {
        return
    }
    add(kind, qualified(owner, name), lines[start], is_documented)
}

function qualified(owner, name) {
    return owner == "" ? name : owner "." name
}

function members(owner) {
    while (at < n_tokens && tokens[at] != "}") {
        if (!took_other()) {
            declaration(owner)
        }
    }
}

function enumerators(   parens, is_new) {
    parens = 0
    is_new = 1
    for (; at < n_tokens && (tokens[at] != "}" || parens > 0); at++) {
        if (tokens[at] == "D") {
            pending = 1
        } else if (tokens[at] == "P") {
            documented[n_items - 1] = 1
        } else if (tokens[at] == "#") {
            directive()
            at--
        } else if (tokens[at] == "(") {
            parens++
        } else if (tokens[at] == ")") {
            parens--
        } else if (tokens[at] == "," && parens == 0) {
            is_new = 1
        } else if (tokens[at] == "word" && is_new) {
            add("enum value", values[at], lines[at], pending)
            pending = 0
            is_new = 0
        }
    }
}

function skip_braces(   braces) {
    braces = 0
    for (; at < n_tokens; at++) {
        if (tokens[at] == "{") {
            braces++
        } else if (tokens[at] == "}" && --braces == 0) {
            at++
            return
        }
    }
}
