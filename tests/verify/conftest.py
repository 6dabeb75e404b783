"""What the tests of all rooms of verify share: the networks of this folder can be imported."""
