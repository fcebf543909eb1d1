"""A small lesson, as text."""

from __future__ import annotations

SMALL = """---
title: A small lesson
about: One learner, a few rows.
minutes: 5
page:
  stream: yeast-rotated
  learners: [SMART, no-change]
  seed: 3
  chunk: 50
  speed: 1000
hide: [story]
---

## The beginning

Some *text*, and a [link](https://example.org/a).

## A choice

```step
ask:
  question: Which?
  options: [this, that]
  answer: 2
until: {row: 200}
claims:
  - {of: no-change, measure: micro_f1, after: 100, up to: 200, is: "0.46"}
```

Choose first.

```reveal
It is 0.46.
```

## Another

```step
page: {at: 250, SMART.half_life: 50}
ask: {question: How on, options: [up, down], answer: 1}
until: {row: 500}
```

Guess.

```reveal
So it was.
```

## Tune

```step
put in: {drift: swap_labels, a: Class1, b: Class2}
until: {tuned: {SMART.half_life: 20}}
```

Tune.

## Look

```step
until: {tab: Labels}
```

Look.

# For the teacher

**Aim.** None.
"""
