// Rules of CUDA: which operators wait, which lack a kernel, and when tensors of several devices are refused.
//
// The lists were written from knowledge of torch, not measured on a GPU; those by operator (device checks, operators
// of the CPU alone) are in operators_of_cuda.h, which building.py makes of torch's own table.
#pragma once
#include "aliases.h"
#include "operators_of_cuda.h"

namespace standin {

std::unordered_set<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}
// The name of torch's table: without its namespace. `stem` leaves out the overload as well.
std::string bare(const std::string& name) { return name.rfind("aten::", 0) == 0 ? name.substr(6) : name; }
std::string stem(const std::string& name) { return bare(name).substr(0, bare(name).find('.')); }

bool is_integral(const at::Tensor& data) { return at::isIntegralType(data.scalar_type(), true); }

// Host tensors are allowed beside those of the device
const std::unordered_set<std::string> kMixing = words(
    "copy_ _copy_from index.Tensor index.Tensor_out _index_put_impl_ index_put_ _unsafe_index.Tensor "
    "_unsafe_index_put index_put set_.source_Tensor ctc_loss _ctc_loss _ctc_loss.Tensor _ctc_loss_backward "
    "_ctc_loss_backward.Tensor _to_copy _pack_padded_sequence record_stream resize_as_sparse_ "
    "copy_sparse_to_sparse_ equal _pin_memory tensor_split.tensor_indices_or_sections");

// The host waits for these.
const std::unordered_set<std::string> kWaiting = words(
    "nonzero nonzero.out masked_select masked_select.out _unique _unique2 unique_dim unique_consecutive "
    "unique_dim_consecutive equal repeat_interleave.Tensor bincount _ctc_loss _ctc_loss.Tensor is_nonzero "
    "_local_scalar_dense _linalg_check_errors linalg_eig linalg_eig.out _linalg_eigvals _embedding_bag "
    "multinomial _linalg_svd.U _linalg_eigh.eigenvalues _coalesce to_sparse _to_sparse histc segment_reduce");

const std::unordered_set<std::string> kProducts =
    words("mm mm.out addmm addmm.out bmm bmm.out baddbmm baddbmm.out addmv addmv.out dot vdot addbmm addbmm.out mv");
// Kernels of CUDA for floats, where the CPU has them for integers as well.
const std::unordered_set<std::string> kFloats = words(
    "avg_pool2d.out avg_pool3d.out max_pool2d_with_indices.out max_pool3d_with_indices "
    "max_pool3d_with_indices.out _adaptive_avg_pool2d _adaptive_avg_pool3d adaptive_max_pool2d.out "
    "adaptive_max_pool3d.out im2col col2im upsample_linear1d.out upsample_bilinear2d.out slow_conv_dilated2d "
    "_slow_conv2d_forward _slow_conv2d_forward.output convolution _convolution");

// The tensors of an argument, in lists too.
template <typename Function>
void each_tensor(const c10::IValue& value, Function&& function) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) function(value.toTensor());
  } else if (value.isTensorList()) {
    for (const at::Tensor& data : value.toTensorVector())
      if (data.defined()) function(data);
  } else if (value.isOptionalTensorList()) {
    for (const std::optional<at::Tensor>& data : value.toOptionalTensorVector())
      if (data && data->defined()) function(*data);
  }
}

void check_devices(const std::string& name, const c10::FunctionSchema& schema, const Stack& stack, size_t begin) {
  if (kMixing.count(bare(name))) return;
  // TensorIterator takes numbers from the host's memory; elsewhere even those are refused.
  const bool is_lenient = kUnchecked.count(bare(name)) > 0 || name.rfind("aten::", 0) != 0;
  std::optional<c10::Device> common;
  std::string first;
  bool is_written = false;  // a result has to lie where the others do, even a number
  const auto look = [&](const at::Tensor& data, const std::string& argument) {
    if (!data.defined()) return;
    if (is_lenient && !is_written && data.dim() == 0 && data.is_cpu()) return;
    if (!common) {
      common = data.device();
      first = argument;
      return;
    }
    TORCH_CHECK(*common == data.device(), "Expected all tensors to be on the same device, but got ", argument,
                " is on ", data.device().str(), ", different from other tensors on ", common->str(),
                " (when checking argument in method wrapper_CUDA_", bare(name), ")");
  };
  for (size_t index = 0; index < schema.arguments().size(); ++index) {
    const auto& value = stack[begin + index];
    const auto& argument = schema.arguments()[index].name();
    is_written = schema.arguments()[index].alias_info() && schema.arguments()[index].alias_info()->isWrite();
    each_tensor(value, [&](const at::Tensor& data) { look(data, argument); });
  }
}

void check_types(const std::string& name, const Stack& stack, size_t begin, size_t count) {
  const bool product = kProducts.count(bare(name)) > 0;
  if (!product && !kFloats.count(bare(name))) return;
  for (size_t index = 0; index < count; ++index)
    if (stack[begin + index].isTensor()) {
      const auto& data = stack[begin + index].toTensor();
      if (data.defined() && data.layout() == at::kStrided && is_integral(data))
        TORCH_CHECK_NOT_IMPLEMENTED(false, "\"", stem(name), "_cuda\" not implemented for '",
                                    c10::toString(data.scalar_type()), "'");
      return;
    }
}

}  // namespace standin
