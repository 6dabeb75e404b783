"""Make rules of answers: the fewest features that calls which are refused have, and none that are accepted.

Of a face, accepted are the calls that the real MindSpore computed, refused those that it refused and msbridge computed.
A rule is one feature, two, or three; that of no feature says that the face refuses whatever it is given.
"""

import re
from collections import Counter, defaultdict
from itertools import combinations

from tests.oracle.refused_calls.asking import BEGUN, COMPUTED, CRASH, LATE

STAGES = ((1, 0, 1), (1, 1, 3), (2, 0, 1), (2, 1, 2), (3, 1, 2))
"""Of rules: how many features, how many of them weak at most, and how many refused calls they fit at least."""
WEAK = re.compile(r"[<>]0|=|\[\d\]|#[0-4]|~.*:(?!mixed)")
LACKING = ("RuntimeError", "NotImplementedError")  # of a face that accepts nothing: it has no kernel
DOUBT = {"ValueError": 1, "IndexError": 1, "RuntimeError": 2}  # of values and shapes, or raised amid a computation
MIN_CALLS = 4  # refused, of a face that accepts nothing
MAX_RULES = 60  # of a face
NO_REFUSAL = {CRASH, LATE, BEGUN}
NOT_LEARNED = {"NameError", "ModuleNotFoundError", "MemoryError", "KeyboardInterrupt"}


def learn(calls):
    """Return the rules of a face: (features, class of error) each.

    Args:
        calls: (features, the real one's answer, ours) of each.
    """
    accepted = {features for features, real, _ in calls if real == COMPUTED}
    refused = defaultdict(Counter)
    for features, real, ours in calls:
        if ours == COMPUTED and real not in NO_REFUSAL | NOT_LEARNED | {COMPUTED} and features not in accepted:
            refused[features][real] += 1
    if not refused:
        return []
    errors = {features: counts.most_common(1)[0][0] for features, counts in refused.items()}
    if not accepted:
        return [] if any(real in NO_REFUSAL for _, real, _ in calls) else _whole(Counter(errors.values()))
    return _cover(list(errors), list(accepted), errors)


def _whole(counts):
    """Return the rule of a face that accepts nothing; it may look at types of arguments before it finds no kernel."""
    lacking = [error for error, count in counts.most_common() if error in LACKING and count > 1]
    return [(frozenset(), lacking[0])] if lacking and counts.total() >= MIN_CALLS else []


def _cover(refused, accepted, errors):
    """Return rules that together fit the refused calls, those of few and telling features first."""
    masks = _masks(accepted)
    everything = (1 << len(accepted)) - 1
    rules, left = [], dict.fromkeys(refused)
    for size, most_weak, least in STAGES:
        covers = defaultdict(list)
        for features in left:
            for rule in combinations(sorted(features), size):
                together = everything
                for feature in rule:
                    together &= masks.get(feature, 0)
                    if not together:
                        break
                if not together and sum(map(is_weak, rule)) <= most_weak:
                    covers[rule].append(features)
        if size == 1:  # what is refused beside another dtype only, may be accepted with its own
            covers = {rule: hit for rule, hit in covers.items() if is_mixed(rule) or not all(map(is_mixed, hit))}
        covers = {rule: hit for rule, hit in covers.items() if len(hit) >= least + doubt(hit, errors)}
        while covers and len(rules) < MAX_RULES:
            rule = max(covers, key=lambda one: (len(covers[one]), one))
            hit = covers[rule]
            rules.append((frozenset(rule), Counter(errors[features] for features in hit).most_common(1)[0][0]))
            for features in hit:
                left.pop(features)
            remaining = ((one, [each for each in found if each in left]) for one, found in covers.items())
            kept = ((one, found) for one, found in remaining if found)
            covers = {one: found for one, found in kept if len(found) >= least + doubt(found, errors)}
    return rules


def doubt(refused, errors):
    """Return how many more refused calls a rule must fit, by their class: other calls of those features may be fine."""
    return DOUBT.get(Counter(errors[features] for features in refused).most_common(1)[0][0], 0)


def is_mixed(features):
    """Whether two tensors of a call have different dtypes."""
    return any(feature.endswith(":mixed") for feature in features)


def is_weak(feature):
    """Whether a feature says little by itself: the sign of a number, the length of a sequence, an option."""
    return WEAK.search(feature) is not None


def _masks(accepted):
    masks = defaultdict(int)
    for index, features in enumerate(accepted):
        for feature in features:
            masks[feature] |= 1 << index
    return masks
