from msbridge.numpy import grids


def test_a_grid_may_be_made_by_its_class() -> None:
    assert [axis.shape for axis in grids.NdGrid(sparse=True)[0:2, 0:3]] == [(2, 1), (1, 3)]
    assert grids.NdGrid()[0:2, 0:3].shape == grids.MGridClass()[0:2, 0:3].shape == (2, 2, 3)
    assert isinstance(grids.ogrid, grids.OGridClass)
