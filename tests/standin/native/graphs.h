// Graphs and synchronisations: what a graph repeats, and where the host waits for the device.
#pragma once
#include "device.h"

namespace standin {

struct Recorded {
  c10::OperatorHandle op;
  Stack arguments;  // with tensors of the CPU over the device's memory
  std::vector<at::Tensor> results;
  int device;
};
struct Graph {
  std::vector<Recorded> calls;
  // What there was before: nothing of what is recorded has happened when the recording ends.
  std::vector<std::pair<c10::Storage, std::vector<char>>> before;
  std::map<int, at::Tensor> draws;
};
std::shared_ptr<Graph> recording;  // one at a time in a process
thread_local bool is_recording = false;
void keep(const at::Tensor& data) {
  if (!data.defined() || !is_own(data) || data.layout() != at::kStrided) return;
  for (const auto& [storage, bytes] : recording->before)
    if (storage.unsafeGetStorageImpl() == data.storage().unsafeGetStorageImpl()) return;
  const auto* begin = static_cast<const char*>(data.storage().data());
  recording->before.emplace_back(data.storage(), std::vector<char>(begin, begin + data.storage().nbytes()));
}

std::atomic<int> sync_mode{0};  // as torch.cuda.set_sync_debug_mode
std::map<std::string, int64_t> sync_names, op_names;
std::atomic<bool> is_counting{false};
std::mutex names_lock;

void count_wait(const std::string& what) {
  const std::lock_guard<std::mutex> guard(names_lock);
  sync_names[what]++;
}

void synchronise(const std::string& what) {
  TORCH_CHECK(!is_recording, "CUDA error: operation not permitted when stream is capturing (", what, ")");
  count_wait(what);
  if (sync_mode == 1) TORCH_WARN("called a synchronizing CUDA operation (", what, ")");
  TORCH_CHECK(sync_mode != 2, "called a synchronizing CUDA operation (", what, ")");
}

void count_operator(const std::string& name) {
  if (!is_counting) return;
  const std::lock_guard<std::mutex> guard(names_lock);
  op_names[name]++;
}

}  // namespace standin
