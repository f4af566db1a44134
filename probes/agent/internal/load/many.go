package load

// CountMany counts many operations that were done together from begin to now, each with that
// latency; false when it is time to end. See Count.
//
//go:nosplit
func (l *Lane) CountMany(begin, now int64, many uint32) bool {
	if now >= l.until.Load() && !l.advance(now) {
		return false
	}
	l.counts.AddMany(max(0, now-begin), many)
	return true
}

// Over tells a thread that rests whether it is time to end.
//
//go:nosplit
func (l *Lane) Over(now int64) bool {
	return now >= l.until.Load() && !l.advance(now)
}
