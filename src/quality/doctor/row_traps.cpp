#include "quality/doctor/row_traps.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "bertprep/shard/schema.h"
#include "shard/shard_check.h"

namespace bertprep {
namespace {

// Of bert-base-uncased and bert-large-uncased, and of the trainers' configurations.
constexpr std::int64_t kUsualPieces = 30522;
// This many distinct ids beyond them indicate another vocabulary rather than damage.
constexpr std::uint64_t kOtherVocabulary = 100;
// This many rows padded with one id that occurs nowhere else reveal the [PAD] of their vocabulary.
constexpr std::uint64_t kRowsThatShowPad = 32;
constexpr std::int64_t kMaxRowIds = std::int64_t{1} << 22U;

std::string at(const char* column, std::size_t index, std::int64_t value) {
  return std::string(column) + "[" + std::to_string(index) + "] is " + std::to_string(value);
}

// Ones at the front of the mask; all tokens without a mask.
std::size_t length_of(const RowView& row) {
  if (row.mask.empty()) return row.ids.size();
  if (row.mask_ones) return row.mask_ones->begin == 0 ? row.mask_ones->end : 0;
  return static_cast<std::size_t>(
      std::find_if(row.mask.begin(), row.mask.end(), [](std::int64_t value) { return value != 1; }) - row.mask.begin());
}

// The first place with a value other than 0; the size if there is none.
std::size_t first_not_zero(std::span<const std::int64_t> values) {
  const auto found = std::ranges::find_if(values, [](std::int64_t value) { return value != 0; });
  return static_cast<std::size_t>(found - values.begin());
}

std::string share_text(std::uint64_t part, std::uint64_t all) {
  return grouped(part) + " of " + grouped(all);
}

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
  return {{"{cause}", share > 0.5 ? "put blank lines only between documents, not between sentences, and make the rows "
                                    "again: bertprep run --input TEXT --vocab VOCAB -o ROOT"
                                  : "make fewer files, so that each has several documents: bertprep run --input TEXT "
                                    "--vocab VOCAB --train-shards NUMBER -o ROOT"}};
}

std::string what_of(double share, std::uint64_t rows) {
  return percent(share) + " of the " + counted(rows, "row") +
         " are labelled as random next sentences, expected about " + "half";
}

}  // namespace

void RowTraps::Suspicion::add(const FindingPlace& place, const std::string& text) {
  if (rows++ > 0) return;
  first = place;
  what = text;
}

void RowTraps::add(const std::string& file, std::uint64_t number, const RowView& row) {
  if (place_.file != file) place_.file = file;
  place_.row = number;
  length_ = length_of(row);
  ++counts_.rows;
  check_mask(row);
  check_ids(kInputIds, row.ids);
  check_padding(row);
  check_segments(row);
  if (!row.positions.empty()) check_positions(row);
  if (!row.labels.empty()) check_labels(row);
  if (row.next_sentence && *row.next_sentence != 0 && *row.next_sentence != 1) {
    tell(Trap("label-values"), "its label for the next sentence is " + std::to_string(*row.next_sentence));
  }
}

void RowTraps::check_mask(const RowView& row) {
  if (row.mask.empty() || (length_ > 0 && row.mask_ones)) return;
  const auto name = kind_ == RowKind::kBert ? kInputMask : "attention_mask";
  const std::size_t index = length_ + first_not_zero(row.mask.subspan(length_));
  if (index == row.mask.size()) {
    if (length_ == 0) {
      tell(Trap("mask-gaps"), std::string(name) + " is 0 everywhere: a row without tokens");
    }
    return;
  }
  // Models that read from left to right are padded at the front.
  const bool padded_in_front =
      length_ == 0 && std::ranges::all_of(row.mask.subspan(index), [](std::int64_t value) { return value == 1; });
  if (padded_in_front && kind_ != RowKind::kBert) return;
  tell(Trap("mask-gaps"), row.mask[index] == 1 ? at(name, index, 1) + " after a 0: tokens before it are hidden"
                                               : at(name, index, row.mask[index]) + ", expected 0 or 1");
}

void RowTraps::count_id(const char* column, std::int64_t id) {
  largest_ = std::max(largest_, id);
  const auto index = static_cast<std::size_t>(id);
  if (id < kUsualPieces || id >= kMaxRowIds) return;
  if (index >= is_used_.size()) is_used_.resize(std::max<std::size_t>(2 * index, 1U << 16U));
  if (!is_used_[index]) ++large_ids_;
  is_used_[index] = true;
  if (beyond_usual_.rows == 0) {
    beyond_usual_.what = std::string(column) + " has id " + std::to_string(id);
    beyond_usual_.first = place_;
  }
}

void RowTraps::check_ids(const char* column, std::span<const std::int64_t> ids) {
  const std::int64_t limit = pieces_limit();
  counts_.tokens += ids.size();
  // Almost all rows have only usual ids, none larger than before: no difference is negative.
  const std::int64_t bound = std::min({largest_, kUsualPieces - 1, limit == 0 ? kUsualPieces : limit - 1});
  std::uint64_t signs = 0;
  for (const std::int64_t id : ids) {
    const auto unsigned_id = static_cast<std::uint64_t>(id);
    signs |= unsigned_id | (static_cast<std::uint64_t>(bound) - unsigned_id);
  }
  if (signs >> 63U == 0) return;
  bool is_told = false;
  bool is_beyond = false;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::int64_t id = ids[i];
    if (id >= 0) count_id(column, id);
    is_beyond |= id >= kUsualPieces;
    if (is_told || (id >= 0 && (limit == 0 || id < limit))) continue;
    is_told = true;
    tell(Trap("vocabulary-too-small"),
         at(column, i, id) + (id < 0
                                  ? ", no id is negative"
                                  : ", the vocabulary has " + grouped(static_cast<std::uint64_t>(limit)) + " pieces"));
  }
  if (is_beyond) ++beyond_usual_.rows;
}

void RowTraps::check_padding(const RowView& row) {
  if (!row.mask.empty() && row.ids.size() >= 2 && length_ == row.ids.size() && row.ids.back() == 0 &&
      row.ids[row.ids.size() - 2] == 0) {
    tell(Trap("padding"), "ends in zeros that its mask counts as tokens");
  }
  const auto padding = row.ids.subspan(std::min(length_, row.ids.size()));
  if (padding.empty() || kind_ == RowKind::kOther) return;
  if (!pad_) pad_ = padding.front();
  const bool is_pad = std::ranges::all_of(padding, [&](std::int64_t id) { return id == *pad_; });
  pad_varies_ |= !is_pad;
  padded_rows_ += is_pad ? 1 : 0;
  const std::size_t wrong = first_not_zero(padding);
  if (wrong == padding.size() || length_ == 0) return;
  padding_.add(place_, at(kInputIds, length_ + wrong, padding[wrong]) +
                           " where its mask is 0: padding that is not 0, or tokens that are hidden");
}

void RowTraps::check_segments(const RowView& row) {
  if (row.segment_ones) return;
  const auto wrong = std::ranges::find_if(row.segments, [](std::int64_t value) { return value < 0 || value > 1; });
  if (wrong == row.segments.end()) return;
  tell(Trap("segment-range"), at(kind_ == RowKind::kBert ? kSegmentIds : "token_type_ids",
                                 static_cast<std::size_t>(wrong - row.segments.begin()), *wrong) +
                                  ", models have 0 and 1");
}

void RowTraps::check_positions(const RowView& row) {
  const std::size_t count = count_positions(row.positions);
  check_behind_positions(row, count);
  check_predictions(row, count);
  max_predictions_ = std::max(max_predictions_, row.positions.size());
  const bool is_full = count == row.positions.size();
  if (max_predictions_allowed_ != 0 && max_predictions_allowed_ < row.positions.size() && is_full) {
    tell(Trap("more-predictions"),
         "has " + counted(count, "prediction") + ", the trainer takes " + std::to_string(max_predictions_allowed_));
  }
}

// A 0 ends the positions for all readers: later ones are lost, or unintended.
void RowTraps::check_behind_positions(const RowView& row, std::size_t count) {
  const std::size_t more = count + first_not_zero(row.positions.subspan(count));
  if (more < row.positions.size()) {
    return tell(row.positions[more] > 0 ? Trap("zero-position") : Trap("padding"),
                at(kMaskedLmPositions, more, row.positions[more]) + " after a 0 at [" + std::to_string(count) + "]");
  }
  const auto& ids = row.masked_ids;
  if (ids.size() != row.positions.size()) return;
  const std::size_t index = count + first_not_zero(ids.subspan(count));
  if (index == ids.size()) {
    if (count == 0) without_predictions_.add(place_, "has nothing to predict");
    return;
  }
  if (index == 0 && first_not_zero(ids.subspan(1)) == ids.size() - 1) {
    tell(Trap("zero-position"), "predicts position 0 alone, which reads as nothing");
  } else {
    tell(Trap("padding"), at(kMaskedLmIds, index, ids[index]) + " without a position");
  }
}

// Whether positions and the signs of ids are valid, checked without an early exit from the loop.
bool RowTraps::are_valid(const RowView& row, std::size_t count) const {
  if (count > row.masked_ids.size() || length_ == 0 || length_ > row.ids.size()) return false;
  const auto last = static_cast<std::int64_t>(length_) - 1;
  std::int64_t signs = 0;
  for (std::size_t i = 0; i < count; ++i) signs |= row.positions[i] | (last - row.positions[i]) | row.masked_ids[i];
  return signs >= 0;
}

void RowTraps::check_predictions(const RowView& row, std::size_t count) {
  if (are_valid(row, count)) {
    counts_.predictions += count;
    for (std::size_t i = 0; i < count; ++i) {
      counts_.visible += row.ids[static_cast<std::size_t>(row.positions[i])] == row.masked_ids[i] ? 1 : 0;
    }
    check_ids(kMaskedLmIds, row.masked_ids.first(count));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t position = row.positions[i];
    if (position < 0) {
      return tell(Trap("padding"), at(kMaskedLmPositions, i, position) + ", padding of positions is 0");
    }
    const auto token = static_cast<std::size_t>(position);
    if (token >= std::max(row.ids.size(), row.mask.size())) {
      return tell(Trap("position-range"),
                  at(kMaskedLmPositions, i, position) + ", the row has " + std::to_string(row.ids.size()) + " tokens");
    }
    if (length_ > 0 && token >= length_) {
      return tell(Trap("padding"), at(kMaskedLmPositions, i, position) + ", where input_mask is 0");
    }
    if (i >= row.masked_ids.size()) continue;
    if (row.masked_ids[i] < 0) {
      return tell(Trap("label-values"), at(kMaskedLmIds, i, row.masked_ids[i]));
    }
    ++counts_.predictions;
    if (token < row.ids.size() && row.ids[token] == row.masked_ids[i]) ++counts_.visible;
  }
  check_ids(kMaskedLmIds, row.masked_ids.first(std::min(count, row.masked_ids.size())));
}

void RowTraps::check_labels(const RowView& row) {
  constexpr std::int64_t kLeftOut = -100;
  const bool is_pair = !row.segments.empty() || row.next_sentence;  // else it may be for a left-to-right model
  std::uint64_t predictions = 0;
  for (std::size_t i = 0; i < row.labels.size(); ++i) {
    const std::int64_t label = row.labels[i];
    if (label == kLeftOut) continue;
    if (label < 0) {
      return tell(Trap("label-values"), at("labels", i, label) + ", expected an id or -100");
    }
    if (i < row.mask.size() && row.mask[i] == 0) {
      return tell(Trap("padding"), at("labels", i, label) + " where attention_mask is 0, expected -100");
    }
    ++predictions;
    if (is_pair && i < row.ids.size() && row.ids[i] == label) ++counts_.visible;
    const std::int64_t limit = pieces_limit();
    if (limit != 0 && label >= limit) {
      return tell(Trap("vocabulary-too-small"), at("labels", i, label));
    }
  }
  counts_.predictions += predictions;
  if (predictions == 0) without_predictions_.add(place_, "has nothing to predict");
}

void RowTraps::finish() {
  constexpr std::uint64_t kEnoughPredictions = 200;
  finish_padding();
  finish_vocabulary();
  finish_predictions();
  // A few such rows in a batch do no harm; many do.
  if (without_predictions_.rows * 20 > counts_.rows) {
    findings_.add(Trap("no-predictions"), without_predictions_.first,
                  without_predictions_.what + ", as " + share_text(without_predictions_.rows, counts_.rows) + " rows");
  }
  if (counts_.predictions >= kEnoughPredictions && counts_.visible * 2 > counts_.predictions) {
    findings_.add(Trap("visible-labels"), {},
                  "the tokens to predict are visible in the rows: " + share_text(counts_.visible, counts_.predictions) +
                      " predictions, expected a tenth");
  }
}

// Rows that are not full end at their first 0, whatever the trainer's maximum is.
void RowTraps::finish_predictions() {
  const bool is_less = max_predictions_allowed_ != 0 && max_predictions_allowed_ < max_predictions_;
  if (!is_less || findings_.has(Trap("more-predictions"))) return;
  findings_.add(Trap("more-predictions"), {},
                "rows have room for " + counted(max_predictions_, "prediction") + ", the trainer takes " +
                    std::to_string(max_predictions_allowed_) + "; no row is full, so none is cut");
  findings_.lower(Trap("more-predictions"), Severity::kRemark);
  findings_.fill(Trap("more-predictions"), "{predictions}", std::to_string(max_predictions_));
}

void RowTraps::finish_padding() {
  if (padding_.rows == 0) return;
  const bool is_piece = pad_ && *pad_ > 0 && !pad_varies_ && padded_rows_ >= kRowsThatShowPad;
  if (is_piece) return;  // [PAD] of their vocabulary
  findings_.add(Trap("padding"), padding_.first,
                padding_.what + (padding_.rows > 1 ? "; " + grouped(padding_.rows) + " such rows" : ""));
}

void RowTraps::finish_vocabulary() {
  const auto number = [](std::int64_t value) { return grouped(static_cast<std::uint64_t>(value)); };
  constexpr std::uint64_t kEnoughTokens = 100000;
  findings_.fill(Trap("vocabulary-too-small"), "{largest}", number(std::max(largest_ + 1, data_pieces_)));
  const std::int64_t used = data_pieces_ != 0 ? data_pieces_ : largest_ + 1;
  const bool is_sure = data_pieces_ != 0 || counts_.tokens >= kEnoughTokens;
  if (model_pieces_ > 2 * used && is_sure) {
    findings_.add(Trap("vocabulary-too-large"), {},
                  "the model has " + number(model_pieces_) + " pieces, the rows use " + number(used));
  }
  if (pieces_limit() != 0 || kind_ == RowKind::kOther || beyond_usual_.rows == 0) return;
  if (large_ids_ >= kOtherVocabulary) {
    findings_.add(Trap("unknown-vocabulary"), beyond_usual_.first,
                  "ids go up to " + number(largest_) + ", and no file names their vocabulary");
    return;
  }
  findings_.add(Trap("vocabulary-too-small"), beyond_usual_.first,
                beyond_usual_.what + ", and " + counted(beyond_usual_.rows, "row", "has", "have") +
                    " ids beyond the 30,522 pieces " +
                    "of the usual configurations; --vocab-size gives another number");
  findings_.fill(Trap("vocabulary-too-small"), "{largest}", number(largest_ + 1));
}

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
      findings_.add(Trap("one-document"), {file}, "was made from one document");
    }
  }
  finish_shares();
  finish_likeness();
}

void LabelTraps::finish_shares() {
  constexpr double kDeviationsOfAll = 2.4;  // for all rows: six with one label
  constexpr double kDeviationsOfAFile = 5;  // for one of possibly thousands of files
  if (is_odd(all_.value()) && all_.deviations() >= kDeviationsOfAll) {
    findings_.add(Trap("label-share"), {}, what_of(all_.value(), all_.rows), fix_words_of(all_.value()));
    return;
  }
  for (const auto& [file, share] : files_) {
    if (!is_odd(share.value()) || share.deviations() < kDeviationsOfAFile) continue;
    findings_.add(Trap("label-share"), {file}, what_of(share.value(), share.rows), fix_words_of(share.value()));
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
  findings_.add(Trap("flipped-labels"), {},
                "the segments of rows with label 1, 'random next', share " + percent(random.mean()) +
                    " of their rare words, those with label 0, 'true next', " + percent(next.mean()));
}

}  // namespace bertprep
