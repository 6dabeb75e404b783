// What the stand-in uses of torch.
#pragma once
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/EmptyTensor.h>
#include <ATen/SparseTensorImpl.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/_coalesced_native.h>
#include <ATen/ops/_dimI_native.h>
#include <ATen/ops/_dimV_native.h>
#include <ATen/ops/_indices_native.h>
#include <ATen/ops/_nnz_native.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/_sparse_coo_tensor_with_dims_and_tensors_native.h>
#include <ATen/ops/_sparse_coo_tensor_with_dims_native.h>
#include <ATen/ops/_to_copy_native.h>
#include <ATen/ops/_values_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/col_indices_native.h>
#include <ATen/ops/crow_indices_native.h>
#include <ATen/ops/dense_dim_native.h>
#include <ATen/ops/indices_native.h>
#include <ATen/ops/is_coalesced_native.h>
#include <ATen/ops/sparse_dim_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/values_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/Allocator.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/library.h>

#include <atomic>
#include <iterator>
#include <map>
#include <mutex>
#include <sstream>
#include <unordered_set>

// The face: CUDA, or an NPU as torch_npu brings it to torch, under the key that torch keeps for devices from elsewhere.
#ifdef STANDIN_NPU
#define STANDIN_KEY PrivateUse1
#define STANDIN_SPARSE SparsePrivateUse1
#define STANDIN_CSR SparseCsrPrivateUse1
#else
#define STANDIN_KEY CUDA
#define STANDIN_SPARSE SparseCUDA
#define STANDIN_CSR SparseCsrCUDA
#endif

namespace standin {
constexpr c10::DeviceType kKind = c10::DeviceType::STANDIN_KEY;
constexpr c10::DispatchKey kKey = c10::DispatchKey::STANDIN_KEY;
constexpr bool is_npu = kKind == c10::DeviceType::PrivateUse1;
inline bool is_own(const c10::Device& device) { return device.type() == kKind; }
inline bool is_own(const at::Tensor& data) { return data.device().type() == kKind; }
}  // namespace standin
