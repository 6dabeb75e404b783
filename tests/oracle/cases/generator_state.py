"""Generators' states: their form, what they are set to, and seeds. Numbers themselves are not MindSpore's."""

from mindspore import Generator, Tensor

from tests.oracle.case import Case, each


def state_of(seed: int) -> Tensor:
    return Generator().manual_seed(seed).get_state()


def after(state: object) -> tuple:
    """Set a state, and ask for it."""
    generator = Generator()
    generator.set_state(state)
    return generator.get_state(), generator.initial_seed()


def seed_is_new() -> tuple:
    generator = Generator()
    seed = generator.seed()
    return type(seed), 0 <= seed < 2**32, generator.initial_seed() == seed, generator.get_state()[8:]


CASES = [
    *each(
        """
        Generator().get_state()
        Generator().initial_seed()
        state_of(5), state_of(-1), state_of(2**31), state_of(2**63 - 1), state_of(-(2**63)), state_of(2**63)
        state_of(True), Generator().manual_seed(True).initial_seed()
        after(state_of(7))
        after(Tensor(list(range(16)), ms.uint8))
        after(Tensor(list(range(16)), ms.uint8).reshape(4, 4))
        after(Tensor([0] * 15 + [128], ms.uint8))
        seed_is_new()
        type(ms.seed()), ms.seed() < 2**32
        ms.manual_seed(2**63).initial_seed()
        ms.manual_seed(7).initial_seed(), ms.initial_seed(), ms.manual_seed(8).initial_seed(), ms.initial_seed()
        Generator().manual_seed(2**40).initial_seed()
        Generator().manual_seed(5) is None, isinstance(Generator().manual_seed(5), Generator)
        [name for name in dir(Generator()) if not name.startswith("_")]
        """
    ),
    *each(
        """
        after(Tensor([0] * 15, ms.uint8))
        after(Tensor([0] * 17, ms.uint8))
        after(Tensor([0] * 16, ms.int8))
        after(Tensor([0] * 2, ms.int64))
        after(Tensor([1] * 5056, ms.uint8))
        after(b"0123456789abcdef")
        after(None)
        Generator().manual_seed(2**64)
        ms.manual_seed(2**64)
        """,
        raises=RuntimeError,
    ),
    Case("Generator().manual_seed('a')", raises=TypeError),
    Case("ms.manual_seed(np.int64(4))", raises=TypeError),
]
