package inventory

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"leadline/agent/internal/secrets"
)

// server41 is a server's place in /proc, started by these arguments.
func server41(entries map[string]string, arguments ...string) map[string]string {
	entries["proc/41/cmdline"] = strings.Join(append([]string{"/usr/sbin/mariadbd"}, append(arguments, "")...), "\x00")
	return entries
}

// told are the lines as "file:line group name=value".
func told(found *options) string {
	var all []string
	for _, each := range found.Lines {
		value := "-"
		if each.Value != nil {
			value = *each.Value
		}
		all = append(all, filepath.Base(each.File)+" "+each.Group+" "+each.Name+"="+value)
	}
	return strings.Join(all, ", ")
}

// reasons are why files were not read, by their paths.
func reasons(found *options) map[string]string {
	all := map[string]string{}
	for _, each := range found.Files {
		if each.Because != "" {
			all[each.Path] = each.Because
		}
	}
	return all
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

func TestOptionFilesAreReadInTheServersOrder(t *testing.T) {
	root := sysfs(t, server41(map[string]string{
		"proc/41/environ":          "HOME=/home/db\x00MYSQL_HOME=/srv\x00",
		"etc/my.cnf":               "[mysqld]\na=1\n[client]\npassword=hunter2\n[mysqld_safe]\nnice=1",
		"etc/mysql/mariadb.cnf":    "[mariadb-10.11]\nb=2\n!includedir /etc/mysql/conf.d/\n[mariadbd]\nc=3",
		"etc/mysql/conf.d/b.cnf":   "[mysqld]\nd=4",
		"etc/mysql/conf.d/a.x.cnf": "[server]\ne",
		"etc/mysql/conf.d/c.ini":   "[mysqld]\nno=1",
		"srv/my.cnf":               "[galera]\nf=6",
		"extra.cnf":                "[client-server]\ng=7",
		"home/db/.my.cnf":          "[mysqld_two]\nh=8",
		"named.cnf":                "[mysqld]\ni=9",
	}, "--defaults-extra-file=/extra.cnf", "--defaults-group-suffix=_two", "--port=1", "--no-defaults"))
	link(t, "/etc/mysql/mariadb.cnf", filepath.Join(root, "etc/mysql/my.cnf"))
	found := findOptions(root, "41", []string{"/named.cnf", "/etc/my.cnf"})
	want := "my.cnf mysqld a=1, my.cnf mariadb-10.11 b=2, a.x.cnf server e=-, b.cnf mysqld d=4, " +
		"my.cnf mariadbd c=3, my.cnf galera f=6, extra.cnf client-server g=7, .my.cnf mysqld_two h=8, named.cnf mysqld i=9"
	if told(found) != want || len(reasons(found)) != 0 || found.Suffix != "_two" {
		t.Errorf("%s\n%+v", told(found), found)
	}
}

func TestOneOptionFileAloneAndNone(t *testing.T) {
	root := sysfs(t, server41(map[string]string{"etc/my.cnf": "[mysqld]\na=1", "only.cnf": "[mysqld]\nb=2"}, "--defaults-file=/only.cnf"))
	if found := findOptions(root, "41", nil); told(found) != "only.cnf mysqld b=2" {
		t.Errorf("%+v", found)
	}
	for argument, want := range map[string]string{"--defaults-file=only.cnf": "it was named without its folder", "--defaults-file=/gone": "it is not there"} {
		root = sysfs(t, server41(map[string]string{}, argument))
		_, path, _ := strings.Cut(argument, "=")
		if found := findOptions(root, "41", nil); reasons(found)[path] != want {
			t.Errorf("%s: %+v", argument, found)
		}
	}
	root = sysfs(t, server41(map[string]string{"etc/my.cnf": "[mysqld]\na=1"}, "--no-defaults"))
	if found := findOptions(root, "41", []string{"/etc/my.cnf"}); !found.None || len(found.Files) != 0 {
		t.Errorf("%+v", found)
	}
}

func TestAFileBearsTheNameThatTheServerHasForIt(t *testing.T) {
	root := sysfs(t, server41(map[string]string{"srv/real.cnf": "[mysqld]\na=1", "etc/none": ""}))
	link(t, "/srv/real.cnf", filepath.Join(root, "etc/my.cnf"))
	found := findOptions(root, "41", []string{"/srv/real.cnf"})
	if told(found) != "real.cnf mysqld a=1" || found.Files[0].Path != "/srv/real.cnf" || len(found.Files) != 2 {
		t.Errorf("%+v", found)
	}
}

func TestALeadlinesOwnServerIsNotLookedAt(t *testing.T) {
	root := sysfs(t, server41(map[string]string{"etc/my.cnf": "[mysqld]\na=1"}, "--datadir=/var/tmp/.leadline-x/data"))
	if found := findOptions(root, "41", []string{"/etc/my.cnf"}); found != nil {
		t.Errorf("%+v", found)
	}
}

func TestWhatEndsAStartIsTold(t *testing.T) {
	for content, want := range map[string]string{
		"innodb_io_capacity = 2000\n[mysqld]\na=1":                        "no_group 1",
		"\n# {{ managed }}\n{{ header }}\n[mysqld]\na=1":                  "no_group 3",
		"\uFEFF[mysqld]\na=1":                                             "byte_order_mark 1",
		"[mysqld]\na=1\n[mysqld\nb=2":                                     "open_group 3",
		"[mysqld]\na=1\n!includedir\nb=2":                                 "no_path 3",
		"[mysqld]\na=1\n!includedir /nowhere/conf.d\n!includedir /x\nb=2": "no_folder 3",
		"[mysqld]\na=1\n!includedir /etc/file\nb=2":                       "no_folder 3",
		"[mysqld]\na=1\n!include /nowhere.cnf\n!includedir here\nb=2":     " 0",
	} {
		root := sysfs(t, server41(map[string]string{"etc/my.cnf": content, "etc/file": ""}))
		found := findOptions(root, "41", nil)
		if file := found.Files[0]; file.Path != "/etc/my.cnf" || fmt.Sprint(file.Ends, " ", file.Line) != want {
			t.Errorf("%q: %+v", content, found.Files)
		}
		if strings.Contains(content, "/nowhere/") && told(found) != "my.cnf mysqld a=1, my.cnf mysqld b=2" {
			t.Errorf("%q: %s", content, told(found))
		}
	}
	root := sysfs(t, server41(map[string]string{"etc/my.cnf": "[mysqld]\n!include /gone.cnf\n!include /open.cnf", "open.cnf": ""}))
	if err := os.Chmod(filepath.Join(root, "open.cnf"), 0o666); err != nil {
		t.Fatal(err)
	}
	if files := findOptions(root, "41", nil).Files; files[0].Passed || !files[1].Passed || !files[2].Passed {
		t.Errorf("%+v", files)
	}
	root = sysfs(t, server41(map[string]string{"my.cnf": "[mysqld]\n!include /gone.cnf"}, "--defaults-file=/my.cnf"))
	if files := findOptions(root, "41", nil).Files; files[0].Ends != "" || files[1].Ends != "" || !files[1].Passed {
		t.Errorf("%+v", files)
	}
	root = sysfs(t, server41(map[string]string{}, "--defaults-file=/gone.cnf"))
	if file := findOptions(root, "41", nil).Files[0]; file.Ends != noFile || file.Line != 0 || file.Because != notThere || file.Passed {
		t.Errorf("%+v", file)
	}
}

func TestALineThatIsNoOptionIsKept(t *testing.T) {
	content := "[client]\nnever mind\n[mysqld]\na=1\ninnodb_io_capacity 2000\n// hunter2\nMAX_CONNECTIONS = 7\n"
	root := sysfs(t, server41(map[string]string{"etc/my.cnf": content}))
	found := findOptions(root, "41", nil)
	if told(found) != "my.cnf mysqld a=1, my.cnf mysqld =-, my.cnf mysqld =-, my.cnf mysqld MAX_CONNECTIONS=7" {
		t.Errorf("%s", told(found))
	}
	if line := found.Lines[1]; line.Line != 5 || line.Text != "innodb_io_capacity 2000" {
		t.Errorf("%+v", line)
	}
	if line := found.Lines[2]; line.Line != 6 || line.Text != "" {
		t.Errorf("%+v", line)
	}
}

func TestAContainersFilesAreItsOwn(t *testing.T) {
	entries := server41(map[string]string{"etc/my.cnf": "[mysqld]\na=1", "proc/41/status": "NSpid:\t41\t1"})
	if found := findOptions(sysfs(t, entries), "41", nil); len(found.Files) != 0 || !strings.Contains(found.Because, "container") {
		t.Errorf("%+v", found)
	}
	entries["proc/41/root/etc/inner.cnf"] = "[mysqld]\nb=2"
	root := sysfs(t, entries)
	link(t, "inner.cnf", filepath.Join(root, "proc/41/root/etc/link.cnf"))
	link(t, "/etc/../etc/link.cnf", filepath.Join(root, "proc/41/root/etc/my.cnf"))
	if found := findOptions(root, "41", nil); told(found) != "my.cnf mysqld b=2" {
		t.Errorf("%+v", found)
	}
}

func TestWhatServersPassOverAndWhatCantBeRead(t *testing.T) {
	root := sysfs(t, server41(map[string]string{
		"etc/my.cnf": "[mysqld]\na=1\n!include /loop.cnf\n!include /open.cnf\n!include /huge.cnf\n!include /pipe\n!include rel.cnf\n!includedir /none",
		"loop.cnf":   "[mysqld]\nb=2\n!include /etc/my.cnf",
		"open.cnf":   "[mysqld]\nc=3",
		"huge.cnf":   "[mysqld]\n" + strings.Repeat("# far too long\n", 20000),
	}))
	if err := os.Chmod(filepath.Join(root, "open.cnf"), 0o646); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	found := findOptions(root, "41", nil)
	if told(found) != "my.cnf mysqld a=1, loop.cnf mysqld b=2" {
		t.Errorf("%s", told(found))
	}
	for path, words := range map[string]string{
		"/etc/my.cnf": "includes itself", "/open.cnf": "everybody may write", "/huge.cnf": "larger than 256 KiB",
		"/pipe": "no regular file", "rel.cnf": "without its folder", "/none": "not there", "~/.my.cnf": "environment",
	} {
		if !strings.Contains(reasons(found)[path], words) {
			t.Errorf("%s: %q", path, reasons(found)[path])
		}
	}
}

func TestNoSecretLeavesTheMachine(t *testing.T) {
	content := `
[client]
password = hunter2
[mysqld]
loose-Report_Pass = hunter2
report-password = "hunter2"   # hunter2
master-pass = hunter2
wsrep_sst_auth=root:hunter2
wsrep-provider-options = "socket.ssl_key=hunter2"
init-connect = SET @a = 'hunter2'
loose_odd = mysql://root:hunter2@db
loose_words = my password is hunter2
hunter2 = hunter2
Hunter2
port = 3306 # hunter2
report-password =
[mysqldump]
password = hunter2
`
	root := sysfs(t, server41(map[string]string{"etc/my.cnf": strings.ReplaceAll(content, "\nhunter2 = hunter2", "\n$hunter2 = hunter2")}))
	found := findOptions(root, "41", nil)
	told, err := json.Marshal(found)
	if err != nil || strings.Contains(strings.ToLower(string(told)), "hunter2") {
		t.Errorf("%s, %v", told, err)
	}
	if !strings.Contains(string(told), `"port = 3306"`) || strings.Count(string(told), `"\u003chidden\u003e"`) != 8 {
		t.Errorf("%s", told)
	}
}

func TestEverySettingThatRulesLookAtIsTold(t *testing.T) {
	sheets, err := filepath.Glob("../../../../resources/variables/*.toml")
	if err != nil || len(sheets) < 100 {
		t.Fatalf("%d sheets, %v", len(sheets), err)
	}
	for _, sheet := range sheets {
		if name := strings.TrimSuffix(filepath.Base(sheet), ".toml"); secrets.Hides(name, "1") || !optionName.MatchString(name) {
			t.Errorf("%s is hidden", name)
		}
	}
}

func FuzzOptions(f *testing.F) {
	f.Add("[mysqld]\na = \"b\\\" # c\n!include /x\n")
	f.Add("[mysqld\n\\\n'=#\x00")
	f.Fuzz(func(t *testing.T, content string) {
		found, _ := parseOptions(content)
		for _, each := range found {
			if each.line < 1 || each.line > strings.Count(content, "\n")+1 || len(each.text) > longestLine {
				t.Errorf("%+v", each)
			}
		}
	})
}

// A read of the kernel's log waits for its next line, and takes it from whoever else wants it.
func TestWhatHasNoEndInAFilesPlaceIsNotRead(t *testing.T) {
	for _, path := range []string{"/proc/kmsg", "/proc/self/mem", "/dev/zero", "/dev/kmsg"} {
		reader := &optionReader{root: "/", found: &options{}}
		reader.follow(path, true, false)
		if len(reader.found.Lines) > 0 || reader.found.Files[0].Because == "" {
			t.Errorf("%s was read: %+v", path, reader.found)
		}
	}
}

func TestTheFileOfAProcessNumberMayBeAnything(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pid")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, each := range []string{path, "/proc/kmsg", "/dev/zero", filepath.Dir(path)} {
		if got := pidIn(each); got != "" {
			t.Errorf("%s: %q", each, got)
		}
	}
}

// Every inventory has to stay below what a target's command may say, whatever the files hold.
func TestHoweverMuchStandsInOptionFilesLittleIsTold(t *testing.T) {
	for name, line := range map[string]string{
		"long":    "init_connect=" + strings.Repeat("<", 4000) + "\n",
		"short":   "a\n",
		"control": "b=" + strings.Repeat("\x01", 4000) + "\n",
	} {
		entries := server41(map[string]string{"etc/my.cnf": "[mysqld]\n!includedir /etc/my.cnf.d"})
		for at := range 20 {
			entries[fmt.Sprintf("etc/my.cnf.d/%02d.cnf", at)] = "[mysqld]\n" + strings.Repeat(line, 250000/len(line))
		}
		found := findOptions(sysfs(t, entries), "41", nil)
		written, err := json.Marshal(found)
		if err != nil || len(written) > 3500<<10 || len(found.Lines) == 0 {
			t.Errorf("%s: %d bytes of %d lines, %v", name, len(written), len(found.Lines), err)
		}
		if why := reasons(found)["/etc/my.cnf.d/19.cnf"]; !strings.Contains(why, "more") {
			t.Errorf("%s: nothing is said of what was left out: %q", name, why)
		}
	}
}
