#include "bertprep/trainer/process_group.h"

#include <vector>

namespace bertprep {
namespace {

class LoneProcess final : public ProcessGroup {
 public:
  std::size_t rank() const override { return 0; }
  std::size_t size() const override { return 1; }
  std::size_t rank_here() const override { return 0; }
  std::size_t size_here() const override { return 1; }
  void reduce_scatter(std::span<float>, std::span<const std::size_t>) override {}
  void all_gather(std::span<float>, std::span<const std::size_t>) override {}
  void sum(std::span<double>) override {}
  void broadcast(std::span<std::byte>) override {}
  void barrier() override {}
  void abort(int) override {}
};

}  // namespace

std::unique_ptr<ProcessGroup> lone_process() {
  return std::make_unique<LoneProcess>();
}

std::vector<std::size_t> equal_parts(std::size_t count, std::size_t processes) {
  std::vector<std::size_t> parts(processes, count / processes);
  for (std::size_t i = 0; i < count % processes; ++i) ++parts[i];
  return parts;
}

void all_reduce(ProcessGroup& group, std::span<float> values) {
  const std::vector<std::size_t> parts = equal_parts(values.size(), group.size());
  group.reduce_scatter(values, parts);
  group.all_gather(values, parts);
}

std::string broadcast_text(ProcessGroup& group, std::string text) {
  std::uint64_t size = text.size();
  group.broadcast(std::as_writable_bytes(std::span(&size, 1)));
  text.resize(size);
  group.broadcast(std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace bertprep
