"""Rules of the findings, on values made for them."""

from msbridge.device.report.facts import Communication, Layer, Memory, Operator, Place, Read, Room, Seen, Shapes
from msbridge.device.report.judging import findings
from tests.device.report.reported import found, kinds

GIB = 2**30
PLACE = Place("train.py", 57, "print(loss)")


def seen(**values: object) -> Seen:
    return Seen("Ascend", "cpu", "graph", **{"seconds": 10.0, "steps": 100, "sinks": 1, "sunk_steps": 100, **values})


def memory(maps: int, parameters: int = GIB) -> Memory:
    return Memory(parameters, parameters, GIB, 0, maps, maps, 32, (Layer("conv", "Conv2d", maps),))


def test_nothing_is_found_in_a_sound_run() -> None:
    assert findings(seen()) == ()


def test_a_read_now_and_then_is_worth_a_note_only() -> None:
    often, rarely = (Read(PLACE, "", waits, waits, 0, 4, 0) for waits in (100, 2))
    assert found(seen(reads=(often,)), "unplanned read").severity == "problem"
    assert found(seen(reads=(rarely,)), "unplanned read").severity == "note"
    assert findings(seen(reads=(Read(PLACE, "", 100, 0, 0, 4, 0),))) == ()


def test_a_monitor_that_reads_once_for_each_sink_is_planned() -> None:
    assert kinds(seen(sinks=50, reads=(Read(PLACE, "LossMonitor", 50, 50, 0, 4, 0),))) == set()
    assert kinds(seen(reads=(Read(PLACE, "LossMonitor", 50, 50, 0, 4, 0),))) == {"frequent read"}


def test_memory_that_does_not_fit_names_part_need_and_the_batch_that_does() -> None:
    finding = found(seen(memory=memory(32 * GIB)), "does not fit")
    assert (finding.values["part"], finding.values["need"], finding.values["limit"]) == (
        *("feature maps, gradients and inputs", 33 * GIB, 26 * GIB),
    )
    assert finding.values["largest"] == 25  # 32 GiB for 32, and 25 GiB are left beside the gradients
    assert found(seen(memory=memory(21 * GIB)), "nearly full").severity == "note"
    weights = found(seen(memory=memory(GIB, parameters=3 * GIB)), "does not fit")
    assert weights.values["part"] == "parameters and optimizer"


def test_messages_have_a_part_of_the_memory() -> None:
    assert found(seen(under_way=2 * GIB), "messages do not fit").values == {"need": 2 * GIB, "limit": GIB}
    assert found(seen(under_way=GIB - 1), "messages nearly fill").severity == "note"
    assert kinds(seen(under_way=GIB // 2)) == set()


def test_steps_that_wait_for_other_processes_are_told_with_what_was_sent_behind_the_backward_pass() -> None:
    sent = Communication("AllReduce", 100, 4 * GIB, GIB // 8, GIB, 3.0)
    values = found(seen(communications=(sent,)), "waits for processes").values
    assert values == {"seconds": 3.0, "share": 0.3, "behind": 0.25}
    assert kinds(seen(communications=(sent,), seconds=30.0)) == set()


def test_a_limit_of_all_memory_counts_everything() -> None:
    room = Room(5 * GIB, 26 * GIB, GIB, total=6 * GIB)
    finding = found(seen(memory=memory(4 * GIB), room=room), "does not fit")
    assert (finding.values["part"], finding.values["need"]) == ("everything", 7 * GIB)
    assert finding.values["largest"] == 24


def test_shapes_of_two_networks_are_not_dynamic() -> None:
    first, second = Shapes(0, ((4, 3),), 50, 0), Shapes(1, ((4, 8),), 50, 0)
    assert kinds(seen(shapes=(first, second))) == set()
    assert kinds(seen(shapes=(first, Shapes(0, ((4, 5),), 50, 0)))) == {"dynamic shapes"}
    assert kinds(seen(shapes=(first, Shapes(0, ((2, 3),), 1, 49)))) == {"last batch"}
    assert kinds(seen(shapes=(first, Shapes(0, ((6, 3),), 1, 49)))) == {"dynamic shapes"}


def test_values_beyond_float16_are_a_problem_also_when_they_are_no_numbers() -> None:
    for peak in (70000.0, float("inf"), float("nan")):
        operator = Operator("mm", "MatMul", "fc (Dense)", ("float32",), 1, peak)
        assert found(seen(operators=(operator,)), "overflow in float16").severity == "problem"


def test_operators_that_get_float16_anyway_are_no_finding() -> None:
    assert kinds(seen(operators=(Operator("mm", "MatMul", "", ("float16",), 9, 1.0),))) == set()


def test_who_has_chosen_a_precision_is_not_told_to() -> None:
    operators = (Operator("mm", "MatMul", "", ("float32",), 9, 1.0),)
    assert kinds(seen(operators=operators)) == {"float16"}
    assert kinds(seen(operators=operators, precision="allow_fp32_to_fp16")) == set()


def test_problems_come_first() -> None:
    severities = [one.severity for one in findings(seen(sinks=0, sunk_steps=0, data_s=5.0))]
    assert severities == ["problem", "note"]
