"""A network for digits of 8×8 in torch, trained for a moment; as a script, writes its checkpoint.

usage: torch_side.py FILE.pth
"""

import sys

import torch
from sklearn.datasets import load_digits


class Net(torch.nn.Module):
    """Digits of 8×8, as 64 numbers up to 1, to 10 logits."""

    def __init__(self) -> None:
        super().__init__()
        self.fc1 = torch.nn.Linear(64, 64)
        self.fc2 = torch.nn.Linear(64, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Give the logits."""
        return self.fc2(torch.relu(self.fc1(x)))


if __name__ == "__main__":
    torch.manual_seed(0)
    found = load_digits()
    images, labels = torch.tensor(found.data[:1500] / 16, dtype=torch.float32), torch.tensor(found.target[:1500])
    network = Net()
    optimizer = torch.optim.Adam(network.parameters(), 0.01)
    for _ in range(60):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(network(images), labels).backward()
        optimizer.step()
    torch.save(network.state_dict(), sys.argv[1])
