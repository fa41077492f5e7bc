// Sentences of a text, and wiki markup as clean text.
#include <memory>

#include "bertprep/base/error.h"
#include "bertprep/pipeline/stages.h"
#include "bertprep/text/sentences.h"
#include "bertprep/wiki/article_text.h"
#include "bindings.h"
#include "document_feed.h"
#include "pipeline/text_shards/article_lines.h"

namespace bertprep::python {
namespace {

SentenceOptions sentence_options(Keywords& keywords) {
  SentenceOptions options;
  keywords.set(options);
  return options;
}

// Thread-safe, as its splitter is.
class PythonSplitter {
 public:
  explicit PythonSplitter(const py::dict& given) {
    Keywords keywords(given);
    options_ = sentence_options(keywords);
    keywords.require_all_known("SentenceSplitter");
    options_ = resolve_sentences({}, options_);
    splitter_ = make_sentence_splitter(options_);
  }

  py::object split(const py::object& text) const {
    Document document;
    document.text = utf8_of(text.ptr(), "text");
    std::string article;
    std::vector<std::string_view> sentences;
    {
      const py::gil_scoped_release released;
      if (options_.rules == SentenceRules::kLines) {
        append_sentence_lines(document, article);
      } else {
        append_article_line(document, article);
      }
      while (article.ends_with('\n')) article.pop_back();
      if (!article.empty()) splitter_->split(article, sentences);
    }
    return to_object(sentences);
  }

  std::string identity() const { return identity_of(*splitter_); }

 private:
  SentenceOptions options_;
  std::shared_ptr<const SentenceSplitter> splitter_;
};

WikiOptions clean_options(Keywords& keywords) {
  WikiOptions options;
  options.clean = true;
  keywords.set(options, {"lists", "headings", "min-length", "holes", "clock"});
  return options;
}

py::str clean_wikitext(const py::object& markup, const std::string& language, const py::object& title,
                       const py::dict& given) {
  Keywords keywords(given);
  const WikiOptions options = clean_options(keywords);
  keywords.require_all_known("clean_wikitext");
  const std::string bytes = utf8_of(markup.ptr(), "markup");
  const WikiPageName page{language, utf8_of(title.ptr(), "title")};
  std::string text;
  {
    const py::gil_scoped_release released;
    text = article_text(bytes, page, options);
  }
  return text_object(text);
}

}  // namespace

void bind_text_functions(py::module_& module) {
  py::class_<PythonSplitter>(module, "SentenceSplitter")
      .def(py::init<const py::dict&>())
      .def("split", &PythonSplitter::split)
      .def_property_readonly("identity", &PythonSplitter::identity);
  module.def("clean_wikitext", clean_wikitext);
  define_options(module, "SentenceSplitter", [](Keywords& keywords) { sentence_options(keywords); });
  define_options(module, "clean_wikitext", [](Keywords& keywords) { clean_options(keywords); });
}

}  // namespace bertprep::python
