"""Faults in the user code of pipelines, in random rows, nodes, workers and consumers: told, and nothing is left."""

import random
import time

from tests.dataset.pipeline_faults import CONSUMERS, FAULTS, NODES, ROWS, WORKERS, Case

FAULTS_TOLD = 20  # more are not


def run(deadline: float, seed: int) -> tuple[int, list[str]]:
    """Read pipelines that fail until time.monotonic() passes `deadline`.

    Returns:
        How many were read, and the faults found.
    """
    choose, count, found = random.Random(seed), 0, list[str]()
    while time.monotonic() < deadline and len(found) < FAULTS_TOLD:
        fault, node, workers = choose.choice(list(FAULTS)), choose.choice(NODES), choose.choice(list(WORKERS))
        if not Case.is_possible(fault, node, workers):
            continue
        case = Case(fault, node, workers, choose.choice(CONSUMERS), choose.randrange(ROWS))
        count += 1
        if wrong := case.run():
            found.append(wrong)
    return count, found
