import torch

leaves = {"weight": torch.ones(6, 2), "bias": torch.ones(6)}
torch.save({f"blocks.0.attn.qkv.{name}": value for name, value in leaves.items()}, "vit.pth")
