#include "quality/frequent_words.h"

#include <algorithm>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

bool is_before(const CountedWord& left, const CountedWord& right) {
  return left.times != right.times ? left.times > right.times : left.word < right.word;
}

}  // namespace

void FrequentWords::add(std::string_view word, std::uint64_t times) {
  if (const auto found = times_.find(word); found != times_.end()) {
    found->second += times;
    return;
  }
  if (times_.size() >= 2 * max_) forget_rare();
  times_.emplace(word, times);
}

void FrequentWords::add(const FrequentWords& other) {
  for (const CountedWord& counted : other.most_frequent(other.times_.size())) add(counted.word, counted.times);
}

void FrequentWords::forget_rare() {
  const std::vector<CountedWord> kept = most_frequent(max_);
  times_.clear();
  for (const CountedWord& counted : kept) times_.emplace(counted.word, counted.times);
}

std::vector<CountedWord> FrequentWords::most_frequent(std::size_t count) const {
  std::vector<CountedWord> words;
  words.reserve(times_.size());
  for (const auto& [word, times] : times_) words.push_back({word, times});
  const std::size_t kept = std::min(count, words.size());
  std::partial_sort(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(kept), words.end(), is_before);
  words.resize(kept);
  return words;
}

Json FrequentWords::to_json(std::size_t count) const {
  Json list = Json::array();
  for (const CountedWord& counted : most_frequent(count)) {
    list.push(Json::array().push(Json::string(counted.word)).push(Json::number(counted.times)));
  }
  return list;
}

FrequentWords FrequentWords::from_json(const Json& json) {
  FrequentWords words;
  for (const Json& entry : json.items()) {
    if (entry.items().size() != 2) throw FormatError("a list of words is damaged");
    words.add(entry.items()[0].text(), entry.items()[1].as_unsigned());
  }
  return words;
}

}  // namespace bertprep
