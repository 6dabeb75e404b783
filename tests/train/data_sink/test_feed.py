"""The way of the data. Judge: a loop over the dataset."""

import itertools

import pytest

from msbridge.core.tensor.tensor import Tensor
from msbridge.train import Model
from msbridge.train.data_sink.feed import Feed, is_fed
from msbridge.train.loop.resuming import Start
from tests.train.helpers_model import CountingLoss, numbers

pytestmark = pytest.mark.usefixtures("all_threads_end")


class Unhashable:
    """A dataset of a script's own, which compares by value."""

    __hash__ = None

    def __eq__(self, other):
        return isinstance(other, Unhashable)

    def get_dataset_size(self):
        return 2

    def create_tuple_iterator(self, **options):
        return [[Tensor(float(number))] for number in range(2)]


def values(batches):
    return [float(batch[0]) for batch in batches]


@pytest.mark.parametrize(("traversals", "seen"), [(1, [0, 1, 2]), (2, [0, 1, 2] * 2), (-1, [0, 1, 2] * 3)])
def test_batches_come_traversal_by_traversal(traversals, seen):
    feed = Feed(numbers(3), traversals)
    assert values(itertools.islice(feed, 9)) == seen
    assert feed.position == len(seen)
    feed.close()


def test_feed_begins_where_an_earlier_run_ended():
    feed = Feed(numbers(3), 3)
    feed.begin_at(Start(4, 7, None))
    assert feed.position == 4
    assert values(feed) == [1, 2, 0, 1, 2]
    assert [(one.traversal, one.batches) for one in feed.fetchings] == [(2, 2), (3, 3)]


def test_times_of_a_traversal_are_added():
    feed = Feed(numbers(3), 1)
    list(feed)
    fetching = feed.fetchings[0]
    assert 0 < fetching.first_s <= fetching.total_s < 60


def test_datasets_in_use_are_remembered():
    rows = numbers(3)
    assert not is_fed(rows)
    Feed(rows, 1)
    assert is_fed(rows)
    assert not is_fed(numbers(3))


@pytest.mark.usefixtures("ascend")
def test_dataset_that_has_no_hash_is_sunk_too():
    network = CountingLoss()
    Model(network).train(2, Unhashable(), dataset_sink_mode=True)
    assert network.seen == [0, 1, 0, 1]
    assert not is_fed(Unhashable())


def test_batches_are_the_datasets_own():
    feed = Feed(numbers(1), 1)
    (batch,) = feed
    assert type(batch) is tuple
    assert type(batch[0]) is Tensor
    assert feed.waiting == 0
