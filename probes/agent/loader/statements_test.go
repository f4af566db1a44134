package main

import (
	"errors"
	"strconv"
	"sync"
	"testing"
)

// scripted is a server that remembers what each of its connections was asked.
type scripted struct {
	lock  sync.Mutex
	asked [][]string
	open  int
	// fails is the statement that it refuses.
	fails string
}

type scriptedConnection struct {
	server *scripted
	index  int
}

var errRefused = errors.New("refused")

func (s *scripted) connect() (querying, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.open++
	s.asked = append(s.asked, nil)
	return &scriptedConnection{s, len(s.asked) - 1}, nil
}

func (c *scriptedConnection) Query(statement string) ([][]string, error) {
	c.server.lock.Lock()
	defer c.server.lock.Unlock()
	c.server.asked[c.index] = append(c.server.asked[c.index], statement)
	if statement == c.server.fails {
		return nil, errRefused
	}
	return nil, nil
}

func (c *scriptedConnection) Close() {
	c.server.lock.Lock()
	defer c.server.lock.Unlock()
	c.server.open--
}

func numbered(count int) (statements []string) {
	for number := range count {
		statements = append(statements, strconv.Itoa(number))
	}
	return statements
}

func TestEachConnectionCarriesOutConsecutiveStatements(t *testing.T) {
	for _, connections := range []int{1, 3, 4, 20} {
		server := &scripted{}
		var told []int
		err := carriedOut(numbered(10), connections, server.connect, func(done int) { told = append(told, done) })
		if err != nil || server.open != 0 || len(told) != 10 || told[9] != 10 {
			t.Errorf("%d connections: %v, %d open, %v", connections, err, server.open, told)
		}
		seen := map[string]bool{}
		for _, own := range server.asked {
			for index, statement := range own {
				seen[statement] = true
				first, _ := strconv.Atoi(own[0])
				if statement != strconv.Itoa(first+index) {
					t.Errorf("%d connections: one was asked %v", connections, own)
				}
			}
		}
		if len(seen) != 10 {
			t.Errorf("%d connections: %d statements were carried out", connections, len(seen))
		}
	}
}

func TestAStatementThatFailsEndsTheRun(t *testing.T) {
	server := &scripted{fails: "0"}
	err := carriedOut(numbered(1000), 1, server.connect, func(int) {})
	if !errors.Is(err, errRefused) || server.open != 0 || len(server.asked[0]) != 1 {
		t.Errorf("%v, %d open, %d asked", err, server.open, len(server.asked[0]))
	}
	nobody := func() (querying, error) { return nil, errRefused }
	if err := carriedOut(numbered(3), 2, nobody, func(int) {}); !errors.Is(err, errRefused) {
		t.Errorf("%v without a server", err)
	}
}

func TestWithoutALoadAPlanNeedsNothingElseOfIt(t *testing.T) {
	if err := (&wanted{Load: loadPlan{Kind: noLoad}}).checkLoad(); err != nil {
		t.Error(err)
	}
}
