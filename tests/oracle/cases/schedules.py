"""Learning rates: the functions that list them and the Cells that compute them."""

from mindspore import Tensor, nn

from tests.oracle.case import each


def at(schedule: nn.Cell, *steps: int) -> list:
    return [schedule(Tensor(step)) for step in steps]


CASES = [
    *each("""
        nn.piecewise_constant_lr([2, 5, 10], [0.1, 0.05, 0.01])
        nn.exponential_decay_lr(0.1, 0.9, 6, 2, 1)
        nn.exponential_decay_lr(0.1, 0.9, 6, 2, 2, is_stair=True)
        nn.natural_exp_decay_lr(0.1, 0.9, 6, 2, 2)
        nn.natural_exp_decay_lr(0.1, 0.9, 6, 2, 2, True)
        nn.inverse_decay_lr(0.1, 0.5, 6, 1, 1)
        nn.inverse_decay_lr(0.1, 0.5, 6, 1, 2, True)
        nn.cosine_decay_lr(0.01, 0.1, 6, 2, 2)
        nn.cosine_decay_lr(0.0, 0.1, 8, 2, 4)
        nn.polynomial_decay_lr(0.1, 0.01, 6, 2, 2, 0.5)
        nn.polynomial_decay_lr(0.1, 0.01, 6, 2, 2, 0.5, update_decay_epoch=True)
        nn.warmup_lr(0.1, 6, 2, 2)
        nn.warmup_lr(0.1, 6, 2, 3)
        at(nn.ExponentialDecayLR(0.1, 0.9, 4), 0, 1, 2, 7)
        at(nn.ExponentialDecayLR(0.1, 0.9, 4, True), 0, 1, 4, 7)
        at(nn.NaturalExpDecayLR(0.1, 0.9, 4), 0, 1, 2, 7)
        at(nn.NaturalExpDecayLR(0.1, 0.9, 4, True), 0, 3, 4, 8)
        at(nn.InverseDecayLR(0.1, 0.9, 4), 0, 1, 2, 7)
        at(nn.InverseDecayLR(0.1, 0.9, 4, True), 0, 3, 4, 8)
        at(nn.CosineDecayLR(0.01, 0.1, 4), 0, 1, 2, 4, 9)
        at(nn.PolynomialDecayLR(0.1, 0.01, 4, 0.5), 0, 1, 2, 4, 9)
        at(nn.PolynomialDecayLR(0.1, 0.01, 4, 2.0, True), 0, 1, 4, 5, 9)
        at(nn.WarmUpLR(0.1, 4), 0, 1, 2, 4, 9)
    """),
    *each(
        """
        nn.cosine_decay_lr(0.1, 0.01, 6, 2, 2)
        nn.cosine_decay_lr(-0.1, 0.1, 6, 2, 2)
        nn.piecewise_constant_lr([2, 5], [0.1])
        nn.exponential_decay_lr(0.1, 0.9, 0, 2, 1)
        nn.warmup_lr(0.1, -6, 2, 2)
        nn.CosineDecayLR(0.1, 0.01, 4)
        nn.WarmUpLR(0.1, 0)
        nn.PolynomialDecayLR(0.1, 0.01, 4, -1.0)
        nn.ExponentialDecayLR(-0.1, 0.9, 4)
    """,
        raises=ValueError,
    ),
    *each(
        """
        nn.cosine_decay_lr(0.01, 0.1, 6.5, 2, 2)
        nn.piecewise_constant_lr(2, [0.1])
        nn.exponential_decay_lr('a', 0.9, 6, 2, 1)
        nn.CosineDecayLR(1, 0.1, 4)
        nn.WarmUpLR(0.1, 2.5)
    """,
        raises=TypeError,
    ),
]

CASES += each("""
    nn.ExponentialDecayLR(0.1, 0.9, 4)(3)
    nn.CosineDecayLR(0.01, 0.1, 4)(3)
    nn.WarmUpLR(0.1, 4)(3)
    nn.PolynomialDecayLR(0.1, 0.01, 4, 0.5)(3)
    nn.InverseDecayLR(0.1, 0.9, 4)(3)
    nn.NaturalExpDecayLR(0.1, 0.9, 4)(3.0)
""")
