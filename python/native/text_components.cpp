#include "text_components.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/error.h"
#include "document_feed.h"
#include "pipeline/ignored_options.h"
#include "pipeline/records/dataset_vocab.h"

namespace bertprep::python {
namespace {

std::string text_attribute(const py::object& function, const char* attribute, const char* role) {
  if (!PyCallable_Check(function.ptr())) throw_type_error(std::string(role) + " must be callable");
  if (!py::hasattr(function, attribute)) {
    throw_type_error(std::string(role) + " has no " + attribute +
                     "; name it: bertprep.component(\"my-rules\", \"1\")(function)");
  }
  return py::str(function.attr(attribute));
}

// What all roles share. Destroyed with the interpreter's lock, by the call that made it.
template <class Role>
class Component : public Role {
 public:
  Component(const py::object& given, const char* role, ServedCall& served)
      : function_(given),
        name_(text_attribute(given, "name", role)),
        version_(text_attribute(given, "version", role)),
        call_(served) {}
  std::string name() const override { return name_; }
  std::string version() const override { return version_; }

 protected:
  // Runs `use` with the lock. An exception of Python ends the call.
  template <class Use>
  void with_lock(Use&& use) const {
    const py::gil_scoped_acquire lock;
    try {
      use();
    } catch (const Error&) {
      throw;
    } catch (...) {
      call_.fail();
    }
  }

  const py::object function_;

 private:
  std::string name_;
  std::string version_;
  ServedCall& call_;
};

class Splitter final : public Component<SentenceSplitter> {
 public:
  Splitter(const py::object& function, ServedCall& call) : Component(function, "splitter", call) {}

  void split(std::string_view article, std::vector<std::string_view>& sentences) const override {
    sentences.clear();
    with_lock([&] {
      std::size_t from = 0;
      for (const py::handle& item : function_(py::str(article.data(), article.size()))) {
        const std::string sentence = utf8_of(item.ptr(), "a sentence of the splitter '" + name() + "'");
        const std::size_t at = article.find(sentence, from);
        if (at == std::string_view::npos) {
          throw FormatError(
              "the splitter returned '" + sentence.substr(0, 60) + "', which is not in the rest of the text", name(),
              "return the sentences as they are, in order");
        }
        sentences.push_back(article.substr(at, sentence.size()));
        from = at + sentence.size();
      }
    });
  }
};

class Normalizer final : public Component<TextNormalizer> {
 public:
  Normalizer(const py::object& function, ServedCall& call) : Component(function, "normalizer", call) {}

  void normalize(std::string& text) const override {
    with_lock([&] {
      const py::object changed = function_(py::str(text));
      text = utf8_of(changed.ptr(), "the text of the normalizer '" + name() + "'");
    });
  }
};

class Pieces final : public Component<SentenceTokenizer> {
 public:
  Pieces(const py::object& function, ServedCall& call) : Component(function, "tokenizer", call) {}

  void encode(std::string_view sentence, std::vector<TokenId>& ids) const override {
    with_lock([&] {
      for (const py::handle& id : function_(py::str(sentence.data(), sentence.size()))) {
        const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(id.ptr()));
        if (!index) throw py::error_already_set();
        const long number = PyLong_AsLong(index.ptr());
        if (PyErr_Occurred() != nullptr) throw py::error_already_set();
        // No vocabulary has an id beyond these, and the library refuses them.
        ids.push_back(static_cast<TokenId>(std::clamp(number, -1L, long{INT32_MAX})));
      }
    });
  }
};

template <class Role>
std::shared_ptr<const Role> made_of(const py::object& given, ServedCall& call) {
  return given.is_none() ? nullptr : std::make_shared<const Role>(given, call);
}

}  // namespace

TextEncoder open_encoder(std::span<const GivenOption> given, const std::string& vocab, const EncoderOptions& options,
                         TokenizerOptions& tokenizer, Progress& progress, bool fits_case) {
  const GivenText text = given_text(given);
  adopt_vocab_text(text, vocab, tokenizer, progress);
  TextEncoder encoder = TextEncoder::open(vocab, options, tokenizer);
  refuse_ignored_options(given, encoder);
  if (const Vocab* pieces = encoder.wordpiece()) {
    if (fits_case) require_fitting_case(vocab, tokenizer, encoder.sha256());
    require_reachable_pieces(text, vocab, *pieces, tokenizer, progress);
  }
  return encoder;
}

std::shared_ptr<const TextNormalizer> normalizer_of(const py::object& given, ServedCall& call) {
  return made_of<Normalizer>(given, call);
}

void Components::set(PipelineOptions& options, ServedCall& call) const {
  options.sentences.custom = made_of<Splitter>(splitter, call);
  options.normalizer = made_of<Normalizer>(normalizer, call);
  options.tokenizer.custom = made_of<Pieces>(tokenizer, call);
}

}  // namespace bertprep::python
