package inventory

import (
	"strings"
	"testing"
)

func TestAnOptionFileIsReadAsServersReadIt(t *testing.T) {
	// What comes out was compared with --print-defaults of eleven servers.
	content := strings.Join([]string{
		"# comment", "; another", "", " [mysqld] ",
		`q1 = "a#b" # c`, `q2 = a\nb`, `q3='x"y'`, `q4 = "half`, `q5=`, ` q6 = C:\\d\x`, `q7 # c`,
		`q8 = a\#b`, `q9="a\"b#c"`, `loose_q = "a" "b"`, "[mysqld ]", "r=1", "[ mysqld]", "s=1",
		"  [mysqld]x", "t =\t1 \r", "v = \r", `w = \"`, `"`, "!unknown here", "!included /x", "u = \x00gone",
	}, "\n")
	found, err := parseOptions(content)
	if err != nil {
		t.Fatal(err)
	}
	want := []entry{
		{line: 5, name: "q1", value: "a#b", hasValue: true, text: `q1 = "a#b"`},
		{line: 6, name: "q2", value: "a\nb", hasValue: true, text: `q2 = a\nb`},
		{line: 7, name: "q3", value: `x"y`, hasValue: true, text: `q3='x"y'`},
		{line: 8, name: "q4", value: `"half`, hasValue: true, text: `q4 = "half`},
		{line: 9, name: "q5", hasValue: true, text: "q5="},
		{line: 10, name: "q6", value: `C:\d\x`, hasValue: true, text: `q6 = C:\\d\x`},
		{line: 11, name: "q7", text: "q7"},
		{line: 12, name: "q8", value: `a\`, hasValue: true, text: `q8 = a\`},
		{line: 13, name: "q9", value: `a"b#c`, hasValue: true, text: `q9="a\"b#c"`},
		{line: 14, name: "loose_q", value: `a" "b`, hasValue: true, text: `loose_q = "a" "b"`},
		{line: 16, name: "r", value: "1", hasValue: true, text: "r=1"},
		{line: 18, name: "s", value: "1", hasValue: true, text: "s=1", group: " mysqld"},
		{line: 20, name: "t", value: "1", hasValue: true, text: "t =\t1"},
		{line: 21, name: "v", hasValue: true, text: "v ="},
		{line: 22, name: "w", value: `"`, hasValue: true, text: `w = \"`},
		{line: 23, name: `"`, text: `"`},
		{line: 26, name: "u", hasValue: true, text: "u ="},
	}
	if len(found) != len(want) {
		t.Fatalf("%d entries: %+v", len(found), found)
	}
	for at, each := range want {
		if each.group == "" {
			each.group = "mysqld"
		}
		if found[at] != each {
			t.Errorf("read %+v, want %+v", found[at], each)
		}
	}
}

func TestAnOptionFileThatServersRefuseIsReadUpToThere(t *testing.T) {
	for content, words := range map[string]string{
		"\uFEFF[mysqld]\na=1":                                       "byte order mark",
		"a=1\n[mysqld]":                                             "line 1 of it stands before any group",
		"[mysqld]\na=1\n[mysqld\nb=2":                               "line 3 of it has no end",
		"[mysqld]\na=1\n!include\nb=2":                              "the include in line 3 of it names nothing",
		"[a]\n ! includedir \t\nb=2":                                "the include in line 2 of it names nothing",
		"[mysqld]\na=" + strings.Repeat("x", longestLine) + "\nb=2": "line 2 of it is longer",
	} {
		found, err := parseOptions(content)
		if err == nil || !strings.Contains(err.Error(), words) || len(found) > 1 {
			t.Errorf("%.20q: %v, %v", content, found, err)
		}
	}
	if found, err := parseOptions("[mysqld]\na=1\n!include"); err != nil || len(found) != 1 {
		t.Errorf("without a line's end servers pass over it: %v, %v", found, err)
	}
}

func TestALineThatIsNoOptionShowsWhatIsHarmless(t *testing.T) {
	for text, shown := range map[string]string{
		"innodb_io_capacity 2000":             "innodb_io_capacity 2000",
		"max_connections: 300":                "max_connections: 300",
		"--innodb_io_capacity = 300":          "--innodb_io_capacity = 300",
		"innodb_buffer_pool_size 12 GB":       "innodb_buffer_pool_size 12 GB",
		"innodb_flush_method O_DIRECT":        "innodb_flush_method <hidden>",
		`"max_connections" = 77`:              `"max_connections" = 77`,
		"{{ innodb_settings }}":               "{{ innodb_settings }}",
		"{% if replica %}":                    "{% if replica %}",
		"<% @options.each do %>":              "<% @options.each do %>",
		"${INNODB_OPTIONS}":                   "${INNODB_OPTIONS}",
		"<<<<<<< HEAD":                        "<<<<<<< HEAD",
		"=======":                             "=======",
		">>>>>>> tuning/2026":                 ">>>>>>> tuning/2026",
		"// hunter2":                          "",
		"the old value was hunter2":           "",
		"report_password hunter2":             "",
		"api_key 12345678":                    "",
		"encryption_key: 0123456789":          "",
		"--Conn-Str 5":                        "",
		"wsrep_sst_auth: root:hunter2":        "",
		"my-db root hunter2":                  "my-db <hidden>",
		"${DB_PASS}":                          "",
		"{{ lookup('password', 'hunter2') }}": "",
		"MIIEpAIBAAKCAQEAhunter2":             "",
		"HUNTER2":                             "",
		"hunter2!":                            "",
		"--user root:hunter2@db":              "",
	} {
		each := option(withoutComment(text))
		if each.isOption() || each.shown() != shown {
			t.Errorf("%q: an option: %v; %q", text, each.isOption(), each.shown())
		}
	}
}

func TestANameInCapitalsIsOne(t *testing.T) {
	for text, is := range map[string]bool{
		"innodb_io_capacity=1": true, "a": true, "a.b=2": true, "INNODB_IO_CAPACITY = 1": true, "Max_Connections=1": true,
		"SKIP-NAME-RESOLVE": true, "PORT = 1": true, "loose_MAX_CONNECTIONS=1": true, "LOOSE_x=1": true,
		"PORT": false, "AbCdEfGh=1": false, "MIIEpAIBAAKC=": false, "JBSWY3DPEHPK3PXP=": false, "max connections = 1": false,
		"-a=1": false, "=5": false, "": false, "_a=1": false,
	} {
		if each := option(text); each.isOption() != is {
			t.Errorf("%q: %v", text, !is)
		}
	}
}

func TestIncludesAreRead(t *testing.T) {
	found, err := parseOptions("!includedir /etc/mysql/conf.d/ \r\n! include\t/x y.cnf\n!includes /z\n")
	if err != nil || len(found) != 2 || found[0].folder != "/etc/mysql/conf.d/" || found[1].include != "/x y.cnf" {
		t.Errorf("%+v, %v", found, err)
	}
}
