// Collectives in NCCL's place: gloo's, which works on the same memory as the CPU's tensors.
#pragma once
#include <torch/csrc/distributed/c10d/Backend.hpp>

#include "aliases.h"

namespace standin {

struct Collectives final : c10d::Backend {
  using Work = c10::intrusive_ptr<c10d::Work>;
  using Tensors = std::vector<at::Tensor>;
  using Lists = std::vector<Tensors>;
  using Sizes = std::vector<int64_t>;

  explicit Collectives(c10::intrusive_ptr<c10d::Backend> gloo)
      : c10d::Backend(gloo->getRank(), gloo->getSize()), gloo_(std::move(gloo)) {}
  const std::string getBackendName() const override { return is_npu ? "hccl" : "nccl"; }
  void setSequenceNumberForGroup() override { gloo_->setSequenceNumberForGroup(); }
  uint64_t getSequenceNumberForGroup() override { return gloo_->getSequenceNumberForGroup(); }

  static at::Tensor lend(const at::Tensor& data) {
    TORCH_CHECK(is_own(data) && data.layout() == at::kStrided, "Tensors must be of the device and dense");
    TORCH_CHECK(!is_recording, "the stand-in does not record collectives in a graph");
    return Aliases().to_cpu(data);
  }
  static Tensors lend(const Tensors& list) {
    Tensors lent;
    for (const auto& data : list) lent.push_back(lend(data));
    return lent;
  }
  static Lists lend(const Lists& lists) {
    Lists lent;
    for (const auto& list : lists) lent.push_back(lend(list));
    return lent;
  }

#define WRITES(name, Data, Options)                             \
  Work name(Data& data, const c10d::Options& opts) override {   \
    auto lent = lend(data);                                     \
    return gloo_->name(lent, opts);                             \
  }
#define FILLS(name, Out, In, Options)                                       \
  Work name(Out& out, In& in, const c10d::Options& opts) override {         \
    auto lent_out = lend(out);                                              \
    auto lent_in = lend(in);                                                \
    return gloo_->name(lent_out, lent_in, opts);                            \
  }
  WRITES(broadcast, Tensors, BroadcastOptions)
  WRITES(allreduce, Tensors, AllreduceOptions)
  WRITES(allreduce_coalesced, Tensors, AllreduceCoalescedOptions)
  WRITES(reduce, Tensors, ReduceOptions)
  FILLS(allgather, Lists, Tensors, AllgatherOptions)
  FILLS(allgather_coalesced, Lists, Tensors, AllgatherOptions)
  FILLS(allgather_into_tensor_coalesced, Tensors, Tensors, AllgatherOptions)
  FILLS(_allgather_base, at::Tensor, at::Tensor, AllgatherOptions)
  FILLS(gather, Lists, Tensors, GatherOptions)
  FILLS(scatter, Tensors, Lists, ScatterOptions)
  FILLS(reduce_scatter, Tensors, Lists, ReduceScatterOptions)
  FILLS(reduce_scatter_tensor_coalesced, Tensors, Tensors, ReduceScatterOptions)
  FILLS(_reduce_scatter_base, at::Tensor, at::Tensor, ReduceScatterOptions)
  FILLS(alltoall, Tensors, Tensors, AllToAllOptions)
#undef WRITES
#undef FILLS
  Work alltoall_base(at::Tensor& out, at::Tensor& in, Sizes& out_sizes, Sizes& in_sizes,
                     const c10d::AllToAllOptions& opts) override {
    auto lent_out = lend(out), lent_in = lend(in);
    return gloo_->alltoall_base(lent_out, lent_in, out_sizes, in_sizes, opts);
  }
  Work send(Tensors& tensors, int target, int tag) override {
    auto lent = lend(tensors);
    return gloo_->send(lent, target, tag);
  }
  Work recv(Tensors& tensors, int source, int tag) override {
    auto lent = lend(tensors);
    return gloo_->recv(lent, source, tag);
  }
  Work recvAnysource(Tensors& tensors, int tag) override {
    auto lent = lend(tensors);
    return gloo_->recvAnysource(lent, tag);
  }
  Work barrier(const c10d::BarrierOptions& opts) override { return gloo_->barrier(opts); }

 private:
  c10::intrusive_ptr<c10d::Backend> gloo_;
};

}  // namespace standin
