// A stand-in for CUDA devices in a torch built without CUDA.
//
// Memory is the host's, kernels are the CPU's; but tensors say "cuda:0" or "cuda:1", are not mixed with others where
// CUDA refuses it, have generators of their own, and are read by the host only with a synchronisation that is counted.
// Operators are recorded and repeated as a CUDA graph repeats them: what the host does in between stands still, and
// what would synchronise is an error while it records.
//
//     call with "cuda" tensors ─> fallback: rules of CUDA ─> aliases on the CPU ─> the CPU's kernel ─> "cuda" results
//                                                                                      └─ noted while a graph records
#include "collectives.h"
#include "operators.h"

using namespace standin;

TORCH_LIBRARY_IMPL(aten, STANDIN_KEY, m) {
  m.impl("empty.memory_format", &empty);
  m.impl("empty_strided", &empty_strided);
  m.impl("_efficientzerotensor", &zeros_without_memory);
  m.impl("as_strided", &as_strided);
  m.impl("view", &view);
  m.impl("_reshape_alias", &reshape_alias);
  m.impl("unfold", &at::native::unfold);
  m.impl("copy_", &copy);
  m.impl("_copy_from", &copy_from);
  m.impl("_local_scalar_dense", &local_scalar);
  m.impl("set_.source_Storage", &set_storage_whole);
  m.impl("set_.source_Storage_storage_offset", &set_storage);
  m.impl("set_.source_Tensor", &set_tensor);
  m.impl("set_", &set_nothing);
  m.impl("record_stream", &record_stream);
  m.impl("_fused_sdp_choice", &choose_attention);
  if (is_npu) m.impl("_to_copy", &cast_on_npu);
  for (const std::string name : {"_use_cudnn_ctc_loss", "_use_miopen_ctc_loss"}) {
    m.impl(name.c_str(), &no_library_for_ctc);
    m.impl((name + ".Tensor").c_str(), &no_library_for_ctc_of_tensors);
  }
  m.impl("_thnn_fused_lstm_cell", &lstm_cell);
  m.impl("_thnn_fused_lstm_cell_backward_impl", &lstm_cell_backward);
  m.impl("_thnn_fused_gru_cell", &gru_cell);
  m.impl("_thnn_fused_gru_cell_backward", &gru_cell_backward);
  for (const char* name : {"_softmax", "_log_softmax"})
    m.impl(name, torch::CppFunction::makeFromBoxedFunction<&softmax>());
  for (const char* name : {"_softmax_backward_data", "_log_softmax_backward_data"})
    m.impl(name, torch::CppFunction::makeFromBoxedFunction<&softmax_backward>());
  m.impl("div.Tensor_mode", torch::CppFunction::makeFromBoxedFunction<&divide>());
  // Composite operators that have kernels of their own on CUDA; torch would take the formula otherwise.
  for (const char* name : {"convolution", "_convolution"})
    m.impl(name, torch::CppFunction::makeFromBoxedFunction<&fallback>());
  for (const auto& name : kOwn) m.impl(name.c_str(), torch::CppFunction::makeFromBoxedFunction<&fallback>());
}
TORCH_LIBRARY_IMPL(aten, STANDIN_SPARSE, m) {
  m.impl("_indices", &at::native::_indices_sparse);
  m.impl("_values", &at::native::_values_sparse);
  m.impl("indices", &at::native::indices_sparse);
  m.impl("values", &at::native::values_sparse);
  m.impl("is_coalesced", &at::native::is_coalesced_sparse);
  m.impl("_coalesced_", &at::native::_coalesced_sparse_);
  m.impl("sparse_dim", &at::native::sparse_dim_sparse);
  m.impl("dense_dim", &at::native::dense_dim_sparse);
  m.impl("_nnz", &at::native::_nnz_sparse);
  m.impl("_dimI", &at::native::sparse_dim_sparse);
  m.impl("_dimV", &at::native::dense_dim_sparse);
  m.impl("_sparse_coo_tensor_with_dims", &at::native::new_with_dims_sparse);
  m.impl("_sparse_coo_tensor_with_dims_and_tensors", &at::native::new_with_dims_and_tensor_sparse_symint);
  m.impl("copy_", &copy);
}
TORCH_LIBRARY_IMPL(_, STANDIN_KEY, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&fallback>()); }
TORCH_LIBRARY_IMPL(_, STANDIN_SPARSE, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&fallback>()); }
TORCH_LIBRARY_IMPL(_, STANDIN_CSR, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&fallback>()); }

#ifndef STANDIN_NPU
namespace at {
using CUDAHooks = Hooks;  // torch asks for it by this name
REGISTER_CUDA_HOOKS(CUDAHooks)
}  // namespace at
#endif
namespace c10::impl {
C10_REGISTER_GUARD_IMPL(STANDIN_KEY, Guard)
}

PYBIND11_MODULE(_standin, m) {
  c10::SetAllocator(kKind, &allocator);
#ifdef STANDIN_NPU
  static Hooks hooks;
  at::RegisterPrivateUse1HooksInterface(&hooks);
#endif
  m.def("is_in_place", [] { return is_npu || at::detail::getCUDAHooks().hasCUDA(); });
  m.def("device_type", [] { return static_cast<int>(kKind); });
  m.def("current_device", [] { return current_device; });
  m.def("set_device", [](int index) {
    TORCH_CHECK(index < device_count, "CUDA error: invalid device ordinal");
    if (index >= 0) current_device = index;
  });
  m.def("device_count", [] { return device_count; });
  m.def("default_generator", [](int index) { return default_generator(index); });
  m.def("get_state", [](int index) { return at::Tensor(default_generator(index).get_state()); });
  m.def("set_state", [](int index, at::Tensor state) { default_generator(index).set_state(state); });
  m.def("seed", [](int index, uint64_t seed) { default_generator(index).set_current_seed(seed); });
  m.def("initial_seed", [](int index) { return default_generator(index).current_seed(); });
  m.def("stream_id", [](int index) { return current_streams[index]; });
  m.def("set_stream_id", [](int index, int64_t id) { current_streams[index] = id; });
  m.def("memory", [](int index) {
    return std::vector<int64_t>{memory[index].now, memory[index].most, memory[index].limit, memory[index].count};
  });
  m.def("reset_most", [](int index) { memory[index].most = int64_t(memory[index].now); });
  m.def("limit", [](int index, int64_t bytes) { memory[index].limit = bytes; });
  m.def("synchronisations", [] {
    const std::lock_guard<std::mutex> guard(names_lock);
    return sync_names;
  });
  m.def("forget_synchronisations", [] {
    const std::lock_guard<std::mutex> guard(names_lock);
    sync_names.clear();
  });
  m.def("count_operators", [](bool is_on) { is_counting = is_on; });
  m.def("operators", [] {
    const std::lock_guard<std::mutex> guard(names_lock);
    auto seen = op_names;
    op_names.clear();
    return seen;
  });
  m.def("set_sync_mode", [](int mode) { sync_mode = mode; });
  m.def("sync_mode", [] { return int(sync_mode); });
  m.def("is_recording", [] { return is_recording; });
  pybind11::module_::import("torch.distributed");  // which has the class of backends
  pybind11::class_<Collectives, c10d::Backend, c10::intrusive_ptr<Collectives>>(m, "Collectives")
      .def(pybind11::init([](pybind11::object gloo) {
        return c10::make_intrusive<Collectives>(gloo.cast<c10::intrusive_ptr<c10d::Backend>>());
      }));
  pybind11::class_<Graph, std::shared_ptr<Graph>>(m, "Graph")
      .def(pybind11::init<>())
      .def("begin",
           [](std::shared_ptr<Graph> self) {
             TORCH_CHECK(!recording, "CUDA error: a capture is under way");
             self->calls.clear();
             for (int index = 0; index < device_count; ++index)
               self->draws[index] = at::Tensor(default_generator(index).get_state());
             recording = self;
             is_recording = true;
           })
      .def("end",
           [](std::shared_ptr<Graph> self) {
             for (int index = 0; index < device_count; ++index) default_generator(index).set_state(self->draws[index]);
             for (auto& [storage, bytes] : self->before) memcpy(storage.mutable_data(), bytes.data(), bytes.size());
             self->before.clear();
             recording = nullptr;
             is_recording = false;
           })
      .def("size", [](const Graph& self) { return self.calls.size(); })
      .def("replay",
           [](const Graph& self) {
             pybind11::gil_scoped_release free;
             replay(self);
           })
      .def("reset", [](Graph& self) { self.calls.clear(); });
}
