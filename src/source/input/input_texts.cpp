#include "source/input/input_texts.h"

#include "base/stage_errors.h"
#include "source/input/foreign_format.h"

namespace bertprep {
namespace {

// An archive may contain itself.
constexpr std::size_t kMaxArchives = 5;

// Nothing of a pipe, whose bytes would be lost.
std::string first_bytes(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file)) return {};
  std::string first(kArchiveProbeBytes, '\0');
  first.resize(InputFile(file).read(first));
  return first;
}

// What a web page or the like is, whatever its name, is said by the reader.
void refuse_unpacked(const std::string& name, std::string_view first) {
  if (!foreign_format_of(first)) refuse_misnamed(name, first);
}

void refuse_no_archive(const std::string& name, std::string_view first) {
  if (first.empty() || !is_archive_name(without_compression_ending(name)) || foreign_format_of(first)) return;
  throw FormatError("its name is that of an archive, but it is something else", name,
                    "get the file again, or rename it if it is plain text");
}

class FileSequence final : public PlacedSource {
 public:
  FileSequence(std::vector<Input> inputs, StreamOptions streams, OpenText open, ArticleLayout layout,
               ReadObserver* observer)
      : inputs_(std::move(inputs)), layout_(layout), streams_(std::move(streams)), open_(std::move(open)) {
    meter_.set_observer(observer);
    streams_.meter = &meter_;
    streams_.left_out = [this](const std::string& where, const std::string& text) {
      remarks_.push_back({where, text});
    };
  }
  FileSequence(TextInput text, OpenText open, ArticleLayout layout)
      : layout_(layout), open_(std::move(open)), name_(text.name), begin_(text.first_byte), text_(std::move(text)) {}

  bool read(SourceDocument& document) override try {
    while (reader_ != nullptr || open_next_text()) {
      clear(document);
      if (reader_->read(document)) {
        ++articles_of_input_;
        move_place(document.origin);
        return true;
      }
      const auto remarks = reader_->take_remarks();
      remarks_.insert(remarks_.end(), remarks.begin(), remarks.end());
      reader_.reset();
    }
    return false;
  } catch (...) {
    rethrow_as_error("reading", name_);
  }

  std::vector<RecordRemark> take_remarks() override { return std::exchange(remarks_, {}); }

  std::optional<std::uint64_t> input_bytes_read() const override {
    if (!begin_) return meter_.bytes();
    return place_.documents_from_byte == 0 ? 0 : place_.byte - *begin_;
  }

  std::optional<ReadPlace> place() const override { return place_; }

 private:
  // Keeps the memory of its strings.
  void clear(SourceDocument& document) const {
    document.title.clear();
    document.text.clear();
    document.origin = {};
    document.origin.source = name_;
    document.layout = layout_;
    document.note.clear();
    document.left_out.clear();
    document.deferred.reset();
  }

  bool open_next_text() {
    TextInput text;
    if (text_) {
      text = *std::exchange(text_, std::nullopt);
    } else {
      while (!texts_ || !texts_->next(text)) {
        if (!open_next_file()) return false;
      }
    }
    name_ = text.name;
    reader_ = open_(std::move(text));
    return true;
  }

  bool open_next_file() {
    texts_.reset();
    if (input_ < inputs_.size() && file_ == inputs_[input_].files.size()) finish_input();
    if (input_ == inputs_.size()) {
      meter_.end();
      return false;
    }
    const Input& input = inputs_[input_];
    if (file_ == 0) remarks_.insert(remarks_.end(), input.left_out.begin(), input.left_out.end());
    place_ = {.input = input_, .file = file_};
    texts_.emplace(input.files[file_++], input.choice, streams_);
    return true;
  }

  void finish_input() {
    if (articles_of_input_ == 0 && !inputs_[input_].may_be_empty) throw no_article_in(inputs_[input_].given);
    articles_of_input_ = 0;
    file_ = 0;
    ++input_;
  }

  void move_place(const Origin& origin) {
    // Several articles may begin in one line.
    const bool is_same_record = place_.byte == origin.byte && place_.line == origin.line;
    place_.documents_from_byte = origin.line == 0 ? 0 : 1 + (is_same_record ? place_.documents_from_byte : 0);
    place_.byte = origin.byte;
    place_.line = origin.line;
    ++place_.documents;
  }

  std::vector<RecordRemark> remarks_;
  std::vector<Input> inputs_;
  ReadMeter meter_;
  ArticleLayout layout_;
  StreamOptions streams_;
  OpenText open_;
  std::optional<InputTexts> texts_;  // of the current file
  std::string name_;                 // of the current text
  std::unique_ptr<DeferredSource> reader_;
  std::size_t input_ = 0;
  std::size_t file_ = 0;  // the next to open, of inputs_[input_]
  std::uint64_t articles_of_input_ = 0;
  ReadPlace place_;
  std::optional<std::uint64_t> begin_;  // of a single text
  std::optional<TextInput> text_;       // the single one, until it is opened
};

}  // namespace

const StoredFile& stored_file_of(const TextInput& text, const char* what) {
  if (text.stored) return *text.stored;
  throw FormatError(std::string(what) + " in an archive or a compressed file is not read", text.name,
                    "unpack it first");
}

InputTexts::InputTexts(std::filesystem::path file, NameChoice choice, StreamOptions streams)
    : file_(std::move(file)), choice_(std::move(choice)), streams_(std::move(streams)) {
  std::error_code no_size;  // opening the file reports what is wrong with it
  const std::uintmax_t bytes = std::filesystem::file_size(file_, no_size);
  expansion_ = std::make_shared<Expansion>(file_.string(), no_size ? 0 : bytes, streams_.max_expansion);
}

// The next selected member of the innermost archive.
std::optional<ArchiveMember> InputTexts::next_member() {
  OpenArchive& archive = archives_.back();
  const auto leave_out = [&](const std::string& name, const std::string& reason) {
    if (streams_.left_out) streams_.left_out(archive.name + ":" + name, reason);
  };
  auto member = archive.reader.next(leave_out);
  for (; member; member = archive.reader.next(leave_out)) {
    const auto reason = why_left_out(member->name, choice_);
    if (!reason) break;
    leave_out(member->name, *reason);
  }
  return member;
}

bool InputTexts::next(TextInput& text) {
  text.bytes.reset();
  text.stored.reset();
  if (!std::exchange(is_opened_, true) && open_file(text)) return true;
  while (!archives_.empty()) {
    auto member = next_member();
    if (!member) {
      archives_.pop_back();
      continue;
    }
    std::string name = archives_.back().name + ":" + member->name;
    auto packed = std::make_unique<PeekedStream>(std::move(member->bytes));
    refuse_unpacked(name, packed->peek(kArchiveProbeBytes));
    auto bytes = decompress(name, std::move(packed));
    if (open_archive_or_text(std::move(name), std::move(bytes), text)) {
      text.file_name = last_part_of(member->name);
      return true;
    }
  }
  return false;
}

bool InputTexts::open_file(TextInput& text) {
  const std::string first = first_bytes(file_);
  if (!begins_as_indexed_archive(first)) {
    refuse_unpacked(file_, first);
    text.file_name = last_part_of(file_.native());
    if (compression_of(first) == Compression::kNone) text.stored = {.path = file_, .meter = streams_.meter};
    return open_archive_or_text(file_, open_stream(file_, streams_), text);
  }
  if (const auto document = document_by_name(file_.native())) throw foreign_error(*document, file_);
  archives_.push_back({file_, ArchiveReader(file_, streams_.meter)});
  return false;
}

// True: it is a text. False: it is an archive, which is now open.
bool InputTexts::open_archive_or_text(std::string name, std::unique_ptr<ByteStream> bytes, TextInput& text) {
  auto peeked = std::make_unique<PeekedStream>(std::move(bytes));
  const std::string_view first = peeked->peek(kArchiveProbeBytes);
  if (!begins_as_archive(first)) {
    refuse_no_archive(name, first);
    text.name = std::move(name);
    text.bytes = counted(std::move(peeked), expansion_);
    return true;
  }
  if (archives_.size() == kMaxArchives) {
    throw FormatError("archives are nested more than " + std::to_string(kMaxArchives) + " deep", name,
                      "unpack the outer ones");
  }
  archives_.push_back({name, ArchiveReader(name, counted(std::move(peeked), expansion_))});
  return false;
}

FormatError no_article_in(const std::filesystem::path& input) {
  std::error_code error;
  if (std::filesystem::is_regular_file(input, error) && std::filesystem::file_size(input, error) == 0 && !error) {
    return FormatError("it is empty (0 bytes)", input, "get the file again");
  }
  return FormatError("there is not a single article in it", input,
                     "check that it is not empty and that the given format is right");
}

std::unique_ptr<PlacedSource> open_texts(std::vector<Input> inputs, StreamOptions streams, OpenText open,
                                         ArticleLayout layout, ReadObserver* observer) {
  return std::make_unique<FileSequence>(std::move(inputs), std::move(streams), std::move(open), layout, observer);
}

std::unique_ptr<PlacedSource> open_text(TextInput text, OpenText open, ArticleLayout layout) {
  return std::make_unique<FileSequence>(std::move(text), std::move(open), layout);
}

}  // namespace bertprep
