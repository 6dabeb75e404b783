// The same memory as a tensor of the device and as one of the CPU, whose kernels compute.
#pragma once
#include "graphs.h"

namespace standin {

struct Aliases {
  std::vector<std::pair<c10::Storage, c10::Storage>> pairs;  // of the device, of the CPU

  static void drop(void* held) { delete static_cast<c10::Storage*>(held); }
  static c10::DataPtr pointer(const c10::Storage& storage, c10::Device device) {
    return {const_cast<void*>(storage.data()), new c10::Storage(storage), &drop, device};
  }
  static c10::Storage wrap(const c10::Storage& storage, c10::Device device) {
    c10::Allocator* own = device.is_cpu() ? c10::GetCPUAllocator() : static_cast<c10::Allocator*>(&allocator);
    return c10::Storage(c10::Storage::use_byte_size_t(), storage.nbytes(), pointer(storage, device), own, true);
  }
  static at::Tensor dress(const at::Tensor& like, c10::Storage storage) {
    const auto key = storage.device().is_cpu() ? c10::DispatchKey::CPU : kKey;
    at::Tensor made =
        at::detail::make_tensor<c10::TensorImpl>(std::move(storage), c10::DispatchKeySet(key), like.dtype());
    made.unsafeGetTensorImpl()->set_sizes_and_strides(like.sizes(), like.strides(), like.storage_offset());
    if (like.unsafeGetTensorImpl()->is_wrapped_number()) made.unsafeGetTensorImpl()->set_wrapped_number(true);
    if (like.is_conj()) made._set_conj(true);
    if (like.is_neg()) made._set_neg(true);
    return made;
  }
  at::Tensor to_cpu(const at::Tensor& data) {
    if (!data.defined() || !is_own(data)) return data;
    if (data.is_sparse()) {
      auto made = at::_sparse_coo_tensor_unsafe(to_cpu(data._indices()), to_cpu(data._values()), data.sizes());
      return made._coalesced_(data.is_coalesced());
    }
    if (data.layout() == at::kSparseCsr)
      return at::_sparse_csr_tensor_unsafe(to_cpu(data.crow_indices()), to_cpu(data.col_indices()),
                                           to_cpu(data.values()), data.sizes(), data.options().device(at::kCPU));
    for (auto& [there, here] : pairs)
      if (there.unsafeGetStorageImpl() == data.storage().unsafeGetStorageImpl()) return dress(data, here);
    pairs.emplace_back(data.storage(), wrap(data.storage(), c10::Device(c10::kCPU)));
    return dress(data, pairs.back().second);
  }
  at::Tensor to_device(const at::Tensor& data, c10::Device device) {
    if (!data.defined() || !data.is_cpu()) return data;
    if (data.is_sparse()) {
      auto made = at::_sparse_coo_tensor_with_dims_and_tensors(
          data.sparse_dim(), data.dense_dim(), data.sizes(), to_device(data._indices(), device),
          to_device(data._values(), device), data.options().device(device), data.is_coalesced());
      return made;
    }
    if (data.layout() == at::kSparseCsr)
      return at::_sparse_csr_tensor_unsafe(to_device(data.crow_indices(), device),
                                           to_device(data.col_indices(), device), to_device(data.values(), device),
                                           data.sizes(), data.options().device(device));
    for (auto& [there, here] : pairs)
      if (here.unsafeGetStorageImpl() == data.storage().unsafeGetStorageImpl()) return dress(data, there);
    return dress(data, wrap(data.storage(), device));
  }
  // What an operator has done to the geometry of an argument.
  void follow(const at::Tensor& data, const at::Tensor& alias) {
    if (data.layout() != at::kStrided) {
      if (data.is_sparse() && !data.is_same(alias)) {
        const auto other = to_device(alias, data.device());
        auto* impl = static_cast<at::SparseTensorImpl*>(data.unsafeGetTensorImpl());
        impl->raw_resize_(other.sparse_dim(), other.dense_dim(), other.sizes());
        impl->set_indices_and_values_unsafe(other._indices(), other._values());
        impl->set_coalesced(other.is_coalesced());
      }
      return;
    }
    auto* impl = data.unsafeGetTensorImpl();
    for (auto& [there, here] : pairs) {
      if (there.unsafeGetStorageImpl() != data.storage().unsafeGetStorageImpl()) continue;
      if (here.data() != there.data() || here.nbytes() != there.nbytes()) {
        there.set_data_ptr(pointer(here, data.device()));
        there.set_nbytes(here.nbytes());
      }
    }
    if (data.sizes() != alias.sizes() || data.strides() != alias.strides() ||
        data.storage_offset() != alias.storage_offset())
      impl->set_sizes_and_strides(alias.sizes(), alias.strides(), alias.storage_offset());
  }
};

}  // namespace standin
