#include "pipeline/plan/plan_sample.h"

#include <algorithm>
#include <utility>

#include "bertprep/base/error.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "io/output_file.h"
#include "io/process.h"
#include "pipeline/records/output_place.h"
#include "pipeline/stages/corpus_pieces.h"
#include "pipeline/text_shards/article_lines.h"
#include "source/source_pieces.h"
#include "stream/archive.h"
#include "stream/open_stream.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Sampled in pieces of this size, so that a corpus that changes from front to back is sampled throughout.
constexpr std::uint64_t kPieceBytes = 256 * 1024;
constexpr std::uint64_t kMaxPieces = 64;
constexpr std::uint64_t kMaxFronts = 4;

struct SizedFile {
  fs::path path;
  std::uint64_t bytes;
};

struct PartFiles {
  InputFormat format = InputFormat::kAuto;
  std::vector<SizedFile> files;
  std::uint64_t bytes = 0;
};

PartFiles files_of(const CorpusPart& part) {
  refuse_pipes(part.inputs);
  PartFiles found{.format = resolve_format(part.inputs, part.source), .files = {}};
  for (const Input& input : list_source(part.inputs, found.format, part.source)) {
    for (const fs::path& file : input.files) {
      found.files.push_back({file, InputFile(file).size_bytes()});
      found.bytes += found.files.back().bytes;
    }
  }
  return found;
}

enum class FileKind { kText, kStream, kIndexed };

// Their first article may need a large part of the file.
bool is_in_batches(InputFormat format) {
  return format == InputFormat::kParquet || format == InputFormat::kArrow || format == InputFormat::kSqlite;
}

// A stream can only be read from its front; an archive or a table with its list at the end can't be read in part.
FileKind kind_of(const fs::path& file, InputFormat format) {
  const MappedFile mapped(file);
  const std::string_view begin = mapped.bytes().substr(0, kArchiveProbeBytes);
  if (is_in_batches(format) || begins_as_indexed_archive(begin)) return FileKind::kIndexed;
  const bool plain = compression_of(begin) == Compression::kNone && !begins_as_archive(begin) &&
                     (format != InputFormat::kJsonl || has_ranges(file, format));
  return plain ? FileKind::kText : FileKind::kStream;
}

void ignore_rejected(const std::string&, const std::string&, std::string_view) {}

// Reads part by part; each ends before its unreadable rest.
class TruncatedSource final : public DeferredSource {
 public:
  TruncatedSource(std::span<const CorpusPart> parts, TaskRunner runner)
      : parts_(parts.begin(), parts.end()), runner_(std::move(runner)) {}

  bool read(SourceDocument& document) override {
    for (; part_ < parts_.size(); ++part_) {
      try {
        if (source_ == nullptr) source_ = open_corpus(std::span(&parts_[part_], 1), &ignore_rejected, runner_);
        if (source_->read(document)) return true;
      } catch (const FormatError&) {
        // The cut is inside this record. The caller refuses a sample without an article.
      }
      source_.reset();
    }
    return false;
  }

 private:
  std::vector<CorpusPart> parts_;
  TaskRunner runner_;
  std::unique_ptr<DeferredSource> source_;
  std::size_t part_ = 0;
};

// Copies samples of one part into `folder`.
class SampleCopier {
 public:
  SampleCopier(PartFiles& part, const fs::path& folder, std::uint64_t quota)
      : part_(part), folder_(folder), quota_(std::max<std::uint64_t>(1, quota)) {}

  std::uint64_t bytes() const { return bytes_; }
  bool is_complete() const { return is_complete_; }
  bool is_front() const { return is_front_; }
  const std::vector<fs::path>& copies() const { return copies_; }

  void copy() {
    const std::uint64_t mean = part_.bytes / part_.files.size();
    const FileKind kind = kind_of(part_.files.front().path, part_.format);
    const bool is_whole = part_.format == InputFormat::kBooks || is_in_batches(part_.format);
    if (part_.files.size() > 1 && (is_whole || mean * 8 <= quota_)) {
      take_whole_files();
    } else if (kind == FileKind::kIndexed) {
      bytes_ = part_.bytes;
      is_complete_ = true;
    } else if (kind == FileKind::kText && has_article_boundaries(part_.format)) {
      take_pieces();
    } else {
      take_fronts();
    }
  }

 private:
  // Every n-th file, whatever its size: choosing places by bytes would prefer large ones.
  void take_whole_files() {
    const std::uint64_t mean = std::max<std::uint64_t>(1, part_.bytes / part_.files.size());
    const std::uint64_t wanted = std::clamp<std::uint64_t>(quota_ / mean, 2, part_.files.size());
    for (std::uint64_t i = 0; i < wanted; ++i) {
      const SizedFile& file = part_.files[(2 * i + 1) * part_.files.size() / (2 * wanted)];
      copy_front(file, file.bytes);
    }
  }

  void take_fronts() {
    is_front_ = true;
    const std::uint64_t wanted = std::min<std::uint64_t>(kMaxFronts, part_.files.size());
    for (std::uint64_t i = 0; i < wanted; ++i) {
      const SizedFile& file = part_.files[i * part_.files.size() / wanted];
      copy_front(file, std::min(file.bytes, quota_ / wanted));
    }
  }

  void copy_front(const SizedFile& file, std::uint64_t count) {
    const MappedFile mapped(file.path);
    // In a separate folder, as its name may determine its format.
    const fs::path own = folder_ / std::to_string(copies_.size());
    fs::create_directories(own);
    OutputFile out(copies_.emplace_back(own / file.path.filename()));
    out.write(mapped.bytes().substr(0, count));
    out.finish();
    bytes_ += std::min<std::uint64_t>(count, mapped.bytes().size());
  }

  void take_pieces() {
    const std::uint64_t pieces = std::clamp<std::uint64_t>(quota_ / kPieceBytes, 1, kMaxPieces);
    OutputFile out(copies_.emplace_back(folder_ / part_.files.front().path.filename()));
    std::size_t file = 0;
    std::uint64_t before = 0;  // bytes of earlier files
    std::uint64_t end = 0;     // end of the sampled range, counted over all files
    for (std::uint64_t i = 0; i < pieces; ++i) {
      const std::uint64_t place = std::max(end, part_.bytes / pieces * i);
      while (file + 1 < part_.files.size() && place >= before + part_.files[file].bytes) {
        before += part_.files[file++].bytes;
      }
      const MappedFile mapped(part_.files[file].path);
      const std::string_view text = mapped.bytes();
      const std::size_t from = next_article(text, place - before, part_.format);
      const std::size_t to = next_article(text, from + quota_ / pieces, part_.format);
      if (from >= to) continue;
      out.write(text.substr(from, to - from));
      bytes_ += to - from;
      end = before + to;
    }
    out.finish();
  }

  PartFiles& part_;
  fs::path folder_;
  std::uint64_t quota_;
  std::uint64_t bytes_ = 0;
  std::vector<fs::path> copies_;
  bool is_complete_ = false;
  bool is_front_ = false;
};

std::uint64_t count_articles(const PlanSample& sample) {
  const auto source = sample.open({});
  std::uint64_t articles = 0;
  for (Document document; source->next(document);) ++articles;
  return articles;
}

// Reading of a part stops at a cut, so each beginning of a file is a separate part.
void add_parts(CorpusPart part, InputFormat format, const SampleCopier& copier, PlanSample& sample) {
  part.source.format = format;
  part.source.strict = false;
  if (!copier.is_complete()) part.inputs = copier.copies();
  if (!copier.is_front()) return sample.parts.push_back(std::move(part));
  for (const fs::path& copy : copier.copies()) {
    part.inputs = {copy};
    sample.parts.push_back(part);
  }
}

PlanSample copy_share(std::span<const CorpusPart> parts, std::vector<PartFiles>& files, const fs::path& folder,
                      double share) {
  PlanSample sample;
  remove_tree(folder);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const fs::path part_folder = folder / std::to_string(i);
    fs::create_directories(part_folder);
    SampleCopier copier(files[i], part_folder, static_cast<std::uint64_t>(static_cast<double>(files[i].bytes) * share));
    copier.copy();
    sample.input_bytes += files[i].bytes;
    sample.sample_bytes += copier.bytes();
    sample.is_front = sample.is_front || copier.is_front();
    add_parts(parts[i], files[i].format, copier, sample);
  }
  return sample;
}

std::string prefix_of_this_machine() {
  return ".plan." + ProcessIdentity::of_this_process().host + ".";
}

bool is_abandoned(const std::string& name, const std::string& prefix) {
  if (!name.starts_with(prefix)) return false;
  const std::string digits = name.substr(prefix.size());
  if (digits.size() > 9 || !is_ascii_digits(digits)) return false;
  return !ProcessIdentity{{}, std::stoull(digits), 0}.is_alive();
}

void remove_abandoned(const fs::path& work, const std::string& prefix) {
  std::error_code error;
  for (const auto& entry : list_folder(work, error)) {
    std::error_code ignored;
    if (is_abandoned(entry.path().filename().string(), prefix)) remove_tree(entry.path(), ignored);
  }
}

fs::path first_missing(const fs::path& folder) {
  fs::path missing;
  for (fs::path at = fs::absolute(folder).lexically_normal(); !fs::exists(at) && at.has_relative_path();
       at = at.parent_path()) {
    missing = at;
  }
  return missing;
}

}  // namespace

double PlanSample::scale() const {
  return sample_bytes == 0 ? 1 : static_cast<double>(input_bytes) / static_cast<double>(sample_bytes);
}

std::unique_ptr<DeferredSource> PlanSample::open(const TaskRunner& runner) const {
  if (is_front) return std::make_unique<TruncatedSource>(parts, runner);
  return open_corpus(parts, &ignore_rejected, runner);
}

PlanSample copy_sample(std::span<const CorpusPart> parts, const fs::path& folder, const SampleSize& size) {
  std::vector<PartFiles> files;
  std::uint64_t bytes = 0;
  for (const CorpusPart& part : parts) bytes += files.emplace_back(files_of(part)).bytes;
  const double total = static_cast<double>(bytes);
  const double wanted = std::clamp(total * size.share, static_cast<double>(size.min_bytes),
                                   static_cast<double>(std::max(size.min_bytes, size.max_bytes)));
  for (double share = wanted / std::max(1.0, total); share < 0.8; share *= 4) {
    PlanSample sample = copy_share(parts, files, folder, share);
    sample.articles = sample.sample_bytes == 0 ? 0 : count_articles(sample);
    if (sample.articles >= 2) return sample;
  }
  PlanSample whole{
      .parts = {parts.begin(), parts.end()}, .input_bytes = bytes, .sample_bytes = bytes, .is_complete = true};
  whole.articles = count_articles(whole);
  return whole;
}

PlanFolder::PlanFolder(const fs::path& work)
    : path_(work / (prefix_of_this_machine() + std::to_string(ProcessIdentity::of_this_process().pid))),
      first_made_(first_missing(path_)) {
  make_output_folder(path_);
  remove_abandoned(work, prefix_of_this_machine());
}

PlanFolder::~PlanFolder() {
  std::error_code ignored;
  remove_tree(path_, ignored);
  // Removes folders above it only if they are empty.
  for (fs::path at = fs::absolute(path_, ignored).lexically_normal(); at != first_made_ && at.has_relative_path();) {
    at = at.parent_path();
    if (!first_made_.empty() && at.string().starts_with(first_made_.string())) fs::remove(at, ignored);
    if (first_made_.empty()) break;
  }
}

}  // namespace bertprep
