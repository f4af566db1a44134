module leadline/agent

go 1.25.0

require (
	github.com/HdrHistogram/hdrhistogram-go v1.4.0
	github.com/go-sql-driver/mysql v1.10.1
	golang.org/x/sys v0.45.0
)

require filippo.io/edwards25519 v1.2.0 // indirect
