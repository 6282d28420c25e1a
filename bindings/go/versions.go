package pcl

import (
	"cmp"
	"strings"
)

// compareVersions orders two semantic versions; no version comes first.
func compareVersions(a, b string) int {
	if a == "" || b == "" {
		return cmp.Compare(len(a), len(b))
	}
	a, _, _ = strings.Cut(a, "+")
	b, _, _ = strings.Cut(b, "+")
	a, preA, isPreA := strings.Cut(a, "-")
	b, preB, isPreB := strings.Cut(b, "-")
	switch order := compareParts(a, b); {
	case order != 0:
		return order
	case isPreA && isPreB:
		return compareParts(preA, preB)
	case isPreA:
		return -1
	case isPreB:
		return 1
	}
	return 0
}

// compareParts orders lists of numbers and words with dots between them.
func compareParts(a, b string) int {
	left, right := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(left), len(right)) {
		if order := comparePart(left[i], right[i]); order != 0 {
			return order
		}
	}
	return cmp.Compare(len(left), len(right))
}

// comparePart orders numbers by their value and before words, which are in the order of their
// characters.
func comparePart(a, b string) int {
	isNumber := func(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
	switch numberA, numberB := isNumber(a), isNumber(b); {
	case numberA && numberB:
		a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
		if order := cmp.Compare(len(a), len(b)); order != 0 {
			return order
		}
	case numberA:
		return -1
	case numberB:
		return 1
	}
	return strings.Compare(a, b)
}
