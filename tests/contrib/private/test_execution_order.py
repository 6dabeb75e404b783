"""Orders of communication. The judge is MindSpore 2.10: its words, circles, errors, and what it logs as an error."""

from pathlib import Path

import pytest

from msbridge.contrib.private import execution_order as order

HEADER = ",".join(order.RankFolderParser.REQUIRED_COLUMNS)
ALL = ("AllReduce", "", "", "")
SEND, RECEIVE, CAST = ("Send", "", "1", ""), ("Receive", "0", "", ""), ("Broadcast", "", "", "0")


def written(folder: Path, ranks: dict[int, list[tuple[str, ...]]]) -> str:
    for rank, operations in ranks.items():
        at = folder / f"rank_{rank}" / "execute_order"
        at.mkdir(parents=True)
        rows = [f"{number},g,0 1,{','.join(one)},(2),float32,(3),float32,8,12" for number, one in enumerate(operations)]
        (at / "comm_execute_order.csv").write_text("\n".join([HEADER, *rows]) + "\n")
    return str(folder)


def test_words_are_those_of_mindspore(tmp_path: Path) -> None:
    parsed = order.RankFolderParser(written(tmp_path, {0: [ALL, SEND, ALL, CAST], 1: [ALL, RECEIVE]})).parse()
    assert order.modify_execute_orders(parsed) == {
        "0": [
            "AllReduce_g_(0,1)_1th",
            "Send_Receive_g_(0)->(1)_(2)_1th",
            "AllReduce_g_(0,1)_2th",
            "Broadcast_g_commRank:(0,1)_rootRank:(0)_1th",
        ],
        "1": ["AllReduce_g_(0,1)_1th", "Send_Receive_g_(0)->(1)_(3)_1th"],
    }


def test_a_circle_is_found_with_its_ranks() -> None:
    words = {"0": ["A_(0,1)_1th", "B_(0,1)_1th"], "1": ["B_(0,1)_1th", "A_(0,1)_1th"]}
    assert order.detect_cycle_in_graph(words) == (
        ["A_(0,1)_1th", "B_(0,1)_1th", "A_(0,1)_1th"],
        ["0 A_(0,1)_1th -> B_(0,1)_1th", "1 B_(0,1)_1th -> A_(0,1)_1th"],
    )


@pytest.mark.parametrize("words", [{}, {"0": ["a"]}, {"0": ["a", "b", "c"], "1": ["a", "c"], "2": ["b", "c"]}])
def test_orders_that_agree_have_no_circle(words: dict[str, list[str]]) -> None:
    assert order.detect_cycle_in_graph(words) == (None, None)


@pytest.mark.parametrize(
    ("ranks", "says"),
    [
        ({0: [ALL, CAST], 1: [ALL, CAST]}, ["no circle"]),
        ({0: [ALL], 1: [("AllGather", "", "", "")]}, ["Rank '1' did not begin 'AllReduce", "Rank '0' did not"]),
        ({0: [CAST, ALL], 1: [ALL, CAST]}, ["Operations wait for each other", "Rank 0", "Rank 1"]),
        ({0: [ALL], 1: []}, ["missing: ['1']"]),
    ],
)
def test_files_are_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], ranks: dict[int, list[tuple[str, ...]]], says: list[str]
) -> None:
    order.runtime_execution_order_check(written(tmp_path, ranks))
    said = capsys.readouterr().err
    assert all(part in said for part in says)
    assert ("[ERROR]" in said) is (says != ["no circle"])


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("rank_0", "must be absolute"),
        ("/nowhere/rank_0", "does not exist"),
        (str(Path(__file__).parent), "No rank_x folders"),
        (__file__, "must be a folder"),
        (["{at}", "{at}/rank_0"], "Duplicate rank folder"),
    ],
)
def test_other_folders_are_refused(tmp_path: Path, path: str | list[str], says: str) -> None:
    at = written(tmp_path, {0: [ALL]})
    given = path if isinstance(path, str) else [one.format(at=at) for one in path]
    with pytest.raises(ValueError, match=says):
        order.runtime_execution_order_check(given)


@pytest.mark.parametrize(
    ("folders", "is_all"), [("x", True), (["a"], True), (["a", "b"], False), ([], None), ("", None)]
)
def test_one_path_stands_for_all(folders: str | list[str], is_all: bool | None) -> None:
    assert order.determine_all_rank(folders) is is_all


def test_actions_are_start_and_end(capsys: pytest.CaptureFixture[str]) -> None:
    for action in ("end", "start", "start", "end"):
        order.comm_exec_order_check(action)
    said = capsys.readouterr().err
    assert said.count("[ERROR]") == 2
    assert "no circle" in said
    with pytest.raises(TypeError, match="action"):
        order.comm_exec_order_check(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="action"):
        order.comm_exec_order_check("stop")
    assert order.CommExecOrderCheck() is order.CommExecOrderCheck()


@pytest.mark.usefixtures("mindspore_is_msbridge")
def test_the_function_has_the_name_of_its_module() -> None:
    from mindspore import utils
    from mindspore.utils.runtime_execution_order_check import runtime_execution_order_check

    assert utils.runtime_execution_order_check is runtime_execution_order_check is order.runtime_execution_order_check
