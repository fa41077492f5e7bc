#include <algorithm>
#include <unordered_map>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "quality/doctor/set_tokenizer.h"
#include "quality/sequences/any_doctor.h"
#include "quality/sequences/megatron_numbers.h"
#include "quality/sequences/sequence_ids.h"
#include "shard/megatron/megatron_set.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;
using enum TrainerKind;

constexpr std::uint64_t kDocumentsThatTell = 4;
constexpr std::uint64_t kSequencesThatTell = 20;
constexpr std::uint64_t kMaxSentenceTokens = 512;

// The most frequent id at one position.
class UsualId {
 public:
  void add(std::int64_t id) {
    ++all_;
    ++counts_[id];
  }
  std::uint64_t all() const { return all_; }
  std::pair<std::int64_t, std::uint64_t> most() const {
    std::pair<std::int64_t, std::uint64_t> most{-1, 0};
    for (const auto& [id, count] : counts_) {
      if (count > most.second || (count == most.second && id < most.first)) most = {id, count};
    }
    return most;
  }
  std::uint64_t count(std::int64_t id) const {
    const auto found = counts_.find(id);
    return found == counts_.end() ? 0 : found->second;
  }

 private:
  std::uint64_t all_ = 0;
  std::unordered_map<std::int64_t, std::uint64_t> counts_;
};

class MegatronExamination {
 public:
  MegatronExamination(const fs::path& prefix, const DoctorOptions& options, const RowVisitor& visitor)
      : prefix_(prefix),
        paths_(prefix),
        options_(options),
        visitor_(visitor),
        // The trainers it is meant for become known after reading it.
        findings_(options.trainers.empty()
                      ? std::vector<TrainerKind>(kMegatronTrainers.begin(), kMegatronTrainers.end())
                      : options.trainers,
                  !options.trainers.empty()),
        tokenizer_(tokenizer_beside(folder_of(prefix))),
        ids_(pieces_of(options_, tokenizer_), findings_) {}

  Diagnosis run(Progress& progress) {
    progress.begin("doctor", 1, "sets");
    if (has_both()) examine(progress);
    progress.advance(1);
    progress.end();
    if (trainers_.empty()) trainers_.assign(kMegatronTrainers.begin(), kMegatronTrainers.end());
    return {.path = prefix_,
            .kind = RowKind::kOther,
            .format = SetFormat::kMegatron,
            .trainers = trainers_,
            .files = 2,
            .rows = sequences_,
            .tokens = ids_.tokens(),
            .findings = findings_.list()};
  }

 private:
  bool has_both() {
    bool has_both = true;
    for (const fs::path& file : {paths_.bin, paths_.idx}) {
      std::error_code error;
      if (fs::is_regular_file(file, error)) continue;
      findings_.add(Trap::kNoIds, {}, "its " + file.extension().string() + " is missing");
      has_both = false;
    }
    return has_both;
  }

  void examine(const Progress& progress) try {
    const MappedFile idx(paths_.idx);
    const MappedFile bin(paths_.bin);
    check_digests(idx.bytes(), bin.bytes());
    const MegatronView index(idx.bytes());
    sequences_ = index.sequences();
    const MegatronReading reading = find_number_traps(index, bin.bytes().size(), findings_);
    if (bin.bytes().empty() || sequences_ == 0) findings_.add(Trap::kNoSamples, {}, "holds no ids");
    if (reading.width == 0) return;
    if (visitor_.begin_file) visitor_.begin_file({paths_.bin, paths_.bin.filename().string()});
    read_sequences(index, bin.bytes(), reading, progress);
    finish(index, reading);
  } catch (const FormatError& error) {
    const std::string what = error.what();
    findings_.add(Trap::kBrokenIndex, {}, "its .idx " + what,
                  {{"{fix}",
                    "fetch it again, or make the set from its text: bertprep sequences TEXT --vocab VOCAB -o "
                    "NEW with the options of this set"}});
  }

  // Files of one run must match.
  void check_digests(std::string_view idx, std::string_view bin) {
    for (const auto& [file, bytes] : {std::pair{paths_.idx, idx}, std::pair{paths_.bin, bin}}) {
      const auto expected = expected_file(file);
      if (!expected || expected->sha256 == sha256_of(bytes)) continue;
      findings_.add(Trap::kOtherDigest, {},
                    "its " + file.extension().string() + " has another sha256 than the manifest says");
    }
  }

  void read_sequences(const MegatronView& index, std::string_view bin, const MegatronReading& reading,
                      const Progress& progress) {
    constexpr std::uint64_t kCheckInterval = 4096;
    std::vector<std::int64_t> row;
    std::uint64_t place = 0;
    std::uint64_t next_end = 1;  // in document_end()
    for (std::uint64_t i = 0; i < sequences_; ++i) {
      if (i % kCheckInterval == 0 && progress.cancelled()) throw Cancelled();
      const auto length = static_cast<std::uint64_t>(index.length(i));
      const std::uint64_t bytes = length * reading.width;
      if (place > bin.size() || bytes > bin.size() - place) break;  // truncated; already reported
      row.clear();
      append_numbers(bin.substr(place, bytes), reading.width, reading.is_signed, row);
      place += bytes;
      const FindingPlace at{{}, i};
      ids_.add(at, row);
      if (visitor_.row) visitor_.row({.ids = row});
      note_boundaries(at, row);
      while (reading.has_document_ends && next_end < index.document_ends() &&
             static_cast<std::uint64_t>(index.document_end(next_end)) <= i) {
        ++next_end;
      }
      const bool ends_document = reading.has_document_ends && next_end < index.document_ends() &&
                                 static_cast<std::uint64_t>(index.document_end(next_end)) == i + 1;
      if (ends_document && !row.empty()) document_ends_.add(row.back());
    }
  }

  void note_boundaries(const FindingPlace& place, const std::vector<std::int64_t>& row) {
    if (row.size() > kMaxSentenceTokens) long_sentences_.add(place, row.size());
    if (row.size() < 2) return;
    first_ids_.add(row.front());
    last_ids_.add(row.back());
  }

  void finish(const MegatronView& index, const MegatronReading& reading) {
    ids_.finish(megatron_type_name(index.type_code()));
    ids_.find_rare_breaks(line_breaks_of(options_, tokenizer_));
    const Documents documents = reading.has_document_ends ? documents_of(index) : Documents{};
    choose_trainers(documents);
    if (wants(kMegatronBert)) find_bert_traps(documents);
    if (wants(kMegatronGpt) && reading.has_document_ends) find_missing_end();
    findings_.keep(trainers_);
  }

  struct Documents {
    std::uint64_t all = 0;     // with sequences
    std::uint64_t single = 0;  // with one
  };
  struct LongOnes {
    std::uint64_t count = 0;
    std::uint64_t ids = 0;
    FindingPlace first{};

    void add(const FindingPlace& place, std::uint64_t size) {
      if (count++ == 0) first = place;
      ids = std::max(ids, size);
    }
  };

  static Documents documents_of(const MegatronView& index) {
    Documents documents;
    for (std::uint64_t i = 1; i < index.document_ends(); ++i) {
      const std::int64_t size = index.document_end(i) - index.document_end(i - 1);
      documents.all += size > 0 ? 1 : 0;
      documents.single += size == 1 ? 1 : 0;
    }
    return documents;
  }

  bool wants(TrainerKind trainer) const {
    return std::find(trainers_.begin(), trainers_.end(), trainer) != trainers_.end();
  }

  // An end-of-document id occurs only at the end of documents; a full stop also occurs elsewhere.
  bool has_end() const {
    const SpecialIds known = specials_of(options_, tokenizer_);
    const auto [usual, documents] = document_ends_.most();
    if (known.eod) return document_ends_.count(*known.eod) * 2 >= document_ends_.all();
    return 2 * documents >= document_ends_.all() && ids_.occurrences(usual) <= documents + documents / 4;
  }

  void choose_trainers(const Documents& documents) {
    trainers_ = options_.trainers;
    if (!trainers_.empty()) return;
    const bool is_document_level = documents.single == documents.all;
    const bool is_named_sentence = prefix_.filename().string().ends_with("_sentence");
    if (is_named_sentence || !is_document_level) {
      trainers_ = {kMegatronBert};
    } else {
      trainers_ = {kMegatronGpt};
      // Without such ids, it is for neither.
      if (document_ends_.all() >= kDocumentsThatTell && !has_end()) trainers_.push_back(kMegatronBert);
    }
  }

  void find_bert_traps(const Documents& documents) {
    if (documents.all > 0 && documents.single * 2 >= documents.all) {
      const bool is_all = documents.single == documents.all;
      findings_.add(Trap::kOneSentence, {},
                    (is_all ? "all " + counted(documents.all, "document", "have", "have")
                            : counted_of(documents.single, documents.all, "document", "has", "have")) +
                        " a single sequence: documents as they are for GPT, or of one sentence each");
      if (!is_all) findings_.lower(Trap::kOneSentence, Severity::kRemark);
    }
    if (long_sentences_.count > 0) {
      findings_.add(Trap::kLongSentences, long_sentences_.first,
                    counted(long_sentences_.count, "sequence") + " of more than 512 ids, the longest of " +
                        grouped(long_sentences_.ids));
    }
    const auto [first, begin] = first_ids_.most();
    const auto [last, end] = last_ids_.most();
    const std::uint64_t all = first_ids_.all();
    if (all < kSequencesThatTell || begin != all || end != all || ids_.occurrences(first) > all + all / 4) return;
    findings_.add(Trap::kSpecialIds, {},
                  "sequences begin with " + std::to_string(first) + " and end with " + std::to_string(last));
  }

  void find_missing_end() {
    const SpecialIds known = specials_of(options_, tokenizer_);
    const std::uint64_t all = document_ends_.all();
    if (all < kDocumentsThatTell) return;
    const std::int64_t end = has_end() && !known.eod ? document_ends_.most().first : known.eod.value_or(-1);
    const std::uint64_t ended = document_ends_.count(end);
    if (has_end() && ended == all) return;
    findings_.add(Trap::kNoEnd, {},
                  has_end() ? counted_of(all - ended, all, "document", "doesn't", "don't") + " end with " +
                                  std::to_string(end) + " as the others"
                            : counted(all, "document") + " end with many different ids, not with an end of document");
  }

  fs::path prefix_;
  MegatronPaths paths_;
  DoctorOptions options_;
  const RowVisitor& visitor_;
  Findings findings_;
  std::optional<SetTokenizer> tokenizer_;
  SequenceIds ids_;
  std::vector<TrainerKind> trainers_;
  std::uint64_t sequences_ = 0;
  UsualId document_ends_;
  UsualId first_ids_;
  UsualId last_ids_;
  LongOnes long_sentences_;
};

}  // namespace

Diagnosis diagnose_megatron(const fs::path& prefix, const DoctorOptions& options, Progress& progress,
                            const RowVisitor& visitor) {
  return MegatronExamination(prefix, options, visitor).run(progress);
}

}  // namespace bertprep
