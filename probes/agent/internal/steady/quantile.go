package steady

import "time"

// normal975 is the 97.5 % quantile of the normal distribution.
const normal975 = 1.959964

// student975 returns the 97.5 % quantile of Student's t distribution, by the first terms of its
// expansion around the normal one (Abramowitz and Stegun 26.7.5); good to 0.1 % from 5 degrees of
// freedom on.
func student975(freedom int) float64 {
	const z = normal975
	n := float64(freedom)
	return z + (z*z*z+z)/(4*n) +
		(5*z*z*z*z*z+16*z*z*z+3*z)/(96*n*n) +
		(3*z*z*z*z*z*z*z+19*z*z*z*z*z+17*z*z*z-15*z)/(384*n*n*n)
}

func seconds(ns int64) float64 { return time.Duration(ns).Seconds() }
