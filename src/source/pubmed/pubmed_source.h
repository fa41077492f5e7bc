// PubmedSource: a file of PubMed's XML, of the annual baseline or an update: each citation is a document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/source/document_source.h"
#include "source/input/article_limit.h"
#include "source/input/deferred_work.h"
#include "source/input/input_texts.h"
#include "stream/byte_stream.h"

namespace bertprep {

// CitationRecords: the citations in a file of PubMed's XML, extracted without parsing it. Memory: the longest citation.
class CitationRecords : public RecordCutter {
 public:
  // `name` is for errors. Of a record longer than `max_bytes`, only the first 64 KiB are kept.
  CitationRecords(std::string name, std::unique_ptr<ByteStream> bytes, std::uint64_t max_bytes);

  // Overwrites `record` with the next <PubmedArticle>, <PubmedBookArticle> or <DeleteCitation>, with its tags. A record
  // without an end extends to the beginning of the next one or the end of the set. False at the end. Throws FormatError
  // if the file ends before </PubmedArticleSet>. Passes on the stream's exceptions.
  bool next(std::string& record);

  bool is_deletion() const { return kind_ == Kind::kDeletion; }

 private:
  enum class Kind { kArticle, kBook, kDeletion, kSet };
  struct Tag {
    Kind kind;
    bool is_end;
    std::size_t bytes;  // of its name, including < and /
  };

  static std::optional<Tag> tag_at(std::string_view text);
  std::optional<Tag> find_tag(std::string* record);
  bool fill();
  void take(std::size_t count, std::string* record);

  std::string name_;
  std::unique_ptr<ByteStream> bytes_;
  std::string window_;  // bytes read
  std::size_t at_ = 0;  // how many of them are used
  std::uint64_t line_ = 1;
  std::uint64_t byte_ = 0;
  Kind kind_ = Kind::kArticle;
  bool has_records_ = false;
  bool has_set_ = false;
  bool has_set_end_ = false;
};

class PubmedSource final : public DeferredSource {
 public:
  // Documents are citations in XML, read later by `deferred` (citation.h).
  PubmedSource(TextInput input, std::shared_ptr<const DeferredWork> deferred, const ArticleLimit& limit = {});

  // Throws as CitationRecords does.
  bool read(SourceDocument& document) override;

  // The citations that the file deletes. Those read before were already returned.
  std::vector<RecordRemark> take_remarks() override;

 private:
  std::string place() const;
  void remark_deletions(std::string_view record);

  std::string name_;
  CitationRecords records_;
  std::shared_ptr<const DeferredWork> deferred_;
  ArticleLimit limit_;
  std::vector<RecordRemark> remarks_;
};

}  // namespace bertprep
