"""LSTM packing: weights that a model keeps in one tensor and the checkpoint in several, or the reverse, as in r1.x."""

from collections.abc import Mapping, Sequence

from msbridge.converters.names.parameter_table import Pair
from msbridge.converters.options import Naming
from msbridge.converters.tensors.entry import Entry
from msbridge.converters.tensors.packed_recurrent import find_packed_lstms
from msbridge.converters.tensors.steps import ConversionStep


def repack(
    pairs: Sequence[Pair],
    working: Mapping[str, str],
    entries: Mapping[str, Entry],
    of: Naming,
    to: Naming,
    is_cudnn: bool,
) -> tuple[list[ConversionStep], list[Pair], dict[str, str]]:
    """Work out the steps of such tensors.

    Args:
        pairs: both names of the model's tensors.
        working: the name to map → the name in the source.
        entries: the source.
        of: whose names the source has.
        to: whose names the target has.
        is_cudnn: whether one tensor for all is in the order of a GPU.

    Returns:
        The steps; the pairs and the names that are left.
    """
    by_name = {one.name_in(of): one for one in pairs}
    wanted = {name: one.shape for name, one in by_name.items() if one.shape is not None and one.axes is None}
    given = {name: entries[source].shape for name, source in working.items()}
    steps, settled = [], set()
    for packed in find_packed_lstms(wanted, given, is_cudnn):
        made = [by_name[name] for name in packed.targets]
        targets = tuple(one.name_in(to) for one in made)
        sources = tuple(working[name] for name in packed.sources)
        reason = f"{made[0].layer} of the model, another release's form"
        steps.append(ConversionStep(sources, targets, operation=packed.operation, reason=reason))
        settled |= {*packed.sources, *packed.targets}
    left = {name: source for name, source in working.items() if name not in settled}
    return steps, [one for one in pairs if one.name_in(of) not in settled], left
