#include "wiki/dump/dump_damage.h"

#include <algorithm>

#include "base/number_text.h"

namespace bertprep {
namespace {

constexpr std::size_t kMaxReported = 5;

std::string place_between(const DumpDamage& damage) {
  if (damage.before.empty() && damage.after.empty()) return {};
  if (damage.before.empty()) return ", before " + damage.after;
  if (damage.after.empty()) return ", after " + damage.before;
  return ", between " + damage.before + " and " + damage.after;
}

std::string sentence(const DumpDamage& damage) {
  if (!damage.fault.empty()) return damage.fault;
  std::string text =
      "bytes " + std::to_string(damage.bytes.begin) + " to " + std::to_string(damage.bytes.end) + " are damaged: ";
  if (damage.pages == 0) return text + "no page is known to be lost" + place_between(damage);
  text += "at least " + counted(damage.pages, "page", "is", "are") + " lost";
  if (damage.likely_pages > damage.pages) {
    text += ", some " + grouped(damage.likely_pages) + " by the size of those before";
  }
  return text + place_between(damage);
}

}  // namespace

FormatError damage_error(const std::string& dump, std::span<const DumpDamage> damage, const std::string& more) {
  std::string text;
  for (const DumpDamage& one : damage.first(std::min(damage.size(), kMaxReported))) {
    if (!text.empty()) text += "; ";
    text += sentence(one);
  }
  if (damage.size() > kMaxReported) text += "; and there are " + grouped(damage.size() - kMaxReported) + " more";
  if (!more.empty()) text += "; " + more;
  return FormatError(text, dump, "get the file again");
}

}  // namespace bertprep
