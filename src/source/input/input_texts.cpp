#include "source/input/input_texts.h"

#include <utility>

#include "bertprep/base/error.h"
#include "io/input_file.h"
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

}  // namespace bertprep
