"""Python objects in a group of one process."""

from msbridge.mint import distributed


def test_one_process_has_its_own_objects() -> None:
    gathered, scattered, sent = [None], [None], [{"a": 1}]
    distributed.all_gather_object(gathered, (1, "a"))
    assert gathered == [(1, "a")]
    distributed.gather_object("b", gathered)
    assert gathered == ["b"]
    distributed.scatter_object_list(scattered, ["c"])
    assert scattered == ["c"]
    distributed.broadcast_object_list(sent)
    assert sent == [{"a": 1}]
