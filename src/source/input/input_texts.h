// InputTexts: the texts in a file: its decompressed bytes, or, for an archive, its members; and the articles of many
// files, text by text.
#pragma once

#include "bertprep/base/error.h"
#include "source/input/deferred_work.h"
#include "source/input/input_list.h"
#include "stream/archive.h"
#include "stream/byte_stream.h"
#include "stream/decoded_stream.h"
#include "stream/open_stream.h"

namespace bertprep {

// StoredFile: the file whose bytes are those of a text, for formats that are not read from front to back.
struct StoredFile {
  std::filesystem::path path;
  // The part to read; `end` 0: all.
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  ReadMeter* meter = nullptr;  // may be null
};

// TextInput: one stream of text with the name it is reported under.
struct TextInput {
  std::string name;  // FILE, or ARCHIVE:MEMBER
  std::unique_ptr<ByteStream> bytes;
  std::string file_name{};  // the last part of the path of the file or member; empty: that of `name`
  // Where the bytes begin in the text: line number and byte offset.
  std::uint64_t first_line = 1;
  std::uint64_t first_byte = 0;
  std::string head{};                  // the header of a table, if `first_byte` is above 0
  std::optional<StoredFile> stored{};  // nothing for a packed text
};

// Of a text in a format that needs the whole file, here called `what`. Throws FormatError: it is packed.
const StoredFile& stored_file_of(const TextInput& text, const char* what);

class InputTexts {
 public:
  // `choice` selects members of archives by name, like files of folders.
  InputTexts(std::filesystem::path file, NameChoice choice, StreamOptions streams);

  // The next text; false after the last one. Its bytes are valid until the next call. Archives within archives and
  // compressed members are opened, too. Throws IoError and FormatError.
  bool next(TextInput& text);

 private:
  // An archive being read, with its name.
  struct OpenArchive {
    std::string name;
    ArchiveReader reader;
  };

  std::optional<ArchiveMember> next_member();
  bool open_file(TextInput& text);
  bool open_archive_or_text(std::string name, std::unique_ptr<ByteStream> bytes, TextInput& text);

  std::filesystem::path file_;
  NameChoice choice_;
  StreamOptions streams_;
  std::shared_ptr<Expansion> expansion_;  // of the file
  bool is_opened_ = false;
  std::vector<OpenArchive> archives_;  // each is inside the previous one
};

// Makes the reader of one text.
using OpenText = std::function<std::unique_ptr<DeferredSource>(TextInput)>;

// The error for an input, named as the user did, without an article.
FormatError no_article_in(const std::filesystem::path& input);

// The articles of many files, text by text; `layout` is that of documents whose reader sets none. `observer`, which may
// be null and must outlive the result, receives the bytes of the files. read() throws FormatError naming an input
// without any article, unless it may be empty.
std::unique_ptr<PlacedSource> open_texts(std::vector<Input> inputs, StreamOptions streams, OpenText open,
                                         ArticleLayout layout, ReadObserver* observer = nullptr);
// The same of a single text, which need not have an article.
std::unique_ptr<PlacedSource> open_text(TextInput text, OpenText open, ArticleLayout layout);

}  // namespace bertprep
