#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "bertprep/token/text_encoder.h"
#include "io/digest.h"
#include "quality/doctor/findings.h"
#include "quality/doctor/set_tokenizer.h"
#include "quality/sequences/any_doctor.h"
#include "quality/sequences/mds_files.h"
#include "quality/sequences/sequence_ids.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

struct BoundaryRules {
  bool wants_boundaries = false;  // readers of these rows expect a boundary at both ends
  bool is_requested = false;      // the user named one of them, so missing ones are also a fault
};

// RowBoundaries: checks the ids with which rows begin and end, and whether they are [CLS] and [SEP].
class RowBoundaries {
 public:
  // Add rows in order.
  void add(const FindingPlace& place, std::span<const std::int64_t> ids);
  // `occurrences` returns how often an id occurs in all rows.
  template <class Occurrences>
  void finish(const SpecialIds& specials, const BoundaryRules& rules, Occurrences&& occurrences, Findings& findings) {
    const Boundary first = boundary(first_, specials.cls, occurrences);
    const Boundary last = boundary(last_, specials.sep ? specials.sep : specials.eod, occurrences);
    tell(first, last, specials, rules, findings);
  }

 private:
  struct Met {
    std::uint64_t rows = 0;
    std::uint64_t doubled = 0;
    FindingPlace place{};  // of the first row
    FindingPlace doubled_place{};
  };
  using MetIds = std::unordered_map<std::int64_t, Met>;
  struct Boundary {
    std::int64_t id = -1;
    std::uint64_t rows = 0;  // with it; 0: no such id
    std::uint64_t lacking = 0;
    std::uint64_t doubled = 0;
    FindingPlace lacking_place{};
    FindingPlace doubled_place{};
  };

  static void meet(MetIds& met, std::int64_t id, bool is_doubled, const FindingPlace& place);
  // The id at this end of most rows, or the tokenizer's.
  template <class Occurrences>
  Boundary boundary(const MetIds& met, std::optional<TokenId> known, Occurrences&& occurrences) const {
    const std::int64_t id = known ? *known : most_frequent(met);
    const auto found = met.find(id);
    const std::uint64_t rows = found == met.end() ? 0 : found->second.rows;
    // An id that is as frequent within rows is a word, not a boundary.
    const bool is_boundary = known || (2 * rows >= rows_ && occurrences(id) <= 2 * rows + alone_);
    return is_boundary ? boundary_of(met, id) : Boundary{};
  }
  static std::int64_t most_frequent(const MetIds& met);
  Boundary boundary_of(const MetIds& met, std::int64_t id) const;
  void tell(const Boundary& first, const Boundary& last, const SpecialIds& specials, const BoundaryRules& rules,
            Findings& findings) const;
  void report_boundary(const Boundary& boundary, bool is_first, bool is_known, Findings& findings) const;

  MetIds first_;
  MetIds last_;
  std::uint64_t rows_ = 0;   // with two ids or more
  std::uint64_t alone_ = 0;  // with one id
};

constexpr std::uint64_t kRowsThatTell = 4;

bool is_before(const FindingPlace& left, const FindingPlace& right) {
  return left.file == right.file ? left.row < right.row : left.file < right.file;
}

void RowBoundaries::meet(MetIds& met, std::int64_t id, bool is_doubled, const FindingPlace& place) {
  Met& entry = met[id];
  if (entry.rows++ == 0) entry.place = place;
  if (is_doubled && entry.doubled++ == 0) entry.doubled_place = place;
}

void RowBoundaries::add(const FindingPlace& place, std::span<const std::int64_t> ids) {
  if (ids.size() < 2) {
    alone_ += ids.size();
    return;
  }
  ++rows_;
  meet(first_, ids[0], ids[1] == ids[0], place);
  meet(last_, ids.back(), ids[ids.size() - 2] == ids.back(), place);
}

std::int64_t RowBoundaries::most_frequent(const MetIds& met) {
  std::int64_t id = -1;
  std::uint64_t rows = 0;
  for (const auto& [candidate, entry] : met) {
    if (entry.rows < rows || (entry.rows == rows && candidate > id)) continue;
    id = candidate;
    rows = entry.rows;
  }
  return id;
}

RowBoundaries::Boundary RowBoundaries::boundary_of(const MetIds& met, std::int64_t id) const {
  Boundary boundary;
  boundary.id = id;
  if (const auto found = met.find(id); found != met.end()) {
    boundary.rows = found->second.rows;
    boundary.doubled = found->second.doubled;
    boundary.doubled_place = found->second.doubled_place;
  }
  boundary.lacking = rows_ - boundary.rows;
  bool is_first = true;
  for (const auto& [other, entry] : met) {
    if (other == id) continue;
    if (is_first || is_before(entry.place, boundary.lacking_place)) boundary.lacking_place = entry.place;
    is_first = false;
  }
  return boundary;
}

void RowBoundaries::report_boundary(const Boundary& boundary, bool is_first, bool is_known, Findings& findings) const {
  const std::string id = std::to_string(boundary.id);
  const std::string end = is_first ? "begin with " : "end with ";
  if (boundary.lacking > 0) {
    const std::string whose = is_known
                                  ? std::string(is_first ? ", the [CLS]" : ", the end of a row") + " of the tokenizer"
                                  : " as the others do";
    findings.add(Trap::kSpecialIds, boundary.lacking_place,
                 counted_of(boundary.lacking, rows_, "row", "doesn't ", "don't ") + end + id + whose);
  }
  if (boundary.doubled > 0) {
    findings.add(Trap::kSpecialIds, boundary.doubled_place,
                 counted(boundary.doubled, "row", is_first ? "begins" : "ends", is_first ? "begin" : "end") + " with " +
                     id + " twice");
  }
}

void RowBoundaries::tell(const Boundary& first, const Boundary& last, const SpecialIds& specials,
                         const BoundaryRules& rules, Findings& findings) const {
  if (rows_ < kRowsThatTell || !rules.wants_boundaries) return;
  const bool has_first = first.id >= 0;
  const bool has_last = last.id >= 0;
  if (has_first) report_boundary(first, true, specials.cls.has_value(), findings);
  if (has_last) report_boundary(last, false, specials.sep || specials.eod, findings);
  if (has_first != has_last) {
    findings.add(Trap::kSpecialIds, {},
                 has_first ? "rows begin with " + std::to_string(first.id) + ", but end with many different ids"
                           : "rows end with " + std::to_string(last.id) + ", but begin with many different ids");
  } else if (!has_first && rules.is_requested) {
    findings.add(Trap::kSpecialIds, {}, "rows begin and end with many different ids: they have no [CLS] and [SEP]");
  }
}

using enum TrainerKind;

constexpr std::uint64_t kModernbertTokens = 8192;

bool has_any(const std::vector<TrainerKind>& trainers, std::initializer_list<TrainerKind> wanted) {
  return std::find_first_of(trainers.begin(), trainers.end(), wanted.begin(), wanted.end()) != trainers.end();
}

std::string bare(const Error& error, const std::string& prefix) {
  const std::string what = error.what();
  return what.starts_with(prefix + ": ") ? what.substr(prefix.size() + 2) : what;
}

class MdsExamination {
 public:
  MdsExamination(const fs::path& folder, std::vector<MdsShardEntry> entries, std::vector<TrainerKind> trainers,
                 const DoctorOptions& options, const RowVisitor& visitor)
      : folder_(folder),
        entries_(std::move(entries)),
        columns_(entries_.empty() ? std::vector<MdsColumnEntry>() : entries_.front().columns),
        trainers_(std::move(trainers)),
        options_(options),
        visitor_(visitor),
        findings_(trainers_, !options.trainers.empty()),
        tokenizer_(tokenizer_beside(folder)),
        ids_(pieces_of(options_, tokenizer_), findings_) {}

  Diagnosis run(Progress& progress) {
    for (const MdsShardEntry& entry : entries_) {
      if (entry.columns == columns_) continue;
      findings_.add(Trap::kMixedColumns, {entry.facts.raw.basename},
                    "has other columns or types than the shards before");
    }
    const std::vector<MdsSetShard> shards = find_mds_files(folder_, entries_, options_, findings_);
    progress.begin("doctor", shards.size(), "shards");
    for (const MdsSetShard& shard : shards) {
      if (progress.cancelled()) throw Cancelled();
      if (!shard.file.empty() && !shard.is_again) {
        if (visitor_.begin_file) visitor_.begin_file({shard.file, shard.entry.facts.raw.basename});
        examine(shard, progress);
      }
      progress.advance(1);
    }
    progress.end();
    finish();
    return {.path = folder_,
            .kind = RowKind::kOther,
            .format = SetFormat::kMds,
            .trainers = trainers_,
            .files = entries_.size(),
            .rows = samples_,
            .tokens = ids_.tokens(),
            .findings = findings_.list()};
  }

 private:
  void examine(const MdsSetShard& shard, const Progress& progress) {
    const std::string name = shard.entry.facts.raw.basename;
    try {
      const MdsShardBytes content(shard);
      const bool is_complete = check_size(shard, content.bytes());
      check_digest(shard, content.bytes(), is_complete);
      const MdsShardView view(content.bytes());
      check_header(shard, view, is_complete);
      read_samples(shard, view, is_complete, progress);
    } catch (const Cancelled&) {
      throw;
    } catch (const Error& error) {
      findings_.add(Trap::kDamagedShard, {name}, bare(error, shard.file.string()));
    }
  }

  bool check_size(const MdsSetShard& shard, std::string_view bytes) {
    const MdsShardFacts& facts = shard.entry.facts;
    if (bytes.size() == facts.raw.bytes) return true;
    findings_.add(Trap::kDamagedShard, {facts.raw.basename},
                  "has " + grouped(bytes.size()) + " bytes, the index says " + grouped(facts.raw.bytes));
    return false;
  }

  // One digest suffices: the fastest in the index.
  void check_digest(const MdsSetShard& shard, std::string_view bytes, bool is_complete) {
    const MdsShardFacts& facts = shard.entry.facts;
    const auto [other, is_new] = by_checksum_.try_emplace(checksum_of(bytes), facts.raw.basename);
    if (!is_new && facts.samples > 0) {
      findings_.add(Trap::kSameRows, {facts.raw.basename}, "holds the same samples as " + other->second);
    }
    if (!is_complete) return;
    for (const std::string_view name : kDigestNames) {
      const auto found = std::ranges::find(facts.raw.hashes, name, &std::pair<std::string, std::string>::first);
      if (found == facts.raw.hashes.end()) continue;
      const auto digest = digest_by_name(name, bytes);
      if (!digest) continue;
      if (*digest != found->second) {
        findings_.add(Trap::kOtherDigest, {facts.raw.basename},
                      "has the " + std::string(name) + " " + *digest + ", the index says " + found->second);
      }
      return;
    }
  }

  void check_header(const MdsSetShard& shard, const MdsShardView& view, bool is_complete) {
    const MdsShardFacts& facts = shard.entry.facts;
    if (view.samples() != facts.samples) {
      findings_.add(Trap::kSampleCount, {facts.raw.basename},
                    "holds " + counted(view.samples(), "sample") + ", the index says " + grouped(facts.samples));
    }
    if (is_complete && view.end() != facts.raw.bytes) {
      findings_.add(Trap::kDamagedShard, {facts.raw.basename},
                    "has " + grouped(facts.raw.bytes) + " bytes, its samples end at " + grouped(view.end()));
    }
    if (view.header().columns != shard.entry.columns) {
      findings_.add(Trap::kOtherColumns, {facts.raw.basename}, "has other columns or types than the index says");
    }
  }

  void read_samples(const MdsSetShard& shard, const MdsShardView& view, bool is_complete, const Progress& progress) {
    constexpr std::uint64_t kCheckInterval = 4096;
    const std::vector<MdsColumnEntry>& columns = shard.entry.columns;
    const MdsColumnEntry* wanted = id_column(columns);
    const auto column = wanted == nullptr ? columns.size() : static_cast<std::size_t>(wanted - columns.data());
    std::vector<std::string_view> values;
    for (std::uint64_t i = 0; i < view.samples(); ++i) {
      if (i % kCheckInterval == 0 && progress.cancelled()) throw Cancelled();
      const FindingPlace place{shard.entry.facts.raw.basename, i};
      ++samples_;
      try {
        view.read(i, columns, values);
        if (column < values.size()) take(place, columns[column].encoding, values[column]);
      } catch (const FormatError& error) {
        if (is_complete) findings_.add(Trap::kDamagedSample, place, error.what());
      }
    }
  }

  void take(const FindingPlace& place, const std::string& encoding, std::string_view value) {
    const MdsNumbers numbers = mds_numbers(encoding, value);
    const std::string type = (numbers.is_signed ? "int" : "uint") + std::to_string(8 * numbers.bytes);
    if (type_.empty()) type_ = type;
    if (numbers.count() == 0) throw FormatError("has no ids");
    row_.clear();
    append_numbers(numbers.values, numbers.bytes, numbers.is_signed, row_);
    ids_.add(place, row_);
    if (visitor_.row) visitor_.row({.ids = row_});
    boundaries_.add(place, row_);
    ++lengths_[row_.size()];
    if (row_.size() > longest_) {
      longest_ = row_.size();
      longest_place_ = place;
    }
  }

  void finish() {
    if (samples_ == 0 && !findings_.has(Trap::kMissingShards) && !findings_.has(Trap::kDamagedShard)) {
      findings_.add(Trap::kNoSamples, {}, "holds no samples");
    }
    if (!entries_.empty()) find_column_traps(columns_, declared_type(), trainers_, findings_);
    ids_.finish(type_);
    ids_.find_rare_breaks(line_breaks_of(options_, tokenizer_));
    const bool is_for_rows = has_any(trainers_, {kModernbert, kModernbertStreaming, kBioclinical});
    const SpecialIds specials = specials_of(options_, tokenizer_);
    const bool has_ids = find_column(columns_, "input_ids") != nullptr;
    boundaries_.finish(
        specials, {is_for_rows && has_ids, !options_.trainers.empty()},
        [this](std::int64_t id) { return ids_.occurrences(id); }, findings_);
    finish_lengths();
    finish_counts();
  }

  // The column's declaration, before any sample.
  std::string declared_type() const {
    const MdsColumnEntry* column = id_column(columns_);
    if (!type_.empty() || column == nullptr) return type_;
    const std::string rest = column->encoding.substr(std::min(column->encoding.find(':'), column->encoding.size()));
    return rest.empty() ? rest : rest.substr(1, rest.find(':', 1) - 1);
  }

  void finish_lengths() {
    const std::uint64_t own = has_any(trainers_, {kBioclinical}) ? kModernbertTokens : 0;
    const std::uint64_t limit = options_.max_tokens != 0 ? options_.max_tokens : own;
    const bool is_requested = !options_.trainers.empty() && has_any(trainers_, {kModernbert, kModernbertStreaming});
    if (longest_ > limit && (limit != 0 || (is_requested && longest_ > kModernbertTokens))) {
      const std::uint64_t most = limit != 0 ? limit : kModernbertTokens;
      findings_.add(Trap::kLongRows, longest_place_,
                    "has " + grouped(longest_) + " ids, max_seq_len is " + grouped(most),
                    {{"{limit}", std::to_string(most)}});
      if (limit == 0) findings_.lower(Trap::kLongRows, Severity::kRemark);
    }
    find_ragged_rows();
  }

  // A few odd rows are a fault; many lengths mean that the set was made for var_len.
  void find_ragged_rows() {
    constexpr double kMax = 0.75;
    if (lengths_.size() < 2) return;
    const auto by_rows = [](const auto& left, const auto& right) { return left.second < right.second; };
    const auto usual = std::max_element(lengths_.begin(), lengths_.end(), by_rows);
    std::uint64_t rows = 0;
    for (const auto& [length, count] : lengths_) rows += count;
    const bool is_made_of_blocks = static_cast<double>(usual->second) >= kMax * static_cast<double>(rows);
    if (!is_made_of_blocks && options_.trainers.empty()) return;
    findings_.add(Trap::kRaggedRows, {},
                  counted_of(usual->second, rows, "row", "has ", "have ") + counted(usual->first, "id") +
                      ", the others from " + grouped(lengths_.begin()->first) + " to " +
                      grouped(lengths_.rbegin()->first));
    if (!is_made_of_blocks) findings_.lower(Trap::kRaggedRows, Severity::kRemark);
  }

  void finish_counts() {
    constexpr std::uint64_t kCanonicalNodes = 64;  // the Streaming library's default, for each node
    constexpr std::uint64_t kRanksOfNode = 8;
    if (options_.ranks == 0 || samples_ == 0) return;
    const std::uint64_t nodes = (options_.ranks + kRanksOfNode - 1) / kRanksOfNode;
    const std::uint64_t wanted = nodes * kCanonicalNodes * std::min(options_.ranks, kRanksOfNode);
    if (samples_ < wanted) {
      findings_.add(Trap::kFewSamples, {},
                    "has " + counted(samples_, "sample") + " for " + counted(options_.ranks, "rank") + " and " +
                        grouped(nodes * kCanonicalNodes) + " canonical nodes");
    }
    if (samples_ % options_.ranks != 0 && !options_.trainers.empty()) {
      findings_.add(Trap::kUnevenEnd, {},
                    counted(samples_, "sample", "is", "are") + " not a multiple of " + counted(options_.ranks, "rank"));
    }
  }

  fs::path folder_;
  std::vector<MdsShardEntry> entries_;
  std::vector<MdsColumnEntry> columns_;
  std::vector<TrainerKind> trainers_;
  DoctorOptions options_;
  const RowVisitor& visitor_;
  Findings findings_;
  std::optional<SetTokenizer> tokenizer_;
  SequenceIds ids_;
  RowBoundaries boundaries_;
  std::string type_;
  std::vector<std::int64_t> row_;
  std::map<std::uint64_t, std::uint64_t> lengths_;  // rows, by their length
  std::map<std::uint64_t, std::string> by_checksum_;
  std::uint64_t samples_ = 0;
  std::uint64_t longest_ = 0;
  FindingPlace longest_place_;
};

// Without checking its columns.
Diagnosis diagnosis_of_index(const fs::path& folder, const DoctorOptions& options, Trap trap, const std::string& file,
                             const std::string& what) {
  const std::vector<TrainerKind> trainers =
      options.trainers.empty() ? std::vector<TrainerKind>(kMdsTrainers.begin(), kMdsTrainers.end()) : options.trainers;
  Findings findings(trainers, !options.trainers.empty());
  findings.add(trap, {file}, what, {{"{fix}", "bertprep reindex {dir}"}});
  return {.path = folder,
          .kind = RowKind::kOther,
          .format = SetFormat::kMds,
          .trainers = trainers,
          .findings = findings.list()};
}

}  // namespace

Diagnosis diagnose_mds(const fs::path& folder, const DoctorOptions& options, Progress& progress,
                       const RowVisitor& visitor) {
  const fs::path index = folder / kMdsIndexName;
  if (!fs::exists(index))
    return diagnosis_of_index(folder, options, Trap::kNoIndex, {}, "has shards, but no index.json");
  std::vector<MdsShardEntry> entries;
  try {
    entries = parse_mds_index(read_file(index), index.string());
  } catch (const FormatError& error) {
    return diagnosis_of_index(folder, options, Trap::kBrokenIndex, kMdsIndexName, bare(error, index.string()));
  }
  for (const MdsShardEntry& entry : entries) {
    if (entry.format == "mds") continue;
    return diagnosis_of_index(folder, options, Trap::kBrokenIndex, kMdsIndexName,
                              "names shards of the format '" + entry.format + "', which is not MDS");
  }
  const bool is_empty = entries.empty();
  std::vector<TrainerKind> trainers = options.trainers;
  if (trainers.empty() && is_empty) trainers.assign(kMdsTrainers.begin(), kMdsTrainers.end());
  if (trainers.empty()) trainers = readers_of(entries.front().columns);
  return MdsExamination(folder, std::move(entries), std::move(trainers), options, visitor).run(progress);
}

}  // namespace bertprep
