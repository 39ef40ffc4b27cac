"""How fast is comparekit, next to the tools people use today? `python -m benchmarks` answers, as ratios."""
