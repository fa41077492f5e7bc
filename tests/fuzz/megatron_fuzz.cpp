// Arbitrary bytes as the index of a Megatron set: findings, numbers of sequences, or refused; and sets accepted by the
// plain reader have no findings.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "bertprep/base/error.h"
#include "quality/sequences/any_doctor.h"
#include "shard/megatron/megatron_set.h"

namespace {

using namespace bertprep;

// 0 if the strict reader refuses it.
std::uint64_t bytes_of_ids(std::string_view bytes) try {
  const MegatronIndex index = MegatronIndex::parse(bytes, "x.idx");
  return index.ids() * bytes_of(index.type()) + 1;
} catch (const FormatError&) {
  return 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::uint64_t valid = bytes_of_ids(bytes);
  try {
    const MegatronView view(bytes);
    Findings findings({TrainerKind::kMegatronBert, TrainerKind::kMegatronGpt}, true);
    find_number_traps(view, valid == 0 ? size : valid - 1, findings);
    if (valid != 0 && !findings.list().empty()) std::abort();
  } catch (const FormatError&) {
    if (valid != 0) std::abort();
  }
  return 0;
}
