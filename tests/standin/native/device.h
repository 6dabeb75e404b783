// What torch asks of a kind of device: current device and stream, events, and its hooks.
#pragma once
#include "memory.h"

namespace standin {

struct Guard final : c10::impl::DeviceGuardImplInterface {
  using Device = c10::Device;
  using Stream = c10::Stream;
  static Device at_index(int index) { return Device(kKind, static_cast<c10::DeviceIndex>(index)); }
  c10::DeviceType type() const override { return kKind; }
  Device exchangeDevice(Device device) const override {
    const auto before = getDevice();
    setDevice(device);
    return before;
  }
  Device getDevice() const override { return at_index(current_device); }
  void setDevice(Device device) const override {
    TORCH_CHECK(device.index() < device_count, "CUDA error: invalid device ordinal");
    if (device.index() >= 0) current_device = device.index();
  }
  void uncheckedSetDevice(Device device) const noexcept override {
    if (device.index() >= 0) current_device = device.index();
  }
  static int index_of(Device device) { return device.index() < 0 ? current_device : device.index(); }
  Stream getStream(Device device) const override {
    const int index = index_of(device);
    return Stream(Stream::UNSAFE, at_index(index), current_streams[index]);
  }
  Stream getDefaultStream(Device device) const override {
    return Stream(Stream::UNSAFE, at_index(index_of(device)), 0);
  }
  Stream getNewStream(Device device, int) const override {
    static std::atomic<int64_t> last{0};
    return Stream(Stream::UNSAFE, at_index(index_of(device)), ++last);
  }
  Stream getStreamFromGlobalPool(Device device, bool) const override { return getNewStream(device, 0); }
  Stream exchangeStream(Stream stream) const override {
    const int index = index_of(stream.device());
    const auto before = getStream(at_index(index));
    current_streams[index] = stream.id();
    return before;
  }
  void record(void** event, const Stream&, const c10::DeviceIndex, const c10::EventFlag) const override {
    if (*event == nullptr) *event = new int(0);
  }
  void block(void*, const Stream&) const override {}
  bool queryEvent(void*) const override { return true; }
  void destroyEvent(void* event, const c10::DeviceIndex) const noexcept override { delete static_cast<int*>(event); }
  double elapsedTime(void*, void*, const c10::DeviceIndex) const override { return 0.001; }
  void synchronizeEvent(void*) const override {}
  void synchronizeDevice(const c10::DeviceIndex) const override {}
  bool queryStream(const Stream&) const override { return true; }
  void synchronizeStream(const Stream&) const override {}
  c10::DeviceIndex deviceCount() const noexcept override { return device_count; }
};

// What torch asks of any accelerator.
template <typename Interface>
struct CommonHooks : Interface {
  void init() const override {}
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return device_count > 0; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  const at::Generator& getDefaultGenerator(c10::DeviceIndex index) const override { return default_generator(index); }
  at::Generator getNewGenerator(c10::DeviceIndex index) const override {
    return at::make_generator<StandInGenerator>(index < 0 ? standin::current_device : index);
  }
  c10::Device getDeviceFromPtr(void*) const override { return Guard::at_index(standin::current_device); }
  bool isPinnedPtr(const void* data) const override { return is_pinned(data); }
  c10::Allocator* getPinnedMemoryAllocator() const override { return &pinned_allocator; }
  c10::DeviceIndex deviceCount() const override { return device_count; }
  void setCurrentDevice(c10::DeviceIndex index) const override { standin::current_device = index; }
  c10::DeviceIndex getCurrentDevice() const override { return static_cast<c10::DeviceIndex>(standin::current_device); }
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex index) const override {
    const auto before = getCurrentDevice();
    standin::current_device = index;
    return before;
  }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex index) const override {
    return index < 0 ? getCurrentDevice() : exchangeDevice(index);
  }
};

#ifdef STANDIN_NPU
struct Hooks final : CommonHooks<at::PrivateUse1HooksInterface> {
  void resizePrivateUse1Bytes(const c10::Storage& storage, size_t bytes) const override {
    auto data = allocator.allocate(bytes);
    memcpy(data.get(), storage.data(), std::min(bytes, storage.nbytes()));
    storage.set_data_ptr(std::move(data));
    storage.set_nbytes(bytes);
  }
};
#else
struct Hooks final : CommonHooks<at::CUDAHooksInterface> {
  explicit Hooks(at::CUDAHooksArgs) {}
  bool hasCUDA() const override { return true; }
  bool hasCUDART() const override { return true; }
  bool hasMAGMA() const override { return true; }
  bool hasCuSOLVER() const override { return true; }
  c10::Allocator* getCUDADeviceAllocator() const override { return &allocator; }
  c10::DeviceIndex current_device() const override { return static_cast<c10::DeviceIndex>(standin::current_device); }
  int getNumGPUs() const override { return device_count; }
  std::string showConfig() const override { return "a stand-in for CUDA\n"; }
  void deviceSynchronize(c10::DeviceIndex) const override {}
  long versionCUDART() const override { return 12080; }
};
#endif

}  // namespace standin
