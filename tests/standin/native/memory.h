// Memory of the devices: the host's, counted by device and limited; pinned memory of the host; generators by device.
#pragma once
#include "torch_headers.h"

namespace standin {

constexpr int kDevices = 2;
// As many as the environment names of them.
int count_devices() {
  const char* names = std::getenv(is_npu ? "ASCEND_RT_VISIBLE_DEVICES" : "CUDA_VISIBLE_DEVICES");
  if (names == nullptr) return kDevices;
  int count = 0;
  std::istringstream stream(names);
  for (std::string name; std::getline(stream, name, ',') && (name == "0" || name == "1");) ++count;
  return std::min(count, kDevices);
}
const int device_count = count_devices();
constexpr int64_t kBytesOfDevice = int64_t(8) << 30;
using Stack = torch::jit::Stack;

struct Memory {
  std::atomic<int64_t> now{0}, most{0}, limit{kBytesOfDevice}, count{0};
};
Memory memory[kDevices];
thread_local int current_device = 0;
thread_local int64_t current_streams[kDevices] = {0, 0};

struct Block {
  void* data;
  int64_t bytes;
  int device;
};

void release(void* context) {
  auto* block = static_cast<Block*>(context);
  memory[block->device].now -= block->bytes;
  free(block->data);
  delete block;
}

struct StandInAllocator final : c10::Allocator {
  c10::DataPtr allocate(size_t bytes) override {
    const c10::Device device(kKind, static_cast<c10::DeviceIndex>(current_device));
    auto& own = memory[current_device];
    const auto want = static_cast<int64_t>(bytes);
    TORCH_CHECK_WITH(OutOfMemoryError, own.now + want <= own.limit, "CUDA out of memory. Tried to allocate ",
                     want >> 20, " MiB. GPU ", current_device, " has a total capacity of ", own.limit >> 20, " MiB.");
    if (bytes == 0) return {nullptr, nullptr, &release_nothing, device};
    void* data = nullptr;
    TORCH_CHECK(posix_memalign(&data, 256, bytes) == 0, "no memory");
    own.count++;
    const int64_t held = own.now += want;
    int64_t most = own.most;
    while (held > most && !own.most.compare_exchange_weak(most, held)) {
    }
    return {data, new Block{data, want, current_device}, &release, device};
  }
  static void release_nothing(void*) {}
  c10::DeleterFnPtr raw_deleter() const override { return nullptr; }
  void copy_data(void* target, const void* source, std::size_t bytes) const override { memcpy(target, source, bytes); }
};
StandInAllocator allocator;

std::mutex pinned_lock;
std::map<const char*, size_t> pinned;
void release_pinned(void* data) {
  const std::lock_guard<std::mutex> guard(pinned_lock);
  pinned.erase(static_cast<const char*>(data));
  free(data);
}
struct PinnedAllocator final : c10::Allocator {
  c10::DataPtr allocate(size_t bytes) override {
    void* data = malloc(bytes ? bytes : 1);
    const std::lock_guard<std::mutex> guard(pinned_lock);
    pinned[static_cast<const char*>(data)] = bytes ? bytes : 1;
    return {data, data, &release_pinned, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release_pinned; }
  void copy_data(void* target, const void* source, std::size_t bytes) const override { memcpy(target, source, bytes); }
};
PinnedAllocator pinned_allocator;

bool is_pinned(const void* data) {
  const std::lock_guard<std::mutex> guard(pinned_lock);
  auto after = pinned.upper_bound(static_cast<const char*>(data));
  if (after == pinned.begin()) return false;
  --after;
  return static_cast<const char*>(data) < after->first + after->second;
}

struct StandInGenerator final : at::CPUGeneratorImpl {
  explicit StandInGenerator(int device) {
    device_ = c10::Device(kKind, static_cast<c10::DeviceIndex>(device));
    key_set_ = c10::DispatchKeySet(kKey);
  }
  void pretend(bool is_cpu, int device) {
    device_ = is_cpu ? c10::Device(c10::kCPU) : c10::Device(kKind, static_cast<c10::DeviceIndex>(device));
  }
};
at::Generator& default_generator(int device) {
  static std::vector<at::Generator> all = [] {
    std::vector<at::Generator> made;
    for (int index = 0; index < device_count; ++index) made.push_back(at::make_generator<StandInGenerator>(index));
    return made;
  }();
  return all[device < 0 ? current_device : device];
}

}  // namespace standin
