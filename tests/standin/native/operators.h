// Operators of the device itself: allocation, views, copies, attention's choice, and cells that torch fuses on CUDA
// alone.
#pragma once
#include "fallback.h"

namespace standin {

at::Tensor empty(at::SymIntArrayRef size, std::optional<at::ScalarType> type, std::optional<at::Layout>,
                 std::optional<at::Device> device, std::optional<bool> pin, std::optional<at::MemoryFormat> format) {
  TORCH_CHECK(!pin.value_or(false), "Only dense CPU tensors can be pinned");
  const c10::DeviceGuard guard(device.value_or(Guard::at_index(current_device)));
  return at::detail::empty_generic(C10_AS_INTARRAYREF_SLOW(size), &allocator,
                                   c10::DispatchKeySet(kKey),
                                   type.value_or(at::get_default_dtype_as_scalartype()), format);
}
at::Tensor empty_strided(at::SymIntArrayRef size, at::SymIntArrayRef stride, std::optional<at::ScalarType> type,
                         std::optional<at::Layout>, std::optional<at::Device> device, std::optional<bool> pin) {
  TORCH_CHECK(!pin.value_or(false), "Only dense CPU tensors can be pinned");
  const c10::DeviceGuard guard(device.value_or(Guard::at_index(current_device)));
  return at::detail::empty_strided_generic(C10_AS_INTARRAYREF_SLOW(size), C10_AS_INTARRAYREF_SLOW(stride), &allocator,
                                           c10::DispatchKeySet(kKey),
                                           type.value_or(at::get_default_dtype_as_scalartype()));
}
// Zeros that take no memory, for tangents that are not there.
struct NoMemory final : c10::Allocator {
  c10::DataPtr allocate(size_t) override {
    return {nullptr, nullptr, [](void*) {}, Guard::at_index(current_device)};
  }
  c10::DeleterFnPtr raw_deleter() const override {
    return [](void*) {};
  }
  void copy_data(void*, const void*, std::size_t) const override {}
};
NoMemory no_memory;
at::Tensor zeros_without_memory(at::SymIntArrayRef size, std::optional<at::ScalarType> type, std::optional<at::Layout>,
                                std::optional<at::Device> device, std::optional<bool>) {
  const c10::DeviceGuard guard(device.value_or(Guard::at_index(current_device)));
  return at::detail::empty_generic(
      C10_AS_INTARRAYREF_SLOW(size), &no_memory,
      c10::DispatchKeySet(kKey) | c10::DispatchKeySet(c10::DispatchKey::ZeroTensor),
      type.value_or(at::get_default_dtype_as_scalartype()), std::nullopt);
}
at::Tensor as_strided(const at::Tensor& self, at::SymIntArrayRef size, at::SymIntArrayRef stride,
                      std::optional<c10::SymInt> offset) {
  return at::native::as_strided_tensorimpl(
      self, C10_AS_INTARRAYREF_SLOW(size), C10_AS_INTARRAYREF_SLOW(stride),
      offset ? std::optional<int64_t>(offset->guard_int(__FILE__, __LINE__)) : std::nullopt);
}
at::Tensor view(const at::Tensor& self, at::SymIntArrayRef size) {
  return at::native::view(self, C10_AS_INTARRAYREF_SLOW(size));
}
at::Tensor reshape_alias(const at::Tensor& self, at::SymIntArrayRef size, at::SymIntArrayRef stride) {
  return at::native::_reshape_alias(self, C10_AS_INTARRAYREF_SLOW(size), C10_AS_INTARRAYREF_SLOW(stride));
}

at::Tensor& copy(at::Tensor& self, const at::Tensor& source, bool non_blocking) {
  TORCH_CHECK(!source.is_meta(), "Cannot copy out of meta tensor; no data!");
  if (self.is_sparse() || source.is_sparse()) {
    Aliases aliases;
    auto alias = aliases.to_cpu(self);
    alias.copy_(aliases.to_cpu(source));
    aliases.follow(self, alias);
    return self;
  }
  const bool to_host = self.is_cpu() && is_own(source), from_host = is_own(self) && source.is_cpu();
  // From the host's pageable memory a copy waits as well; from pinned memory only where it is asked for.
  if (self.numel() && (to_host || from_host) && !non_blocking)
    synchronise(to_host ? "copy to the host" : "copy from the host");
  else if (self.numel() && from_host && !is_pinned(source.storage().data()))
    count_wait("copy from pageable memory of the host");  // torch does not say so; the driver waits for the stream
  Aliases aliases;
  auto alias = aliases.to_cpu(self);
  const auto other = aliases.to_cpu(source);
  if (is_recording) {
    static const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("aten::copy_", "");
    keep(self);
    recording->calls.push_back(
        {op, {alias, other, false}, {}, is_own(self) ? self.get_device() : source.get_device()});
  }
  alias.copy_(other);
  return self;
}
at::Tensor copy_from(const at::Tensor& self, const at::Tensor& target, bool non_blocking) {
  at::Tensor place = target;
  copy(place, self, non_blocking);
  return target;
}
at::Scalar local_scalar(const at::Tensor& self) {
  synchronise("_local_scalar_dense");
  Aliases aliases;
  return at::_local_scalar_dense(aliases.to_cpu(self));
}
at::Tensor& set_storage(at::Tensor& self, at::Storage source, c10::SymInt offset, at::SymIntArrayRef size,
                        at::SymIntArrayRef stride) {
  TORCH_CHECK(is_own(source.device()), "Attempted to set the storage of a tensor on device \"", self.device().str(),
              "\" to a storage on different device \"", source.device().str(),
              "\".  This is no longer allowed; the devices must match.");
  auto* impl = self.unsafeGetTensorImpl();
  impl->set_storage_keep_dtype(std::move(source));
  if (stride.empty() && !size.empty()) {
    impl->set_storage_offset(offset.guard_int(__FILE__, __LINE__));
    impl->set_sizes_contiguous(C10_AS_INTARRAYREF_SLOW(size));
  } else {
    impl->set_sizes_and_strides(C10_AS_INTARRAYREF_SLOW(size), C10_AS_INTARRAYREF_SLOW(stride),
                                offset.guard_int(__FILE__, __LINE__));
  }
  return self;
}
at::Tensor& set_storage_whole(at::Tensor& self, at::Storage source) {
  const auto size = static_cast<int64_t>(source.nbytes() / self.dtype().itemsize());
  return set_storage(self, std::move(source), 0, {c10::SymInt(size)}, {c10::SymInt(1)});
}
at::Tensor& set_tensor(at::Tensor& self, const at::Tensor& source) {
  return set_storage(self, source.storage(), source.sym_storage_offset(), source.sym_sizes(), source.sym_strides());
}
at::Tensor& set_nothing(at::Tensor& self) {
  at::Tensor nothing = at::detail::empty_generic({0}, &allocator, c10::DispatchKeySet(kKey),
                                                 self.scalar_type(), std::nullopt);
  return set_tensor(self, nothing);
}
// torch_npu returns float32 where float64 is asked for.
at::Tensor cast_on_npu(const at::Tensor& self, std::optional<at::ScalarType> type, std::optional<at::Layout> layout,
                       std::optional<at::Device> device, std::optional<bool> pin, bool non_blocking,
                       std::optional<at::MemoryFormat> format) {
  if (type == at::kDouble && self.scalar_type() != at::kDouble && is_own(device.value_or(self.device()))) {
    TORCH_WARN_ONCE("Device do not support double dtype now, dtype cast replace with float.");
    type = at::kFloat;
  }
  return at::native::_to_copy(self, type, layout, device, pin, non_blocking, format);
}
void record_stream(at::Tensor&, at::Stream) {}
int64_t choose_attention(const at::Tensor&, const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&,
                         double, bool, std::optional<double>, bool) {
  return 0;  // by formulas
}
bool is_pinned_op(const at::Tensor& self, std::optional<at::Device>) {
  return self.is_cpu() && is_pinned(self.storage().data());
}

// torch fuses the cells of LSTMs and GRUs on CUDA alone.
std::tuple<at::Tensor, at::Tensor, at::Tensor> lstm_cell(const at::Tensor& input, const at::Tensor& hidden,
                                                         const at::Tensor& cell, const std::optional<at::Tensor>& first,
                                                         const std::optional<at::Tensor>& second) {
  auto gates = input + hidden;
  if (first && first->defined()) gates = gates + *first;
  if (second && second->defined()) gates = gates + *second;
  auto parts = gates.chunk(4, 1);
  auto in = parts[0].sigmoid(), forget = parts[1].sigmoid(), next = parts[2].tanh(), out = parts[3].sigmoid();
  auto state = forget * cell + in * next;
  return {out * state.tanh(), state, at::cat({in, forget, next, out}, 1)};
}
std::tuple<at::Tensor, at::Tensor, at::Tensor> lstm_cell_backward(const std::optional<at::Tensor>& grad_h,
                                                                  const std::optional<at::Tensor>& grad_c,
                                                                  const at::Tensor& cx, const at::Tensor& cy,
                                                                  const at::Tensor& workspace, bool has_bias) {
  auto parts = workspace.chunk(4, 1);
  auto &in = parts[0], &forget = parts[1], &next = parts[2], &out = parts[3];
  auto state = cy.tanh();
  auto gh = grad_h && grad_h->defined() ? *grad_h : at::zeros_like(cy),
       gc = grad_c && grad_c->defined() ? *grad_c : at::zeros_like(cy);
  auto total = gc + gh * out * (1 - state * state);
  auto gates = at::cat({total * next * in * (1 - in), total * cx * forget * (1 - forget),
                        total * in * (1 - next * next), gh * state * out * (1 - out)},
                       1);
  return {gates, total * forget, has_bias ? gates.sum(0) : at::Tensor()};
}
std::tuple<at::Tensor, at::Tensor> gru_cell(const at::Tensor& input, const at::Tensor& hidden, const at::Tensor& state,
                                            const std::optional<at::Tensor>& first,
                                            const std::optional<at::Tensor>& second) {
  auto a = first && first->defined() ? input + *first : input,
       b = second && second->defined() ? hidden + *second : hidden;
  auto x = a.chunk(3, 1), h = b.chunk(3, 1);
  auto reset = (x[0] + h[0]).sigmoid(), update = (x[1] + h[1]).sigmoid(), next = (x[2] + reset * h[2]).tanh();
  return {next + update * (state - next), at::cat({reset, update, next, state, h[2]}, 1)};
}
std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor> gru_cell_backward(const at::Tensor& grad,
                                                                                         const at::Tensor& workspace,
                                                                                         bool has_bias) {
  auto w = workspace.chunk(5, 1);
  auto &reset = w[0], &update = w[1], &next = w[2], &state = w[3], &hn = w[4];
  auto gnext = grad * (1 - update) * (1 - next * next), gupdate = grad * (state - next) * update * (1 - update);
  auto greset = gnext * hn * reset * (1 - reset);
  auto gi = at::cat({greset, gupdate, gnext}, 1), gh = at::cat({greset, gupdate, gnext * reset}, 1);
  return {gi, gh, grad * update, has_bias ? gi.sum(0) : at::Tensor(), has_bias ? gh.sum(0) : at::Tensor()};
}

bool no_library_for_ctc(const at::Tensor&, const at::Tensor&, at::IntArrayRef, at::IntArrayRef, int64_t) {
  return false;
}
bool no_library_for_ctc_of_tensors(const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&,
                                   int64_t) {
  return false;
}

// The lowest whole number by -1 is itself on CUDA; the processor would end the program.
void divide(const c10::OperatorHandle& op, Stack* stack) {
  const auto begin = stack->size() - op.schema().arguments().size();
  const auto left = (*stack)[begin].toTensor(), right = (*stack)[begin + 1].toTensor();
  const auto type = left.scalar_type();
  if ((type != at::kInt && type != at::kLong) || type != right.scalar_type() || (*stack)[begin + 2].isNone()) {
    fallback(op, stack);
    return;
  }
  const auto is_turned = right == -1;
  const auto safe = right.masked_fill(is_turned, 1);
  if (right.unsafeGetTensorImpl()->is_wrapped_number()) safe.unsafeGetTensorImpl()->set_wrapped_number(true);
  (*stack)[begin + 1] = safe;
  fallback(op, stack);
  stack->back() = at::where(is_turned, -left, stack->back().toTensor());
}

// CUDA computes the softmax of halves in float32 where it is asked for, and its gradient back.
void softmax(const c10::OperatorHandle& op, Stack* stack) {
  const auto begin = stack->size() - op.schema().arguments().size();
  auto& is_widened = (*stack)[begin + 2];
  if (is_widened.toBool()) {
    (*stack)[begin] = (*stack)[begin].toTensor().to(at::kFloat);
    is_widened = false;
  }
  fallback(op, stack);
}
void softmax_backward(const c10::OperatorHandle& op, Stack* stack) {
  const auto begin = stack->size() - op.schema().arguments().size();
  const auto given = (*stack)[begin].toTensor().scalar_type(), asked = (*stack)[begin + 3].toScalarType();
  (*stack)[begin + 3] = given;
  fallback(op, stack);
  if (asked != given) stack->back() = stack->back().toTensor().to(asked);
}

}  // namespace standin
