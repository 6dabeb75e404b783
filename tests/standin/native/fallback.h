// Any operator: arguments are checked as CUDA would, lent to the CPU's kernel as aliases, and results returned as the
// device's.
#pragma once
#include "rules.h"

namespace standin {

struct Drawing {  // lets the CPU's kernels draw from the device's generator
  Drawing(bool is_needed, int device) : is_needed_(is_needed), own_(default_generator(device)) {
    if (is_needed_) exchange();
  }
  ~Drawing() {
    if (is_needed_) exchange();
  }
  void exchange() {
    auto* host = static_cast<at::CPUGeneratorImpl*>(at::detail::getDefaultCPUGenerator().unsafeGetGeneratorImpl());
    auto* own = static_cast<at::CPUGeneratorImpl*>(own_.unsafeGetGeneratorImpl());
    const auto engine = host->engine();
    host->set_engine(own->engine());
    own->set_engine(engine);
    const auto single = host->next_float_normal_sample();
    const auto twice = host->next_double_normal_sample();
    host->set_next_float_normal_sample(own->next_float_normal_sample());
    host->set_next_double_normal_sample(own->next_double_normal_sample());
    own->set_next_float_normal_sample(single);
    own->set_next_double_normal_sample(twice);
  }
  bool is_needed_;
  at::Generator own_;
};

// Call the CPU's kernel with arguments that are the CPU's.
void call_cpu(const c10::OperatorHandle& op, Stack* stack, int device, bool is_sparse) {
  std::vector<StandInGenerator*> lent;
  bool has_generator = false;
  for (auto& value : *stack)
    if (value.isGenerator()) {
      const auto generator = value.toGenerator();
      has_generator = true;
      if (is_own(generator.device())) {
        auto* own = static_cast<StandInGenerator*>(generator.unsafeGetGeneratorImpl());
        own->pretend(true, 0);
        lent.push_back(own);
      }
    }
  const Drawing drawing(!has_generator && op.hasSchema() && op.operator_name().name.rfind("aten::", 0) == 0 &&
                            c10::Dispatcher::singleton().findOp(op.operator_name()).has_value() &&
                            std::any_of(op.getTags().begin(), op.getTags().end(),
                                        [](at::Tag tag) { return tag == at::Tag::nondeterministic_seeded; }),
                        device);
  try {
    c10::DispatchKeySet keys(c10::DispatchKey::CPU);
    if (is_sparse) {
      op.callBoxed(stack);
    } else {
      op.redispatchBoxed(keys, stack);
    }
  } catch (...) {
    for (auto* own : lent) own->pretend(false, device);
    throw;
  }
  for (auto* own : lent) own->pretend(false, device);
}

std::vector<at::Tensor> tensors_of(const c10::IValue& value) {
  return value.isTensor() ? std::vector<at::Tensor>{value.toTensor()} : value.toTensorVector();
}

// Where a call runs: on the device that it names, on that of its tensors, or on the current one. A named device becomes
// the CPU.
c10::Device place_of_call(Stack& stack, size_t begin, bool& is_sparse) {
  std::optional<c10::Device> place;
  for (size_t index = begin; index < stack.size(); ++index)
    each_tensor(stack[index], [&](const at::Tensor& data) {
      if (is_own(data) && !place) place = data.device();
      if (data.layout() != at::kStrided) is_sparse = true;
    });
  for (size_t index = begin; index < stack.size(); ++index)
    if (stack[index].isDevice() && is_own(stack[index].toDevice())) {
      place = Guard::at_index(Guard::index_of(stack[index].toDevice()));
      stack[index] = c10::Device(c10::kCPU);
    }
  return place.value_or(Guard::at_index(current_device));
}

// Whether an operator makes the host wait; indexing does by a mask, and by indices of the host, which are copied.
bool waits(const std::string& name, const Stack& stack, size_t begin, c10::Device place) {
  if (name != "aten::index.Tensor" && name != "aten::_index_put_impl_" && name != "aten::index_put_")
    return kWaiting.count(bare(name)) > 0;
  bool has_mask = false, is_waiting = false;
  each_tensor(stack[begin + 1], [&](const at::Tensor& index) {
    const bool is_mask = index.scalar_type() == at::kBool || index.scalar_type() == at::kByte;
    has_mask |= is_mask;
    is_waiting |= is_mask || index.is_cpu();
  });
  if (name == "aten::index.Tensor") return is_waiting;
  const auto& values = stack[begin + 2].toTensor();
  TORCH_CHECK(is_own(values) || values.dim() == 0,
              "Expected all tensors to be on the same device, but found at least two devices, ", place.str(),
              " and cpu! (index_put_)");
  return is_waiting && !(has_mask && values.numel() == 1);  // masked_fill
}

// The arguments of a call as the CPU's, and what becomes of those that it writes.
struct Lent {
  Aliases aliases;
  Stack arguments;
  std::vector<std::pair<size_t, std::vector<at::Tensor>>> written;  // by place among the arguments

  Lent(const std::string& name, const c10::FunctionSchema& schema, const Stack& stack, size_t begin) {
    for (size_t index = 0; index < schema.arguments().size(); ++index) {
      const auto& value = stack[begin + index];
      if (is_written(name, schema.arguments()[index]) && (value.isTensor() || value.isTensorList())) {
        written.push_back({index, tensors_of(value)});
        if (is_recording)
          for (const auto& data : written.back().second) keep(data);
      }
      arguments.emplace_back(alias_of(value));
    }
  }
  static bool is_written(const std::string& name, const c10::Argument& argument) {
    const bool is_statistic = argument.name() == "running_mean" || argument.name() == "running_var";  // undeclared
    const bool is_norm = name.find("batch_norm") != std::string::npos && name.find("backward") == std::string::npos;
    return (argument.alias_info() && argument.alias_info()->isWrite()) || (is_statistic && is_norm);
  }
  c10::IValue alias_of(const c10::IValue& value) {
    if (value.isTensor()) return aliases.to_cpu(value.toTensor());
    if (value.isTensorList()) {
      c10::List<at::Tensor> list;
      for (const at::Tensor& data : value.toTensorVector()) list.push_back(aliases.to_cpu(data));
      return list;
    }
    if (value.isOptionalTensorList()) {
      c10::List<std::optional<at::Tensor>> list;
      for (const std::optional<at::Tensor>& data : value.toOptionalTensorVector())
        list.push_back(data ? std::optional<at::Tensor>(aliases.to_cpu(*data)) : std::nullopt);
      return list;
    }
    return value;
  }
  void follow() {
    for (auto& [index, tensors] : written) {
      const auto list = tensors_of(arguments[index]);
      for (size_t item = 0; item < tensors.size(); ++item)
        if (tensors[item].defined() && is_own(tensors[item])) aliases.follow(tensors[item], list[item]);
    }
  }
  // What is returned for a result of the CPU's kernel: the argument that it is, or a tensor of the device.
  at::Tensor returned(const at::Tensor& data, c10::Device place, std::vector<at::Tensor>& fresh) {
    if (!data.defined()) return data;
    for (auto& [index, tensors] : written) {
      const auto list = tensors_of(arguments[index]);
      for (size_t item = 0; item < tensors.size(); ++item)
        if (list[item].is_same(data)) return tensors[item];
    }
    fresh.push_back(data);
    return aliases.to_device(data, place);
  }
};

void fallback(const c10::OperatorHandle& op, Stack* stack) {
  const auto& schema = op.schema();
  const auto count = schema.arguments().size();
  const auto begin = stack->size() - count;
  const std::string name = toString(op.operator_name());
  count_operator(name);
  TORCH_CHECK_NOT_IMPLEMENTED(is_npu || !kCpuOnly.count(bare(name)), "Could not run '", name,
                              "' with arguments from the 'CUDA' backend.");
  check_types(name, *stack, begin, count);
  bool is_sparse = false;
  const auto place = place_of_call(*stack, begin, is_sparse);
  check_devices(name, schema, *stack, begin);
  if (waits(name, *stack, begin, place)) synchronise(name);

  Lent lent(name, schema, *stack, begin);
  Stack results = lent.arguments;
  call_cpu(op, &results, place.index(), is_sparse);
  lent.follow();
  torch::jit::drop(*stack, count);
  std::vector<at::Tensor> fresh;
  for (const auto& value : results) {
    if (value.isTensor()) {
      stack->emplace_back(lent.returned(value.toTensor(), place, fresh));
    } else if (value.isTensorList()) {
      c10::List<at::Tensor> list;
      for (const at::Tensor& data : value.toTensorVector()) list.push_back(lent.returned(data, place, fresh));
      stack->emplace_back(list);
    } else {
      TORCH_CHECK(!is_recording, "CUDA error: operation not permitted when stream is capturing (", name,
                  " gives a number)");
      stack->emplace_back(value);
    }
  }
  if (is_recording) recording->calls.push_back({op, lent.arguments, fresh, place.index()});
}

void replay(const Graph& graph) {
  for (const auto& call : graph.calls) {
    Stack stack = call.arguments;
    call_cpu(call.op, &stack, call.device, true);
    size_t next = 0;
    const auto put = [&](const at::Tensor& data) {
      if (!data.defined() || next >= call.results.size()) return;
      for (const auto& value : call.arguments)  // written in place
        if (value.isTensor() && value.toTensor().is_same(data)) return;
      const auto& place = call.results[next++];
      if (place.data_ptr() != data.data_ptr()) place.copy_(data);
    };
    for (const auto& value : stack) {
      if (value.isTensor()) put(value.toTensor());
      if (value.isTensorList())
        for (const at::Tensor& data : value.toTensorVector()) put(data);
    }
  }
}

}  // namespace standin
