#include "wiki/mediawiki_source.h"

#include <algorithm>

#include "stream/bzip2_scan.h"
#include "stream/bzip2_stream.h"
#include "wiki/article_extractor.h"
#include "wiki/dump/dump_reader.h"

namespace bertprep {
namespace {

class MediawikiSource final : public PlacedSource {
 public:
  // Reads `piece`, or all of `inputs`; the templates always come from all.
  MediawikiSource(std::span<const std::filesystem::path> inputs, const InputPiece* piece, const SourceOptions& source,
                  const WikiOptions& options, RejectSink sink, const TaskRunner& runner, ReadObserver* observer)
      : options_(options),
        rejects_(source.strict, std::move(sink)),
        reader_(open(inputs, piece, source, runner, observer)),
        templates_(load_templates(options.templates, inputs, runner)) {}

  bool read(SourceDocument& document) override {
    while (reader_->next(page_)) {
      if (page_.namespace_key == kArticleSpace) return give(document);
      ++other_pages_;
    }
    return false;
  }

  std::optional<std::uint64_t> input_bytes_read() const override { return reader_->input_bytes_read(); }

  ReasonCounts take_left_out() override {
    ReasonCounts left_out;
    const std::uint64_t redirects = std::max(reported_redirects_, reader_->redirects());
    if (redirects > reported_redirects_) left_out.add(kRedirectReason, redirects - reported_redirects_);
    reported_redirects_ = redirects;
    left_out.add(kOtherSpaceReason, std::exchange(other_pages_, 0));
    left_out.add(reader_->take_left_out());
    return left_out;
  }

  std::vector<RecordRemark> take_remarks() override { return reader_->take_remarks(); }

  std::optional<ReadPlace> place() const override {
    return reader_->has_fault() ? std::nullopt : std::optional(place_);
  }

 private:
  void move_place() {
    if (place_.file != reader_->file()) place_ = {.file = reader_->file()};
    if (place_.byte != page_.byte) place_.documents_from_byte = 0;
    place_.byte = page_.byte;
    ++place_.documents;
    ++place_.documents_from_byte;
  }

  bool give(SourceDocument& document) {
    move_place();
    document.title = page_.page.title;
    document.text.swap(page_.page.text);
    document.origin = {.source = reader_->site()->dump,
                       .page_id = page_.page.id,
                       .revision_id = page_.page.revision_id,
                       .timestamp = page_.page.timestamp,
                       .url = url_of(*reader_->site(), page_.page.id)};
    document.layout = options_.clean ? ArticleLayout::kJoined : ArticleLayout::kReference;
    document.deferred = deferred_work_of(reader_->site());
    return true;
  }

  std::unique_ptr<DumpPages> open(std::span<const std::filesystem::path> inputs, const InputPiece* piece,
                                  const SourceOptions& source, const TaskRunner& runner, ReadObserver* observer) {
    if (piece == nullptr || !piece->is_range()) {
      const std::span<const std::filesystem::path> files = piece == nullptr ? inputs : std::span(piece->files);
      auto reader = std::make_unique<DumpReader>(files, options_.clock, rejects_, runner);
      if (options_.clean) reader->read_elements();
      reader->set_observer(observer);
      reader->set_max_expansion(static_cast<std::uint64_t>(source.max_expansion));
      return reader;
    }
    DumpRange range{piece->files.front(), piece->begin, piece->end};
    range.reads_elements = options_.clean;
    return std::make_unique<DumpRangeReader>(range, options_.clock, rejects_, runner);
  }

  const std::shared_ptr<const DeferredWork>& deferred_work_of(const std::shared_ptr<const WikiSite>& site) {
    if (site != site_) {
      site_ = site;
      deferred_ = deferred_extraction(options_, site, templates_);
    }
    return deferred_;
  }

  WikiOptions options_;
  Rejects rejects_;
  std::unique_ptr<DumpPages> reader_;
  std::shared_ptr<const TemplateStore> templates_;
  std::uint64_t reported_redirects_ = 0;
  std::uint64_t other_pages_ = 0;  // of namespaces without articles
  ReadPlace place_;
  DumpPage page_;
  std::shared_ptr<const WikiSite> site_;
  std::shared_ptr<const DeferredWork> deferred_;
};

namespace fs = std::filesystem;

Compression compression_of_file(const fs::path& file) {
  FileStream stream(file, 0, kArchiveProbeBytes);
  const std::string_view first = stream.next_block();
  refuse_misnamed(file, first);
  return compression_of(first);
}

bool is_utf8_text(const fs::path& file) {
  PeekedStream bytes(open_stream(file, {{}, [](const auto&, const auto&) {}}));
  const std::string_view first = bytes.peek(kArchiveProbeBytes);
  return !begins_as_archive(first) && utf16_of(first.substr(0, 2)) == Utf16::kNone;
}

// Whether reading all of it would find a stream with correct blocks but a wrong checksum. Readers of a part can't tell,
// as that checksum needs all blocks.
bool has_wrong_sum(const fs::path& file, const TaskRunner& runner) {
  if (bzip2_sums_agree(file, runner)) return false;
  bool is_wrong = false;
  const auto listen = [&](const std::string&, const std::string& reason) { is_wrong |= reason == kBzip2WrongSum; };
  const auto bytes = open_stream(file, {runner, listen});
  try {
    while (!is_wrong && !bytes->next_block().empty()) {
    }
  } catch (const FormatError&) {
    // It is truncated, which is reported when it is read.
  }
  return is_wrong;
}

// The byte after which ranges of the file may begin; the part before is read for each. Nothing if none may.
std::optional<std::uint64_t> begin_of_ranges(const fs::path& file, bool reads_elements, const TaskRunner& runner) {
  const Compression compression = compression_of_file(file);
  if (compression != Compression::kNone && compression != Compression::kBzip2) return std::nullopt;
  if (!is_utf8_text(file)) return std::nullopt;
  const DumpHead head = read_dump_head(file, reads_elements);
  if (!head.is_complete) return std::nullopt;
  if (compression == Compression::kBzip2 && has_wrong_sum(file, runner)) return std::nullopt;
  return head.first_given;
}

std::vector<SplitPoint> split_dump(const fs::path& file, std::uint64_t file_bytes, std::uint64_t pieces,
                                   bool reads_elements, const TaskRunner& runner) {
  std::vector<SplitPoint> points;
  const auto first = begin_of_ranges(file, reads_elements, runner);
  for (std::uint64_t i = 1; first && i < pieces; ++i) {
    if (const std::uint64_t byte = even_split(file_bytes, i, pieces); byte > *first) points.push_back({byte});
  }
  return points;
}

}  // namespace

std::unique_ptr<PlacedSource> open_mediawiki(std::span<const std::filesystem::path> inputs, const SourceOptions& source,
                                             const WikiOptions& options, RejectSink rejects, const TaskRunner& runner,
                                             ReadObserver* observer, const InputPiece* piece) {
  check(options);
  return std::make_unique<MediawikiSource>(inputs, piece, source, options, std::move(rejects), runner, observer);
}

bool dump_has_range(const fs::path& file, std::uint64_t begin, const WikiOptions& options, const TaskRunner& runner) {
  const auto first = begin_of_ranges(file, options.clean, runner);
  return first && begin > *first;
}

std::vector<InputPiece> split_mediawiki(std::span<const fs::path> inputs, const WikiOptions& options,
                                        std::uint64_t piece_bytes, const TaskRunner& runner) {
  check(options);
  load_templates(options.templates, inputs, runner);
  return group_files(list_inputs(inputs), piece_bytes,
                     [&](const fs::path& file, std::uint64_t bytes, std::uint64_t pieces) {
                       return split_dump(file, bytes, pieces, options.clean, runner);
                     });
}

}  // namespace bertprep
