#include <algorithm>

#include "base/number_text.h"
#include "io/digest.h"
#include "quality/sequences/any_doctor.h"
#include "quality/sequences/mds_files.h"
#include "quality/sequences/sequence_ids.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;
using enum TrainerKind;

constexpr std::uint64_t kModernbertTokens = 8192;

class MdsExamination {
 public:
  MdsExamination(const fs::path& folder, std::vector<MdsShardEntry> entries, Findings findings,
                 const DoctorOptions& options, const RowVisitor& visitor)
      : folder_(folder),
        entries_(std::move(entries)),
        columns_(entries_.empty() ? std::vector<MdsColumnEntry>() : entries_.front().columns),
        options_(options),
        visitor_(visitor),
        findings_(std::move(findings)),
        ids_(options, folder, findings_) {}

  Diagnosis run(Progress& progress) {
    for (const MdsShardEntry& entry : entries_) {
      if (entry.columns == columns_) continue;
      findings_.add(Trap("mixed-columns"), {entry.facts.raw.basename},
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
    Diagnosis diagnosis = Diagnosis::of(folder_, SetFormat::kMds, findings_);
    diagnosis.files = entries_.size();
    diagnosis.rows = samples_;
    diagnosis.tokens = ids_.tokens();
    return diagnosis;
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
      findings_.add(Trap("damaged-shard"), {name}, fault_text(error, shard.file));
    }
  }

  bool check_size(const MdsSetShard& shard, std::string_view bytes) {
    const MdsShardFacts& facts = shard.entry.facts;
    if (bytes.size() == facts.raw.bytes) return true;
    findings_.add(Trap("damaged-shard"), {facts.raw.basename},
                  "has " + grouped(bytes.size()) + " bytes, the index says " + grouped(facts.raw.bytes));
    return false;
  }

  // One digest suffices: the fastest in the index.
  void check_digest(const MdsSetShard& shard, std::string_view bytes, bool is_complete) {
    const MdsShardFacts& facts = shard.entry.facts;
    const auto [other, is_new] = by_checksum_.try_emplace(checksum_of(bytes), facts.raw.basename);
    if (!is_new && facts.samples > 0) {
      findings_.add(Trap("same-rows"), {facts.raw.basename}, "holds the same samples as " + other->second);
    }
    if (!is_complete) return;
    for (const std::string_view name : kDigestNames) {
      const auto found = std::ranges::find(facts.raw.hashes, name, &std::pair<std::string, std::string>::first);
      if (found == facts.raw.hashes.end()) continue;
      const auto digest = digest_by_name(name, bytes);
      if (!digest) continue;
      if (*digest != found->second) {
        findings_.add(Trap("other-digest"), {facts.raw.basename},
                      "has the " + std::string(name) + " " + *digest + ", the index says " + found->second);
      }
      return;
    }
  }

  void check_header(const MdsSetShard& shard, const MdsShardView& view, bool is_complete) {
    const MdsShardFacts& facts = shard.entry.facts;
    if (view.samples() != facts.samples) {
      findings_.add(Trap("sample-count"), {facts.raw.basename},
                    "holds " + counted(view.samples(), "sample") + ", the index says " + grouped(facts.samples));
    }
    if (is_complete && view.end() != facts.raw.bytes) {
      findings_.add(Trap("damaged-shard"), {facts.raw.basename},
                    "has " + grouped(facts.raw.bytes) + " bytes, its samples end at " + grouped(view.end()));
    }
    if (view.header().columns != shard.entry.columns) {
      findings_.add(Trap("other-columns"), {facts.raw.basename}, "has other columns or types than the index says");
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
        if (is_complete) findings_.add(Trap("damaged-sample"), place, error.what());
      }
    }
  }

  void take(const FindingPlace& place, const std::string& encoding, std::string_view value) {
    const MdsNumbers numbers = mds_numbers(encoding, value);
    const std::string type = (numbers.is_signed ? "int" : "uint") + std::to_string(8 * numbers.bytes);
    if (type_.empty()) type_ = type;
    if (numbers.count() == 0) throw FormatError("has no ids");
    widen(numbers.values, numbers.bytes, numbers.is_signed, row_);
    ids_.add(place, row_);
    if (visitor_.row) visitor_.row({.ids = row_});
    ++lengths_[row_.size()];
    if (row_.size() > longest_) {
      longest_ = row_.size();
      longest_place_ = place;
    }
  }

  void finish() {
    if (samples_ == 0 && !findings_.has(Trap("missing-shards")) && !findings_.has(Trap("damaged-shard"))) {
      findings_.add(Trap("no-samples"), {}, "holds no samples");
    }
    if (!entries_.empty()) find_column_traps(columns_, declared_type(), findings_);
    ids_.finish(type_);
    const bool is_for_rows = has_any(findings_.trainers(), {kModernbert, kModernbertStreaming, kBioclinical});
    if (is_for_rows && has_column(columns_, "input_ids")) ids_.find_boundary_traps(options_.has_trainers());
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
    const std::uint64_t own = has_any(findings_.trainers(), {kBioclinical}) ? kModernbertTokens : 0;
    const std::uint64_t limit = options_.max_tokens != 0 ? options_.max_tokens : own;
    const bool is_requested = has_any(options_.trainers, {kModernbert, kModernbertStreaming});
    if (longest_ > limit && (limit != 0 || (is_requested && longest_ > kModernbertTokens))) {
      const std::uint64_t most = limit != 0 ? limit : kModernbertTokens;
      findings_.add(Trap("long-rows"), longest_place_,
                    "has " + grouped(longest_) + " ids, max_seq_len is " + grouped(most),
                    {{"{limit}", std::to_string(most)}});
      if (limit == 0) findings_.lower(Trap("long-rows"), Severity::kRemark);
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
    if (!is_made_of_blocks && !options_.has_trainers()) return;
    findings_.add(Trap("ragged-rows"), {},
                  counted_of(usual->second, rows, "row", "has ", "have ") + counted(usual->first, "id") +
                      ", the others from " + grouped(lengths_.begin()->first) + " to " +
                      grouped(lengths_.rbegin()->first));
    if (!is_made_of_blocks) findings_.lower(Trap("ragged-rows"), Severity::kRemark);
  }

  void finish_counts() {
    constexpr std::uint64_t kCanonicalNodes = 64;  // the Streaming library's default, for each node
    constexpr std::uint64_t kRanksOfNode = 8;
    if (options_.ranks == 0 || samples_ == 0) return;
    const std::uint64_t nodes = (options_.ranks + kRanksOfNode - 1) / kRanksOfNode;
    const std::uint64_t wanted = nodes * kCanonicalNodes * std::min(options_.ranks, kRanksOfNode);
    if (samples_ < wanted) {
      findings_.add(Trap("few-samples"), {},
                    "has " + counted(samples_, "sample") + " for " + counted(options_.ranks, "rank") + " and " +
                        grouped(nodes * kCanonicalNodes) + " canonical nodes");
    }
    if (samples_ % options_.ranks != 0 && options_.has_trainers()) {
      findings_.add(Trap("uneven-end"), {},
                    counted(samples_, "sample", "is", "are") + " not a multiple of " + counted(options_.ranks, "rank"));
    }
  }

  fs::path folder_;
  std::vector<MdsShardEntry> entries_;
  std::vector<MdsColumnEntry> columns_;
  DoctorOptions options_;
  const RowVisitor& visitor_;
  Findings findings_;
  SequenceIds ids_;
  std::string type_;
  std::vector<std::int64_t> row_;
  std::map<std::uint64_t, std::uint64_t> lengths_;  // rows, by their length
  std::map<std::uint64_t, std::string> by_checksum_;
  std::uint64_t samples_ = 0;
  std::uint64_t longest_ = 0;
  FindingPlace longest_place_;
};

}  // namespace

Diagnosis diagnose_mds(const fs::path& folder, const DoctorOptions& options, Progress& progress,
                       const RowVisitor& visitor) {
  // Without checking its columns.
  const auto diagnosis_of_index = [&](Trap trap, const std::string& file, const std::string& what) {
    Findings findings = options.findings_for(kMdsTrainers);
    findings.add(trap, {file}, what, {{"{fix}", "bertprep reindex {dir}"}});
    return Diagnosis::of(folder, SetFormat::kMds, findings);
  };
  const fs::path index = folder / kMdsIndexName;
  if (!fs::exists(index)) return diagnosis_of_index(Trap("no-index"), {}, "has shards, but no index.json");
  std::vector<MdsShardEntry> entries;
  try {
    entries = parse_mds_index(read_file(index), index.string());
  } catch (const FormatError& error) {
    return diagnosis_of_index(Trap("broken-index"), kMdsIndexName, fault_text(error, index));
  }
  const auto other = std::ranges::find_if(entries, [](const MdsShardEntry& entry) { return entry.format != "mds"; });
  if (other != entries.end()) {
    return diagnosis_of_index(Trap("broken-index"), kMdsIndexName,
                              "names shards of the format '" + other->format + "', which is not MDS");
  }
  Findings findings =
      entries.empty() ? options.findings_for(kMdsTrainers) : options.findings_for(readers_of(entries.front().columns));
  return MdsExamination(folder, std::move(entries), std::move(findings), options, visitor).run(progress);
}

}  // namespace bertprep
