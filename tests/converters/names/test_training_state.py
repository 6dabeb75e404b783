"""Training state is told from weights."""

import torch

from msbridge.converters import convert, open_checkpoint


def test_training_state_is_classified_and_left_out_when_asked(tmp_path):
    weights = {"fc.weight": torch.ones(2, 2), "fc.bias": torch.ones(2)}
    state = weights | {f"adam_{m}.{name}": value for m in "mv" for name, value in weights.items()}
    state |= {"global_step": torch.tensor([3]), "learning_rate": torch.tensor(0.1)}
    torch.save(state, tmp_path / "a.pth")
    convert(tmp_path / "a.pth", tmp_path / "a.ckpt", to="mindspore", of="mindspore")
    kept = convert(tmp_path / "a.ckpt", tmp_path / "b.ckpt")
    assert {one.sources[0]: one.reason for one in kept.outcomes}["adam_m.fc.bias"] == "training state (AdamWeightDecay)"
    assert kept.counts == {"kept": 8}
    stripped = convert(tmp_path / "a.ckpt", tmp_path / "c.ckpt", strip_optimizer=True)
    assert set(open_checkpoint(tmp_path / "c.ckpt")) == set(weights)
    assert stripped.counts == {"kept": 2, "dropped": 6}


def test_the_random_state_of_a_run_is_told_and_not_carried_to_torch(tmp_path):
    state = {"fc.weight": torch.ones(2, 2), "epoch_num": torch.tensor(3), "msbridge.random_state": torch.ones(9).byte()}
    torch.save(state, tmp_path / "a.pth")
    convert(tmp_path / "a.pth", tmp_path / "a.ckpt", to="mindspore", of="mindspore")
    report = convert(tmp_path / "a.ckpt", tmp_path / "b.pth")
    assert set(open_checkpoint(tmp_path / "b.pth")) == {"fc.weight"}
    told = {one.sources[0]: one.reason for one in report.outcomes if not one.targets}
    assert told["msbridge.random_state"] == "training state (ModelCheckpoint)"
