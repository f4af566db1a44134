# Hides secrets: in what the mysql client prints, in option files, in other texts.
function expanded(p,   unit, n, all) {  # the marks of the list, and {n}, which old awks lack
    while (match(p, /\[[^]]*\]\{[0-9]+\}/)) {
        unit = n = substr(p, RSTART, RLENGTH); all = ""
        sub(/\{[0-9]+\}$/, "", unit); sub(/^.*\{/, "", n)
        for (n += 0; n > 0; n--) all = all unit
        p = substr(p, 1, RSTART - 1) all substr(p, RSTART + RLENGTH)
    }
    gsub(/\\</, "(^|[^A-Za-z0-9_])", p); gsub(/\\>/, "([^A-Za-z0-9_]|$)", p); gsub(/\\s/, " \t\r\n\f\v", p)
    return p
}
function hides(name, value) {
    if (value == "" || tolower(value) ~ rule["no value"]) return 0
    name = tolower(name); gsub(/-/, "_", name)
    if (name ~ rule["name"] && name !~ rule["no name"]) return 1
    return looks(value) || tolower(value) ~ rule["value"]
}
function looks(text,   low) {
    low = tolower(text); gsub(rule["no text"], " ", low)
    return text ~ rule["exact"] || low ~ rule["text"]
}
function plain(text) { gsub(/\\[nt0]/, " ", text); gsub(/\\\\/, "\\", text); return text }  # before the client's escapes
function bare(text,   at, c, quote, escaped) {  # an option file's line without its comment
    for (at = 1; at <= length(text); at++) {
        c = substr(text, at, 1)
        if ((c == "\"" || c == "\047") && !escaped) quote = quote == "" ? c : (quote == c ? "" : quote)
        if (c == "#" && quote == "") return substr(text, 1, at - 1)
        escaped = quote != "" && c == "\\" && !escaped
    }
    return text
}
function innodb(text,   n, i, part, first, last, out) {  # its status without users' statements
    n = split(text, part, /\\n/)
    for (i = 2; i < n; i++) if (part[i - 1] ~ /^---+$/ && part[i + 1] ~ /^---+$/) {
        if (!first && part[i] ~ /^(TRANSACTIONS|LATEST DETECTED DEADLOCK|LATEST FOREIGN KEY ERROR) *$/) first = i + 2
        if (part[i] ~ /^FILE I\/O *$/) last = i - 1
    }
    for (i = 1; i <= n; i++) {
        if (first && i >= first && (i < last || last < first)) part[i] = i == first ? "<hidden>" : "\n"
        if (part[i] != "\n") out = out (i > 1 ? "\\n" : "") (looks(part[i]) ? "<hidden>" : part[i])
    }
    return out
}
BEGIN {
    while ((getline line < list) > 0) {
        at = index(line, "\t"); kind = substr(line, 1, at - 1); line = expanded(substr(line, at + 1))
        rule[kind] = rule[kind] (rule[kind] == "" ? "" : "|") line
    }
    if (hides("a", "b1") || !hides("report_password", "x1") || !looks("x://u:p1@h")) exit 3  # an awk that can't
}
mode == "options" {  # an option file: the lines of servers' groups, each in its place
    line = $0; gsub(/^[ \t]+|\r$/, "", line)
    if (line ~ /^\[/) { group = line; gsub(/^\[|[ \t]*\].*$/, "", group) }
    if (line ~ /^[![]/ || sub(/^\357\273\277.*/, "\357\273\277", line)) { print " " line; next }
    servers = group ~ /^(server|mysqld|mysql_cluster|mariadb|galera|client-server)/ || (suffix != "" && index(group, suffix))
    if (line ~ /^([#;]|$)/ || (group != "" && !servers)) { print " "; next }
    line = bare(line); at = index(line, "="); name = at ? substr(line, 1, at - 1) : line; value = substr(line, length(name) + 2)
    sub(/[ \t]+$/, "", name); gsub(/^[ \t"\047]+|[ \t"\047]+$/, "", value); gsub(/\\/, "", value)
    option = name ~ /^[a-z][a-z0-9_.-]*$/ || (name ~ /^[A-Za-z][A-Za-z0-9_.-]*$/ && (at || name ~ /[_-]/))
    print " " (group == "" || !option ? "<hidden>" : (hides(name, value) ? name "=<hidden>" : line)); next
}
mode == "text" { text = $0; sub(/=<hidden>$/, "", text); print looks(text) ? " <hidden>" : $0; next }
/^--------------$/ { asked = !asked; if (asked) sql = ""; print; next }
asked { sql = sql $0; print; next }
sql ~ /^SHOW GLOBAL/ && NF == 2 { print $1 "\t" ((sql ~ /VARIABLES/ || $2 !~ /^[0-9.]+$/) && hides($1, plain($2)) ? "<hidden>" : $2); next }
sql ~ /^SHOW ENGINE INNODB/ && NF == 3 { print $1 "\t" $2 "\t" innodb($3); next }
{ for (i = 1; i <= NF; i++) printf "%s%s", ($i !~ /^[0-9.]*$/ && looks(plain($i)) ? "<hidden>" : $i), (i < NF ? "\t" : "")
  print "" }
