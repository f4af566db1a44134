package secrets

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestTheListIsThePrograms(t *testing.T) {
	programs, err := os.ReadFile("../../../../resources/secrets.txt")
	if err != nil || string(programs) != list {
		t.Errorf("resources/secrets.txt has changed: copy it to here (%v)", err)
	}
	for _, section := range []string{
		"names", "names of no secret", "texts", "texts of no secret", "values", "values of no secret",
	} {
		if rules[section] == nil {
			t.Errorf("no section %q", section)
		}
	}
}

// The program's tests read the same cases.
func TestCases(t *testing.T) {
	content, err := os.ReadFile("testdata/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	number := 0
	for line := range strings.Lines(string(content)) {
		var told [3]string
		if err := json.Unmarshal([]byte(line), &told); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		number++
		if hidden := Hides(told[1], told[2]); hidden != (told[0] == "hidden") {
			t.Errorf("%q is to be %s", told[1:], told[0])
		}
	}
	if number < 200 {
		t.Errorf("%d cases", number)
	}
}
