"""Fresh calls for judging the table: other values, shapes and several changes at once, by chance.

None is a call that the table was made of: those change one thing, or a pair of dtypes, of a template.
"""

import random

import numpy as np

from tests.oracle.refused_calls.varying import DTYPES, OTHERS, Call, cast, emptied, is_tensor, of_rank, reshaped

CHANGES = (0, 1, 1, 2, 2, 3)  # how many, by chance
COMMON = ("Bool", "Int32", "Int64", "Float16", "Float32", "Float64", "BFloat16", "Complex64", "UInt8", "Int8")


def held_out(templates, count, seed, known):
    """Return calls.

    Args:
        templates: specifications by face.
        count: how many.
        seed: of the choices.
        known: calls that are left out.
    """
    choose = random.Random(seed)
    faces = sorted(templates)
    found = {}
    while len(found) < count:
        spec = choose.choice(templates[choose.choice(faces)])
        for _ in range(choose.choice(CHANGES)):
            spec = changed(spec, choose)
        if spec not in known:
            found[spec] = None
    return list(found)


def changed(spec, choose):
    """Return a call with one more change."""
    call = Call(spec)
    ways = [_scalar]
    if call.tensors or call.sequences:
        ways += [_joint_dtype, _joint_dtype, _sizes, _sizes, _values, _ranks, _empty]
    if call.tensors:
        ways += [_one_dtype, _one_dtype, _one_rank, _type]
    return choose.choice(ways)(call, choose)


def _joint_dtype(call, choose):
    dtype = choose.choice(DTYPES)
    return call.all_tensors(lambda tensor: cast(tensor, dtype))


def _one_dtype(call, choose):
    place = choose.choice(call.tensors)
    return call.with_values({place: cast(call.values[place], choose.choice(COMMON))})


def _sizes(call, choose):
    sizes = {}

    def resized(tensor):
        return reshaped(tensor, tuple(sizes.setdefault(size, choose.randint(1, 5)) for size in tensor[2]))

    return call.all_tensors(resized)


def _values(call, choose):
    def shifted(tensor):
        kind, dtype, shape, raw, numpy_dtype, is_parameter = tensor
        array = np.roll(np.frombuffer(raw, numpy_dtype), choose.randint(1, 3))
        return (kind, dtype, shape, array.tobytes(), numpy_dtype, is_parameter)

    return call.all_tensors(shifted)


def _ranks(call, choose):
    more = choose.choice((-1, 1, 2))
    return call.all_tensors(lambda tensor: of_rank(tensor, max(0, len(tensor[2]) + more)))


def _one_rank(call, choose):
    place = choose.choice(call.tensors)
    return call.with_values({place: of_rank(call.values[place], choose.randint(0, 5))})


def _empty(call, choose):
    return call.all_tensors(lambda tensor: emptied(tensor, choose.choice((0, -1))))


def _type(call, choose):
    place = choose.choice(call.tensors)
    if call.is_method and place == ("args", 0):
        return call.spec
    _, _, shape, raw, numpy_dtype, _ = call.values[place]
    other = choose.choice((None, True, 3, -2, 0.25, "sum", ("array", numpy_dtype, shape, raw)))
    return call.with_values({place: other})


def _scalar(call, choose):
    places = [place for place, value in call.values.items() if not is_tensor(value)]
    if not places or (call.is_method and places == [("args", 0)]):
        return call.spec
    place = choose.choice(places)
    value = call.values[place]
    if type(value) is int:
        return call.with_values({place: value + choose.choice((-2, -1, 1, 2))})
    if type(value) is float:
        return call.with_values({place: value * choose.choice((-1.0, 0.5, 2.0))})
    return call.with_values({place: choose.choice(OTHERS)}) if place != ("args", 0) else call.spec
