#include "shard/hdf5/chunk_store.h"

#include <array>

#include "shard/hdf5/hdf5_output.h"

namespace bertprep {
namespace {

struct HeldChunk {
  std::vector<std::size_t> offset;
  std::vector<std::byte> bytes;
};

class StoreInOrder final : public ChunkStore {
 public:
  StoreInOrder(const std::filesystem::path& path, const ShardPlan& plan, unsigned deflate_level)
      : file_(path), plan_(plan), deflate_level_(deflate_level) {}

  void store(std::size_t dataset, std::span<const std::size_t> offset, std::span<const std::byte> bytes) override {
    chunks_[dataset].push_back({{offset.begin(), offset.end()}, {bytes.begin(), bytes.end()}});
  }

  void finish() override {
    for (std::size_t i = 0; i < kDatasets; ++i) {
      Hdf5OutputDataset dataset(file_, plan_[i], deflate_level_);
      for (const HeldChunk& chunk : chunks_[i]) dataset.write_chunk(chunk.offset, chunk.bytes);
      dataset.close();
    }
    file_.close();
  }

  FileDigest digest(const Progress& progress) const override { return digest_file(file_.path(), progress); }

 private:
  Hdf5OutputFile file_;
  ShardPlan plan_;
  unsigned deflate_level_;
  std::array<std::vector<HeldChunk>, kDatasets> chunks_;
};

}  // namespace

std::unique_ptr<ChunkStore> store_in_order(const std::filesystem::path& path, const ShardPlan& plan,
                                           unsigned deflate_level) {
  return std::make_unique<StoreInOrder>(path, plan, deflate_level);
}

}  // namespace bertprep
