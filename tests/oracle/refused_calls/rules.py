"""The table of strict mode, of calls and the answers of the real MindSpore and msbridge."""

import pickle
import warnings
from collections import Counter, defaultdict
from pathlib import Path

import msbridge
from msbridge.strict_mode.calls import call_features
from msbridge.strict_mode.faces import locate
from msbridge.strict_mode.table import Refusal
from tests.oracle.refused_calls import asking
from tests.oracle.refused_calls.learning import learn
from tests.oracle.refused_calls.specs import build, target


def features_of_spec(spec):
    """Return the features of a specification, as strict mode sees them; None where it cannot be made."""
    face, constructor, args, kwargs = spec
    try:
        given = [build(value) for value in args]
        named = {key: build(value) for key, value in kwargs}
        made = None
        if face.endswith("()"):
            made = [build(value) for value in constructor[0]], {key: build(value) for key, value in constructor[1]}
            owner = target(face[:-2])(*made[0], **made[1])
            return call_features(face, type(owner).__call__, [owner, *given], named, made)
        if face.startswith("Tensor.") or ".Dataset." in face:
            return call_features(face, getattr(type(given[0]), face.rpartition(".")[2]), given, named)
        function = target(face)
        if isinstance(function, type):
            return call_features(face, function.__init__, [None, *given], named)
        return call_features(face, function, given, named)
    except Exception:
        return None


def observations(calls_path: Path, real_path: Path, ours_path: Path):
    """Return by face the features of every call, the real one's answer, and ours."""
    msbridge.install()
    warnings.simplefilter("ignore")
    calls = pickle.loads(calls_path.read_bytes())
    real, ours = asking.read(real_path), asking.read(ours_path)
    found = defaultdict(list)
    for index, spec in enumerate(calls):
        answer = real.get(index)
        if answer is None or index not in ours or (answer != asking.COMPUTED and ours[index] != asking.COMPUTED):
            continue
        features = features_of_spec(spec)
        if features is not None:
            found[spec[0]].append((features, answer, ours[index]))
    return found


def make_rows(found):
    """Return the rows of the table by face; names that only the drop-in finds are left out."""
    msbridge.uninstall()
    here = {face: calls for face, calls in found.items() if locate(face.removesuffix("()"))}
    rows = {face: [Refusal(*rule) for rule in learn(calls)] for face, calls in here.items()}
    return {face: rules for face, rules in rows.items() if rules}


def graph_rows():
    """Return by rule of graph mode, "graph try", the class of the error of the snippets that it fits."""
    msbridge.install()
    from msbridge.scan import Level
    from tests.oracle.case import load
    from tests.oracle.outcome import NEWEST, folder_of, read
    from tests.scan.scanned import findings

    outcomes = read(folder_of(NEWEST) / "graph_snippets.json.gz")[1]
    classes = defaultdict(Counter)
    for snippet in load("graph_snippets")[1]:
        in_graph = outcomes.get(snippet.name, ["", "", ""])[1]
        for rule in {one.rule.id for one in findings(snippet.source) if one.rule.level == Level.REFUSED}:
            classes[rule][in_graph] += 1
    kept = {rule: counts for rule, counts in classes.items() if all(name.endswith("Error") for name in counts)}
    return {f"graph {rule}": [Refusal(frozenset(), counts.most_common(1)[0][0])] for rule, counts in kept.items()}
