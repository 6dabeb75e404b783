from face_tests import RecordedTests

from msbridge.numpy import grids


class TestGrids(RecordedTests):
    face = grids
