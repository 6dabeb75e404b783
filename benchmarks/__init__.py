"""Speed, as ratios against a peer that is measured in the same run: `python -m benchmarks [--oracle PYTHON]`."""
