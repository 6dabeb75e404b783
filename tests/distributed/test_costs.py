"""The costs of parallel strategies are kept. Judge: MindSpore 2.10."""

import pytest

from msbridge.distributed import costs


def test_costs_are_kept_and_set_back() -> None:
    costs.set_cost_model_context(costmodel_gamma=0.5, run_phase=1)
    costs._set_multi_subgraphs()
    assert costs.get_cost_model_context("costmodel_gamma") == 0.5
    assert costs._get_multi_subgraphs() is True
    costs.reset_cost_model_context()
    assert costs.get_cost_model_context("run_phase") == 0
    assert costs._get_multi_subgraphs() is False


def test_wrong_names_and_values_are_refused() -> None:
    with pytest.raises(ValueError, match="foo is not recognized"):
        costs.set_cost_model_context(foo=1)
    with pytest.raises(ValueError, match="foo is not recognized"):
        costs.get_cost_model_context("foo")
    with pytest.raises(TypeError, match="must be <class 'float'>"):
        costs.set_cost_model_context(costmodel_gamma="a")


def test_what_the_search_is_told_is_kept() -> None:
    assert (costs._get_rp_matmul_mem_coef(), costs._get_algo_single_loop()) == (0.1, False)
    costs._set_rp_matmul_mem_coef(2)
    costs._set_algo_single_loop(True)
    assert (costs._get_rp_matmul_mem_coef(), costs._get_algo_single_loop()) == (2.0, True)
    for setter, value in ((costs._set_rp_matmul_mem_coef, "x"), (costs._set_algo_single_loop, 2)):
        with pytest.raises(TypeError):
            setter(value)
    costs._set_rp_matmul_mem_coef()
    costs._set_algo_single_loop(False)
