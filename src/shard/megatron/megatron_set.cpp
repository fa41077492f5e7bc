#include "shard/megatron/megatron_set.h"

#include <utility>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/input_file.h"

namespace bertprep {

MegatronSet::MegatronSet(PendingFile bin, PendingFile idx, IdType type)
    : bin_(std::move(bin)), idx_(std::move(idx)), ids_(bin_.path()), index_(type) {}

void MegatronSet::add_sequence(std::span<const std::int32_t> ids) {
  buffer_.clear();
  append_ids(ids, index_.type(), buffer_);
  ids_.write(buffer_);
  index_.add_sequence(ids.size());
}

void MegatronSet::append(const MegatronPaths& part) {
  const MappedFile idx(part.idx);
  const MegatronIndex index = MegatronIndex::parse(idx.bytes(), part.idx.string());
  InputFile bin(part.bin);
  const std::uint64_t expected = index.ids() * bytes_of(index.type());
  if (bin.size_bytes() != expected) {
    throw FormatError("has " + counted(bin.size_bytes(), "byte") + ", its index counts " + grouped(expected), part.bin,
                      "it is damaged: make it again");
  }
  index_.append(index);
  const ReadBuffer buffer;
  while (const std::size_t count = bin.read(buffer.span())) ids_.write(buffer.first(count));
}

void MegatronSet::finish() {
  ids_.finish();
  OutputFile idx(idx_.path());
  idx.write(index_.bytes());
  idx.finish();
}

}  // namespace bertprep
