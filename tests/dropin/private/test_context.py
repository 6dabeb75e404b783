"""The context as an object. Values and classes are those of MindSpore 2.10."""

import re
from pathlib import Path

import pytest

from msbridge.dropin.private import context
from msbridge.dropin.private.context import K_CONTEXT, MSContext, Setting

pytestmark = pytest.mark.usefixtures("mindspore_is_msbridge")


def test_the_object_reads_and_sets_what_the_functions_do() -> None:
    from mindspore import context

    found = context._context()
    assert found is context.K_CONTEXT
    found.set_param(context.ms_ctx_param.max_call_depth, 50)
    found.set_mode(0)
    found.set_deterministic("OFF")
    assert (context.get_context("max_call_depth"), found.get_mode(), context._get_mode()) == (50, 0, 0)
    assert found.get_param(context.ms_ctx_param.device_target) == context.get_context("device_target")
    assert (found.enable_debug_runtime, found.enable_ge, found.reserve_class_name_in_scope) == (False, False, True)
    with pytest.raises(ValueError, match="mode"):
        found.set_mode(5)
    with pytest.raises(AttributeError, match="nothing"):
        _ = found.nothing


def test_the_jit_configuration() -> None:
    K_CONTEXT.set_jit_config({"jit_level": "O0"})
    assert context.get_jit_config() == K_CONTEXT.get_jit_config() == {"jit_level": "O0"}
    K_CONTEXT.setters["jit_config"]({})
    assert context.get_jit_config() == {}


def test_a_setting_is_asked_for_by_its_number() -> None:
    assert repr(Setting.mode) == f"<ms_ctx_param.mode: {int(Setting.mode)}>"
    assert str(Setting.mode) == "ms_ctx_param.mode"
    with pytest.raises(TypeError, match="ms_ctx_param"):
        MSContext.get_instance().get_param("mode")
    with pytest.raises(TypeError, match="ms_ctx_param"):
        MSContext.get_instance().set_param("mode", 0)


def test_the_engine_is_asked_about_the_machine() -> None:
    engine = MSContext.get_instance()
    assert engine.is_ascend_plugin_loaded() is (engine.get_ascend_soc_version() != "")
    assert engine.is_pkg_support_device("CPU")
    assert not engine.is_pkg_support_device("TPU")
    before = engine.get_backend_policy()
    K_CONTEXT.set_backend_policy("ge")
    assert MSContext.get_instance().get_backend_policy() == "ge"
    engine.set_backend_policy(before)


def test_small_functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mindspore import context

    assert context._check_target_specific_cfgs("CPU", "enable_graph_kernel")
    assert not context._check_target_specific_cfgs("CPU", "max_device_memory")
    assert not context._need_reset_device_target_for_ps("Ascend")
    monkeypatch.setenv("MS_ROLE", "MS_SCHED")
    assert context._need_reset_device_target_for_ps("Ascend")
    assert re.fullmatch(r"a\.\d{10}", context._get_print_file_name("a"))
    assert context._make_directory(str(tmp_path / "a" / "b")) == str(tmp_path / "a" / "b")
    with pytest.raises(ValueError, match="not empty"):
        context._make_directory(" ")
    assert re.match(context._RE_PATTERN, "3.5GB")
