"""What torch does on a device, and the CPU does not; the stand-in has to do it as a card does."""

import threading

import pytest
import torch

GPU = torch.device("cuda", 0)


@pytest.mark.needs(gpus=2)
def test_two_devices_are_not_mixed() -> None:
    with pytest.raises(RuntimeError, match="on the same device"):
        torch.ones(2, device="cuda:0") + torch.ones(2, device="cuda:1")


def test_number_of_the_host_is_taken_as_an_input_and_not_as_a_result() -> None:
    number = torch.tensor(3.0)
    assert (torch.ones(2, device=GPU) * number).tolist() == [3.0, 3.0]
    with pytest.raises(RuntimeError, match="same device"):
        torch.add(torch.ones((), device=GPU), 1, out=number)


def test_array_is_refused() -> None:
    with pytest.raises(TypeError, match="can't convert cuda"):
        torch.ones(2, device=GPU).numpy()


def test_reads_of_the_host_are_counted(waits) -> None:
    data = torch.ones(2, device=GPU)
    with waits() as seen:
        total = (data + data).sum()
    assert seen.count == 0
    with waits() as seen:
        total.item()
    assert seen.count == 1


def test_graph_repeats_what_it_recorded() -> None:
    data, graph = torch.ones(2, device=GPU), torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = data * 3
    data.fill_(5)
    graph.replay()
    assert result.tolist() == [15.0, 15.0]


def test_pool_whose_graphs_are_gone_is_not_shared() -> None:
    pool, data = torch.cuda.graph_pool_handle(), torch.ones(2, device=GPU)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, pool=pool):
        held = data * 3
    graph.reset()
    with pytest.raises(RuntimeError, match="use_count"), torch.cuda.graph(torch.cuda.CUDAGraph(), pool=pool):
        held = data * 3
    del held


def test_backward_pass_runs_in_a_thread_of_the_device() -> None:
    data, threads = torch.ones(2, device=GPU, requires_grad=True), []
    product = data * 2
    product.register_hook(lambda grad: threads.append(threading.get_ident()))
    product.sum().backward()
    assert threads[0] != threading.get_ident()


def test_memory_has_an_end() -> None:
    _, total = torch.cuda.mem_get_info(GPU)
    with pytest.raises(torch.OutOfMemoryError):
        torch.empty(2 * total, dtype=torch.uint8, device=GPU)
