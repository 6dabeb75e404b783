"""InMemoryGraphDataset: processed once, then loaded."""

import numpy as np
import pytest

from msbridge.dataset import Graph, InMemoryGraphDataset


class Pairs(InMemoryGraphDataset):
    processed = 0

    def process(self):
        Pairs.processed += 1
        features = {"x": np.ones((3, 2), np.float32)}
        self.graphs = [
            Graph([[0, 1], [1, 2]], features),
            Graph([[0], [2]], node_type=list("aba"), graph_feat={"n": np.array(3)}),
        ]

    def __getitem__(self, index):
        return self.graphs[index].get_all_edges("0"), np.array(index)


def test_graphs_are_made_once_and_read_as_rows(tmp_path):
    Pairs.processed = 0
    Pairs(tmp_path)
    data = Pairs(str(tmp_path), column_names=["edges", "number"], shuffle=False)
    assert Pairs.processed == 1
    assert data.graphs[1].graph_info()["node_num"] == {"a": 2, "b": 1}
    np.testing.assert_array_equal(data.graphs[0].get_node_feature([2], ["x"])[0], [1, 1])
    rows = list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))
    assert [row[0].tolist() for row in rows] == [[0, 1], 0]
    assert len(data) == 2


def test_damaged_files_and_missing_folders_are_refused(tmp_path):
    (tmp_path / "processed").mkdir()
    (tmp_path / "processed" / "graphs.npz").write_bytes(b"PK\x03\x04 no")
    with pytest.raises(RuntimeError, match=r"graphs\.npz holds no graphs that can be read"):
        Pairs(tmp_path)
    with pytest.raises(RuntimeError, match="not valid or does not exist"):
        Pairs(tmp_path / "missing")
    with pytest.raises(TypeError):
        Pairs(3)
