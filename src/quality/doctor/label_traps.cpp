#include "quality/doctor/label_traps.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"

namespace bertprep {
namespace {

// The reference's algorithm gives a half or a little more: a document's last sentence always has a random next one.
constexpr double kMinShare = 0.35;
constexpr double kMaxShare = 0.65;
constexpr std::int64_t kMaxIds = std::int64_t{1} << 20U;
// The similarity of segments is a mean: after this many rows, a sample suffices.
constexpr std::uint64_t kLikenAll = std::uint64_t{1} << 14U;
constexpr std::uint64_t kLikenOneIn = 32;

bool is_odd(double share) {
  return share < kMinShare || share > kMaxShare;
}

std::string percent(double share) {
  return std::to_string(std::lround(share * 100)) + " %";
}

// More than half random next sentences result from documents of one sentence, fewer from files with one document.
FixWords fix_words_of(double share) {
  return {{"{cause}", share > 0.5 ? "put blank lines only between documents, not between sentences, and make the "
                                    "rows again: bertprep run --input TEXT --vocab VOCAB -o ROOT"
                                  : "make fewer files, so that each has several documents: bertprep run --input TEXT "
                                    "--vocab VOCAB --train-shards NUMBER -o ROOT"}};
}

std::string what_of(double share, std::uint64_t rows) {
  return percent(share) + " of the " + counted(rows, "row") +
         " are labelled as random next sentences, expected about " + "half";
}

}  // namespace

double LabelTraps::Share::deviations() const {
  return std::abs(value() - 0.5) * 2 * std::sqrt(static_cast<double>(rows));
}

double LabelTraps::Likeness::variance_of_mean() const {
  return rows < 2 ? 0 : (squares / rows - mean() * mean()) / rows;
}

void LabelTraps::add(const std::string& file, const RowView& row) {
  if (!row.next_sentence || *row.next_sentence < 0 || *row.next_sentence > 1) return;
  if (files_.empty() || files_.back().first != file) files_.emplace_back(file, Share{});
  for (Share* share : {&all_, &files_.back().second}) {
    ++share->rows;
    share->random += static_cast<std::uint64_t>(*row.next_sentence);
  }
  add_likeness(row);
}

// Segments of one document share words that are rare elsewhere: the share of the second's words that are in the first,
// each weighted by its rarity so far.
void LabelTraps::add_likeness(const RowView& row) {
  if (++likened_ > kLikenAll && likened_ % kLikenOneIn != 0) return;
  if (row.segments.size() != row.ids.size() || row.mask.size() != row.ids.size()) return;
  segment_ += 2;
  if (row.mask_ones && row.segment_ones) {
    const OnesRun tokens = *row.mask_ones;
    const std::size_t begin = std::clamp(row.segment_ones->begin, tokens.begin, tokens.end);
    const std::size_t end = std::clamp(row.segment_ones->end, begin, tokens.end);
    for (std::size_t i = tokens.begin; i < begin; ++i) mark_first(row.ids[i]);
    for (std::size_t i = end; i < tokens.end; ++i) mark_first(row.ids[i]);
    Shared shared;
    for (std::size_t i = begin; i < end; ++i) weigh_second(row.ids[i], shared);
    note(*row.next_sentence, shared);
    return;
  }
  const auto is_in = [&](std::size_t i, std::int64_t segment) {
    return row.mask[i] == 1 && row.segments[i] == segment;
  };
  for (std::size_t i = 0; i < row.ids.size(); ++i) {
    if (is_in(i, 0)) mark_first(row.ids[i]);
  }
  Shared shared;
  for (std::size_t i = 0; i < row.ids.size(); ++i) {
    if (is_in(i, 1)) weigh_second(row.ids[i], shared);
  }
  note(*row.next_sentence, shared);
}

bool LabelTraps::make_room(std::int64_t id) {
  if (id < 0 || id >= kMaxIds) return false;
  const auto index = static_cast<std::size_t>(id);
  if (index >= words_.size()) words_.resize(2 * index + 1);
  return true;
}

void LabelTraps::mark_first(std::int64_t id) {
  if (!make_room(id)) return;
  Word& word = words_[static_cast<std::size_t>(id)];
  if (word.mark != segment_) ++word.rows;
  word.mark = segment_;
}

void LabelTraps::weigh_second(std::int64_t id, Shared& shared) {
  if (!make_room(id)) return;
  Word& word = words_[static_cast<std::size_t>(id)];
  const std::uint32_t before = word.mark;
  if (before == segment_ + 1) return;
  word.mark = segment_ + 1;
  const bool is_shared = before == segment_;
  const double weight = 1.0 / (1 + word.rows);
  if (!is_shared) ++word.rows;
  shared.all += weight;
  shared.shared += is_shared ? weight : 0;
}

void LabelTraps::note(std::int64_t label, const Shared& shared) {
  if (shared.all == 0) return;
  Likeness& likeness = likeness_[label];
  const double value = shared.shared / shared.all;
  likeness.rows += 1;
  likeness.sum += value;
  likeness.squares += value * value;
}

void LabelTraps::finish(const std::map<std::string, std::uint64_t>& documents) {
  for (const auto& [file, share] : files_) {
    const auto known = documents.find(file);
    if (known != documents.end() && known->second == 1) {
      findings_.add(Trap::kOneDocument, {file}, "was made from one document");
    }
  }
  finish_shares();
  finish_likeness();
}

void LabelTraps::finish_shares() {
  constexpr double kDeviationsOfAll = 2.4;  // for all rows: six with one label
  constexpr double kDeviationsOfAFile = 5;  // for one of possibly thousands of files
  if (is_odd(all_.value()) && all_.deviations() >= kDeviationsOfAll) {
    findings_.add(Trap::kLabelShare, {}, what_of(all_.value(), all_.rows), fix_words_of(all_.value()));
    return;
  }
  for (const auto& [file, share] : files_) {
    if (!is_odd(share.value()) || share.deviations() < kDeviationsOfAFile) continue;
    findings_.add(Trap::kLabelShare, {file}, what_of(share.value(), share.rows), fix_words_of(share.value()));
  }
}

void LabelTraps::finish_likeness() {
  constexpr double kEnoughRows = 100;
  constexpr double kDeviations = 6;
  constexpr double kTimes = 1.25;
  const auto& [next, random] = likeness_;
  if (next.rows < kEnoughRows || random.rows < kEnoughRows || random.mean() <= kTimes * next.mean()) return;
  const double deviation = std::sqrt(next.variance_of_mean() + random.variance_of_mean());
  if (random.mean() - next.mean() < kDeviations * deviation) return;
  findings_.add(Trap::kFlippedLabels, {},
                "the segments of rows with label 1, 'random next', share " + percent(random.mean()) +
                    " of their rare words, those with label 0, 'true next', " + percent(next.mean()));
}

}  // namespace bertprep
