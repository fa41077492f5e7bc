#include "io/buffered_file.h"
#include "shard/chunk_store.h"
#include "shard/container.h"

namespace bertprep {
namespace {

class ContainerStore final : public ChunkStore {
 public:
  ContainerStore(const std::filesystem::path& path, const ShardPlan& plan, unsigned deflate_level,
                 std::vector<std::byte>& file_buffer)
      : file_(path, Container::kFrontBytes, file_buffer), plan_(plan), deflate_level_(deflate_level) {}

  void store(std::size_t dataset, std::span<const std::size_t> offset, std::span<const std::byte> bytes) override {
    chunks_[dataset].push_back(
        {file_.size_bytes(), static_cast<std::uint32_t>(bytes.size()), {offset[0], offset.size() > 1 ? offset[1] : 0}});
    file_.append(bytes);
  }

  void finish() override {
    constexpr std::array<std::byte, 8> kZeros{};
    file_.append(std::span(kZeros).first((8 - file_.size_bytes() % 8) % 8));
    const Container container(plan_, deflate_level_, chunks_, file_.size_bytes());
    file_.append(container.back().view());
    file_.finish(container.front().view());
  }

  FileDigest digest() const override { return {file_.size_bytes(), file_.sha256()}; }

 private:
  BufferedFile file_;
  ShardPlan plan_;
  unsigned deflate_level_;
  StoredChunks chunks_;
};

}  // namespace

std::unique_ptr<ChunkStore> store_in_container(const std::filesystem::path& path, const ShardPlan& plan,
                                               unsigned deflate_level, std::vector<std::byte>& file_buffer) {
  return std::make_unique<ContainerStore>(path, plan, deflate_level, file_buffer);
}

}  // namespace bertprep
