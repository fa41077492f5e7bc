// Doctor for Megatron sets, and their numbers against each other: type, sizes, offsets, ends of documents.
#include <algorithm>

#include "base/number_text.h"
#include "io/digest.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "quality/doctor/set_tokenizer.h"
#include "quality/sequences/any_doctor.h"
#include "quality/sequences/sequence_ids.h"
#include "shard/megatron/megatron_set.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;
using enum TrainerKind;

constexpr const char* kFetchAgain =
    "fetch it again, or make the set from its text: bertprep sequences TEXT --vocab VOCAB -o NEW with the options of "
    "this set";

// Ids of all sequences, by the index. Throws FormatError for an impossible length.
std::uint64_t ids_of(const MegatronView& index) {
  std::uint64_t ids = 0;
  for (std::uint64_t i = 0; i < index.sequences(); ++i) {
    const std::int32_t length = index.length(i);
    if (length < 0) {
      throw FormatError("sequence " + grouped(i) + " has " + std::to_string(length) + " ids");
    }
    ids += static_cast<std::uint64_t>(length);
  }
  return ids;
}

void check_size(const MegatronView& index, std::uint64_t ids, std::uint64_t bin_bytes, MegatronReading& reading,
                Findings& findings) {
  if (reading.width != 0 && bin_bytes == ids * reading.width) return;
  const std::string says = "its .idx counts " + counted(ids, "id") + " of " + megatron_type_name(index.type_code());
  const std::string has = ", its .bin has " + counted(bin_bytes, "byte");
  constexpr std::array kWidths{2U, 4U, 8U, 1U};
  for (const unsigned width : kWidths) {
    if (ids == 0 || bin_bytes != ids * width) continue;
    findings.add(Trap("type-code"), {}, says + has + ": " + std::to_string(width) + " for each");
    reading.width = width;
    reading.is_signed = width > 2;
    return;
  }
  if (reading.width == 0) {
    findings.add(Trap("type-code"), {}, says + ", which are not ids");
    return;
  }
  const bool is_truncated = bin_bytes < ids * reading.width;
  findings.add(
      Trap("ids-size"), {}, says + ", " + grouped(ids * reading.width) + " bytes" + has,
      {{"{fix}", is_truncated ? "fetch both files again, or make the set from its text: bertprep sequences TEXT "
                                "--vocab VOCAB -o NEW with the options of this set"
                              : "put the .bin and the .idx of one run together: one of them belongs to another set"}});
}

void check_offsets(const MegatronView& index, const MegatronReading& reading, Findings& findings) {
  if (reading.width == 0) return;
  std::uint64_t place = 0;
  for (std::uint64_t i = 0; i < index.sequences(); ++i) {
    const std::int64_t offset = index.offset(i);
    if (offset < 0 || static_cast<std::uint64_t>(offset) != place) {
      findings.add(
          Trap("offsets"), {},
          "sequence " + grouped(i) + " is at byte " + std::to_string(offset) + ", expected " + std::to_string(place));
      return;
    }
    place += static_cast<std::uint64_t>(index.length(i)) * reading.width;
  }
}

void check_document_ends(const MegatronView& index, MegatronReading& reading, Findings& findings) {
  const auto tell = [&](const std::string& what) {
    findings.add(Trap("document-ends"), {}, what);
    reading.has_document_ends = false;
  };
  const std::uint64_t ends = index.document_ends();
  if (ends == 0) return tell("its .idx has no ends of documents, not even the 0 in front");
  if (index.document_end(0) != 0)
    return tell("the first document begins at sequence " + std::to_string(index.document_end(0)) + ", expected 0");
  for (std::uint64_t i = 1; i < ends; ++i) {
    if (index.document_end(i) >= index.document_end(i - 1)) continue;
    return tell("document " + grouped(i - 1) + " ends at sequence " + std::to_string(index.document_end(i)) +
                ", before it begins, at " + std::to_string(index.document_end(i - 1)));
  }
  const std::int64_t last = index.document_end(ends - 1);
  if (last < 0 || static_cast<std::uint64_t>(last) != index.sequences()) {
    tell("the last document ends at sequence " + std::to_string(last) + " of " + grouped(index.sequences()));
  }
}

constexpr std::uint64_t kDocumentsThatTell = 4;
constexpr std::uint64_t kSequencesThatTell = 20;
constexpr std::uint64_t kMaxSentenceTokens = 512;

class MegatronExamination {
 public:
  MegatronExamination(const fs::path& prefix, const DoctorOptions& options, const RowVisitor& visitor)
      : prefix_(prefix),
        paths_(prefix),
        options_(options),
        visitor_(visitor),
        // The trainers it is meant for become known after reading it.
        findings_(options.findings_for(kMegatronTrainers)),
        ids_(options, folder_of(prefix), findings_) {}

  Diagnosis run(Progress& progress) {
    progress.begin("doctor", 1, "sets");
    if (has_both()) examine(progress);
    progress.advance(1);
    progress.end();
    Diagnosis diagnosis = Diagnosis::of(prefix_, SetFormat::kMegatron, findings_);
    diagnosis.files = 2;
    diagnosis.rows = sequences_;
    diagnosis.tokens = ids_.tokens();
    return diagnosis;
  }

 private:
  bool has_both() {
    bool has_both = true;
    for (const fs::path& file : {paths_.bin, paths_.idx}) {
      std::error_code error;
      if (fs::is_regular_file(file, error)) continue;
      findings_.add(Trap("no-ids"), {}, "its " + file.extension().string() + " is missing");
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
    if (bin.bytes().empty() || sequences_ == 0) findings_.add(Trap("no-samples"), {}, "holds no ids");
    if (reading.width == 0) return;
    if (visitor_.begin_file) visitor_.begin_file({paths_.bin, paths_.bin.filename().string()});
    read_sequences(index, bin.bytes(), reading, progress);
    finish(index, reading);
  } catch (const FormatError& error) {
    findings_.add(Trap("broken-index"), {}, "its .idx " + std::string(error.what()), {{"{fix}", kFetchAgain}});
  }

  // Files of one run must match.
  void check_digests(std::string_view idx, std::string_view bin) {
    const RecordedFiles recorded = recorded_files_with(folder_of(prefix_));
    for (const auto& [file, bytes] : {std::pair{paths_.idx, idx}, std::pair{paths_.bin, bin}}) {
      const std::string* expected = recorded.sha256(file);
      if (expected == nullptr || *expected == sha256_of(bytes)) continue;
      findings_.add(Trap("other-digest"), {},
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
      widen(bin.substr(place, bytes), reading.width, reading.is_signed, row);
      place += bytes;
      const FindingPlace at{{}, i};
      ids_.add(at, row);
      if (visitor_.row) visitor_.row({.ids = row});
      if (row.size() > kMaxSentenceTokens) long_sentences_.add(at, row.size());
      while (reading.has_document_ends && next_end < index.document_ends() &&
             static_cast<std::uint64_t>(index.document_end(next_end)) <= i) {
        ++next_end;
      }
      const bool ends_document = reading.has_document_ends && next_end < index.document_ends() &&
                                 static_cast<std::uint64_t>(index.document_end(next_end)) == i + 1;
      if (ends_document && !row.empty()) document_ends_.add(row.back(), false, at);
    }
  }

  void finish(const MegatronView& index, const MegatronReading& reading) {
    ids_.finish(megatron_type_name(index.type_code()));
    const Documents documents = reading.has_document_ends ? documents_of(index) : Documents{};
    if (!options_.has_trainers()) findings_.keep(readers_of(documents));
    if (has_any(findings_.trainers(), {kMegatronBert})) find_bert_traps(documents);
    if (has_any(findings_.trainers(), {kMegatronGpt}) && reading.has_document_ends) find_missing_end();
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

  // An end-of-document id occurs only at the end of documents; a full stop also occurs elsewhere.
  bool has_end() const {
    if (const auto eod = ids_.specials().eod) return document_ends_.met(*eod).rows * 2 >= document_ends_.rows();
    const auto [usual, documents] = document_ends_.most();
    return 2 * documents >= document_ends_.rows() && ids_.occurrences(usual) <= documents + documents / 4;
  }

  std::vector<TrainerKind> readers_of(const Documents& documents) const {
    const bool is_named_sentence = prefix_.filename().string().ends_with("_sentence");
    if (is_named_sentence || documents.single != documents.all) return {kMegatronBert};
    // Without such ids, it is for neither.
    if (document_ends_.rows() >= kDocumentsThatTell && !has_end()) return {kMegatronGpt, kMegatronBert};
    return {kMegatronGpt};
  }

  void find_bert_traps(const Documents& documents) {
    if (documents.all > 0 && documents.single * 2 >= documents.all) {
      const bool is_all = documents.single == documents.all;
      findings_.add(Trap("one-sentence"), {},
                    (is_all ? "all " + counted(documents.all, "document", "have", "have")
                            : counted_of(documents.single, documents.all, "document", "has", "have")) +
                        " a single sequence: documents as they are for GPT, or of one sentence each");
      if (!is_all) findings_.lower(Trap("one-sentence"), Severity::kRemark);
    }
    if (long_sentences_.count > 0) {
      findings_.add(Trap("long-sentences"), long_sentences_.first,
                    counted(long_sentences_.count, "sequence") + " of more than 512 ids, the longest of " +
                        grouped(long_sentences_.ids));
    }
    const auto [first, begin] = ids_.first().most();
    const auto [last, end] = ids_.last().most();
    const std::uint64_t all = ids_.first().rows();
    if (all < kSequencesThatTell || begin != all || end != all || ids_.occurrences(first) > all + all / 4) return;
    findings_.add(Trap("special-ids"), {},
                  "sequences begin with " + std::to_string(first) + " and end with " + std::to_string(last));
  }

  void find_missing_end() {
    const auto eod = ids_.specials().eod;
    const std::uint64_t all = document_ends_.rows();
    if (all < kDocumentsThatTell) return;
    const bool is_ended = has_end();
    const std::int64_t end = is_ended && !eod ? document_ends_.most().first : eod.value_or(-1);
    const std::uint64_t ended = document_ends_.met(end).rows;
    if (is_ended && ended == all) return;
    findings_.add(Trap("no-end"), {},
                  is_ended ? counted_of(all - ended, all, "document", "doesn't", "don't") + " end with " +
                                 std::to_string(end) + " as the others"
                           : counted(all, "document") + " end with many different ids, not with an end of document");
  }

  fs::path prefix_;
  MegatronPaths paths_;
  DoctorOptions options_;
  const RowVisitor& visitor_;
  Findings findings_;
  SequenceIds ids_;
  std::uint64_t sequences_ = 0;
  EndIds document_ends_;
  LongOnes long_sentences_;
};

}  // namespace

MegatronReading find_number_traps(const MegatronView& index, std::uint64_t bin_bytes, Findings& findings) {
  MegatronReading reading;
  reading.width = megatron_id_bytes(index.type_code());
  reading.is_signed = is_megatron_type_signed(index.type_code());
  check_document_ends(index, reading, findings);
  try {
    check_size(index, ids_of(index), bin_bytes, reading, findings);
    check_offsets(index, reading, findings);
  } catch (const FormatError& error) {
    findings.add(Trap("broken-index"), {}, "its .idx is damaged: " + std::string(error.what()),
                 {{"{fix}", kFetchAgain}});
    reading.width = 0;
  }
  return reading;
}

Diagnosis diagnose_megatron(const fs::path& prefix, const DoctorOptions& options, Progress& progress,
                            const RowVisitor& visitor) {
  return MegatronExamination(prefix, options, visitor).run(progress);
}

}  // namespace bertprep
