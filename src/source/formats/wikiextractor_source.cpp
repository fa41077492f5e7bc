#include "source/formats/wikiextractor_source.h"

#include <algorithm>

#include "stream/line_reader.h"
#include "unicode/utf8_text.h"

namespace bertprep {

bool DocLines::take(std::string_view line) {
  if (is_finished_) text_.clear();
  is_finished_ = false;
  is_head_ = line.find("<doc id=") != std::string_view::npos;
  if (is_head_) {
    is_open_ = true;
  } else if (line.find("</doc>") != std::string_view::npos) {
    is_open_ = false;
    has_title_ = false;
    is_finished_ = true;
  } else if (is_open_ && has_title_) {
    text_ += line;
  } else if (is_open_) {
    has_title_ = true;
  }
  return is_finished_;
}

namespace {

constexpr std::string_view kFilePrefix = "wiki_";

// The value of an attribute of a <doc> line. Values are not escaped, so a title may contain quotes; it is the last
// attribute.
std::string_view attribute(std::string_view line, std::string_view name) {
  const std::string begin = std::string(name) + "=\"";
  const std::size_t at = line.find(begin);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + begin.size());
  const std::size_t end = name == "title" ? line.rfind("\">") : line.find('"');
  return end == std::string_view::npos ? std::string_view{} : line.substr(0, end);
}

class WikiextractorSource final : public DeferredSource {
 public:
  WikiextractorSource(TextInput input, const CorpusReading& reading)
      : lines_(std::move(input.name), std::move(input.bytes)), reading_(reading) {
    lines_.set_limit(reading.limit.bytes());
  }

  bool read(SourceDocument& document) override {
    for (std::string_view line; lines_.next(line);) {
      line_.assign(line);
      line_ += '\n';
      const bool was_open = doc_.is_open();
      const bool has_ended = doc_.take(line_);
      if (doc_.is_head() && !was_open) take_head(line);
      count_line();
      if (has_ended && take_article(document)) return true;
    }
    if (doc_.is_open()) {
      reading_.rejects->add(place(), "the file ends before </doc>", doc_.text());
      doc_ = {};
    }
    return false;
  }

 private:
  // Of an article that is too long, only the first line is kept.
  void count_line() {
    if (!doc_.is_open()) return;
    doc_bytes_ = doc_.is_head() ? 0 : doc_bytes_ + lines_.line_bytes() + 1;
    if (!reading_.limit.allows(doc_bytes_)) std::string().swap(doc_.text());
  }

  void take_head(std::string_view line) {
    head_ = {};
    head_.title = attribute(line, "title");
    head_.origin.source = lines_.name();
    head_.origin.page_id = attribute(line, "id");
    head_.origin.url = attribute(line, "url");
    head_.origin.line = lines_.line_number();
    head_.origin.byte = lines_.line_offset();
  }

  bool take_article(SourceDocument& document) {
    if (!reading_.limit.allows(doc_bytes_)) {
      reading_.limit.reject(place(), doc_bytes_, head_.title);
      return false;
    }
    if (find_invalid_utf8(doc_.text()) || find_invalid_utf8(head_.title)) {
      reading_.rejects->add(place(), "the article is not UTF-8", doc_.text());
      return false;
    }
    document.title = head_.title;
    document.origin = head_.origin;
    document.text.swap(doc_.text());
    document.layout = ArticleLayout::kReference;
    return true;
  }

  std::string place() const { return lines_.name() + ":" + std::to_string(head_.origin.line); }

  LineReader lines_;
  CorpusReading reading_;
  std::uint64_t doc_bytes_ = 0;  // of the article, kept or not
  DocLines doc_;
  std::string line_;
  Document head_;  // the content of the <doc> line
};

}  // namespace

OpenText wikiextractor_reader(const CorpusReading& reading) {
  return [reading](TextInput input) { return std::make_unique<WikiextractorSource>(std::move(input), reading); };
}

bool is_extracted_file(const std::filesystem::path& file) {
  return file.filename().native().starts_with(kFilePrefix);
}

void keep_extracted_files(std::vector<Input>& inputs) {
  for (Input& input : inputs) {
    if (!input.is_folder || std::none_of(input.files.begin(), input.files.end(), is_extracted_file)) continue;
    const auto others = std::stable_partition(input.files.begin(), input.files.end(), is_extracted_file);
    for (auto other = others; other != input.files.end(); ++other) {
      input.left_out.push_back(
          {*other, "left out because its name does not begin with wiki_ (`include` reads others)"});
    }
    input.files.erase(others, input.files.end());
  }
}

}  // namespace bertprep
