#include "quality/digest_sample.h"

#include <algorithm>

#include "base/number_text.h"
#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::size_t kHexDigits = 12;  // of 48 bits

void append_hex(std::uint64_t digest, std::string& out) {
  static constexpr const char* kDigits = "0123456789abcdef";
  for (int shift = 44; shift >= 0; shift -= 4) out.push_back(kDigits[(digest >> shift) & 15]);
}

std::uint64_t parse_hex(std::string_view text) {
  const auto digest = number_in<std::uint64_t>(text, 16);
  if (!digest) throw FormatError("a digest of a sample is damaged");
  return *digest;
}

}  // namespace

void DigestSample::shrink() {
  merge();
  while (kept_.size() > max_) raise_level(level_ + 1);
}

void DigestSample::merge() const {
  if (pending_.empty() && others_.empty()) return;
  // Sorted without counts, which is twice as fast.
  std::sort(pending_.begin(), pending_.end());
  std::sort(others_.begin(), others_.end());
  std::vector<Entry> ones;
  ones.reserve(pending_.size());
  for (const std::uint64_t digest : pending_) ones.emplace_back(digest, 1);
  const auto take = [this](const std::vector<Entry>& more) {
    std::vector<Entry> merged;
    merged.reserve(kept_.size() + more.size());
    std::merge(kept_.begin(), kept_.end(), more.begin(), more.end(), std::back_inserter(merged));
    kept_ = std::move(merged);
  };
  take(ones);
  take(others_);
  pending_.clear();
  others_.clear();
  add_up_equal_ones();
}

void DigestSample::add_up_equal_ones() const {
  auto last = kept_.begin();
  for (auto at = kept_.begin(); at != kept_.end(); ++at) {
    if (at == last) continue;
    if (last->first == at->first) {
      last->second += at->second;
    } else {
      *++last = *at;
    }
  }
  if (!kept_.empty()) kept_.erase(std::next(last), kept_.end());
}

void DigestSample::raise_level(int level) {
  level_ = level;
  const auto is_left_out = [this](const Entry& entry) { return (entry.first & mask()) != 0; };
  std::erase_if(kept_, is_left_out);
  std::erase_if(others_, is_left_out);
}

void DigestSample::add(const DigestSample& other) {
  other.merge();
  if (!pending_.empty()) merge();
  if (other.level_ > level_) raise_level(other.level_);
  for (const Entry& entry : other.kept_) {
    if ((entry.first & mask()) == 0) others_.push_back(entry);
  }
  if (others_.size() > kept_.size()) merge();  // rarely enough that merging thousands of shards is fast
}

std::uint64_t DigestSample::sampled() const {
  merge();
  std::uint64_t sum = 0;
  for (const auto& [digest, times] : kept_) sum += times;
  return sum;
}

std::uint64_t DigestSample::repeated() const {
  const std::uint64_t all = sampled();
  return all - kept_.size();
}

double DigestSample::repeated_share() const {
  const std::uint64_t all = sampled();
  return all == 0 ? 0 : static_cast<double>(repeated()) / static_cast<double>(all);
}

Json DigestSample::to_json() const {
  DigestSample settled(*this);
  settled.shrink();
  std::string digests;
  Json repeats = Json::array();
  for (std::size_t i = 0; i < settled.kept_.size(); ++i) {
    const auto& [digest, times] = settled.kept_[i];
    append_hex(digest, digests);
    if (times > 1) repeats.push(Json::array().push(Json::number(i)).push(Json::number(times)));
  }
  return Json::object()
      .add("level", Json::number(static_cast<std::uint64_t>(settled.level_)))
      .add("digests", Json::string(std::move(digests)))
      .add("repeats", std::move(repeats));
}

DigestSample DigestSample::from_json(const Json& json) {
  DigestSample sample;
  const std::uint64_t level = json.at("level").as_unsigned();
  const std::string& digests = json.at("digests").text();
  if (level > 48 || digests.size() % kHexDigits != 0) throw FormatError("a sample of digests is damaged");
  sample.level_ = static_cast<int>(level);
  for (std::size_t at = 0; at < digests.size(); at += kHexDigits) {
    sample.kept_.emplace_back(parse_hex(std::string_view(digests).substr(at, kHexDigits)), 1);
  }
  for (const Json& repeat : json.at("repeats").items()) {
    const std::vector<Json>& pair = repeat.items();
    if (pair.size() != 2 || pair[0].as_unsigned() >= sample.kept_.size()) {
      throw FormatError("a sample of digests is damaged");
    }
    sample.kept_[pair[0].as_unsigned()].second = pair[1].as_unsigned();
  }
  return sample;
}

}  // namespace bertprep
