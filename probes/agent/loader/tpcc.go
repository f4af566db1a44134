package main

import (
	"context"

	"leadline/agent/internal/faults"
	"leadline/agent/internal/tpcc"
)

// tpccLoad is TPC-C.
type tpccLoad struct{ *tpcc.Workload }

func openTPCC(ctx context.Context, wanted *wanted) (filling, error) {
	login, load := wanted.MySQL, wanted.Load
	if !login.ReachedPrivately() {
		return nil, faults.New(faults.BadPlan, "tpcc: it is not encrypted, and the way to the server is not private")
	}
	opened, err := tpcc.Open(ctx, tpcc.Config{
		Network: login.Network, Address: login.Address, User: login.User, Password: login.Password,
		Database: login.Database, Warehouses: load.Warehouses, Connections: load.Connections, Seed: int64(load.Seed),
	})
	if err != nil {
		return nil, err
	}
	return tpccLoad{opened}, nil
}

func (l tpccLoad) Session(ctx context.Context, index int) (session, error) {
	opened, err := l.Workload.Session(ctx, index)
	if err != nil {
		return nil, err
	}
	return opened, nil
}

func (l tpccLoad) Passing(err error) bool { return tpcc.Passing(err) }
