#include "stream/archive_filter.h"

#include <utility>

#include "stream/archive_handle.h"

namespace bertprep {
namespace {

class FilterStream final : public ByteStream {
 public:
  FilterStream(std::string name, std::unique_ptr<ByteStream> packed)
      : archive_(ArchiveHandle::Holds::kBytes, std::move(name), std::move(packed)) {}

  std::string_view next_block() override {
    if (!std::exchange(is_begun_, true)) has_entry_ = archive_.next_entry() != nullptr;
    return has_entry_ ? archive_.next_block(archive_.name()) : std::string_view{};
  }

 private:
  ArchiveHandle archive_;
  bool is_begun_ = false;
  bool has_entry_ = false;
};

}  // namespace

std::unique_ptr<ByteStream> decode_by_filter(std::string name, std::unique_ptr<ByteStream> packed) {
  return std::make_unique<FilterStream>(std::move(name), std::move(packed));
}

}  // namespace bertprep
