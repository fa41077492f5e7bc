#include "fetch/failed_sources.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "fetch/mirror_ring.h"

namespace bertprep {
namespace {

struct Words {
  std::string_view what;
  std::string_view advice;
};

const Words& words_of(Trouble trouble) {
  static constexpr std::array<Words, 6> kWords{{
      {"gone", ""},
      {"sends something else", ""},
      {"refuses us", "it may want a login, or block this network or program"},
      {"can't be used", "check the address, the certificate and your proxy"},
      {"busy", "run the same command after that"},
      {"unreachable", "check the network and its proxy, or try later"},
  }};
  return kWords[static_cast<std::size_t>(trouble)];
}

bool say_the_same(const FailedSource& one, const FailedSource& other) {
  return one.trouble == other.trouble && one.reason == other.reason && host_of(one.url) == host_of(other.url);
}

std::string lines_of(std::vector<FailedSource> failed) {
  std::ranges::stable_sort(failed, {}, &FailedSource::trouble);
  std::string text;
  for (std::size_t i = 0; i < failed.size(); ++i) {
    const FailedSource& source = failed[i];
    const auto same = [&](const FailedSource& other) { return say_the_same(source, other); };
    if (std::any_of(failed.begin(), failed.begin() + static_cast<std::ptrdiff_t>(i), same)) continue;
    const auto [what, advice] = words_of(source.trouble);
    text += "\n  " + std::string(what) + ": " + source.url + ": " + source.reason;
    const auto others = static_cast<std::uint64_t>(std::ranges::count_if(failed, same)) - 1;
    if (others != 0)
      text += ", as " + grouped(others) + (others == 1 ? " other address" : " other addresses") + " there";
    if (!advice.empty()) text += " (" + std::string(advice) + ")";
  }
  return text;
}

bool has(const std::vector<FailedSource>& failed, Trouble trouble) {
  return std::ranges::find(failed, trouble, &FailedSource::trouble) != failed.end();
}

}  // namespace

bool may_recover(const std::vector<FailedSource>& failed) {
  return has(failed, Trouble::kAsksToWait) || has(failed, Trouble::kUnreachable);
}

std::string in_one_line(const std::vector<FailedSource>& failed) {
  std::string text;
  for (const FailedSource& source : failed) text += (text.empty() ? "" : "; ") + source.url + ": " + source.reason;
  return text;
}

void throw_failed(const std::string& what, const std::string& where, const std::string& hint,
                  const std::vector<FailedSource>& failed) {
  const std::string all = hint + (failed.empty() ? "" : ":") + lines_of(failed);
  if (has(failed, Trouble::kOtherData) && !has(failed, Trouble::kAsksToWait)) throw FormatError(what, where, all);
  throw IoError::of_servers(what, where, all, may_recover(failed));
}

std::string wait_text(std::chrono::seconds wait) {
  constexpr std::array<std::pair<std::uint64_t, std::string_view>, 3> kUnits{
      {{86400, " days"}, {3600, " h"}, {60, " min"}}};
  const auto seconds = static_cast<std::uint64_t>(wait.count());
  for (const auto& [unit, name] : kUnits) {
    if (seconds >= 2 * unit) return grouped((seconds + unit / 2) / unit) + std::string(name);
  }
  return grouped(seconds) + " s";
}

std::string pause_text(std::chrono::nanoseconds pause) {
  constexpr std::chrono::seconds kShort{5};
  return pause < kShort ? "" : " in " + wait_text(std::chrono::duration_cast<std::chrono::seconds>(pause));
}

}  // namespace bertprep
