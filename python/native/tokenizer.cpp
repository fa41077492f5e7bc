// Tokenizer: TextEncoder for several threads of Python, with numpy arrays.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <filesystem>
#include <mutex>
#include <numeric>
#include <optional>

#include "bertprep/base/error.h"
#include "bertprep/token/text_encoder.h"
#include "bindings.h"
#include "document_feed.h"
#include "keywords.h"
#include "pipeline/work/workers.h"
#include "text_components.h"

namespace bertprep::python {
namespace {

// The vector as an array, without a copy.
template <class T>
py::array_t<T> array_of(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  const py::capsule owner(kept, [](void* pointer) { delete static_cast<std::vector<T>*>(pointer); });
  return py::array_t<T>(static_cast<py::ssize_t>(kept->size()), kept->data(), owner);
}

struct EncodedPart {
  std::vector<TokenId> ids;
  std::vector<std::int64_t> lengths;
};

class PythonTokenizer {
 public:
  PythonTokenizer(const py::object& vocab, const py::dict& given) {
    Keywords keywords(given);
    keywords.set(tokenizer_);
    keywords.set(encoder_);
    keywords.require_all_known("Tokenizer");
    vocab_ = path_of(vocab, "vocab");
    Progress silent;
    model_.emplace(open_encoder(keywords.given(), vocab_, encoder_, tokenizer_, silent, true));
  }

  py::array_t<TokenId> encode(const py::object& text) {
    const std::string_view view = utf8_view(text.ptr(), [] { return "text"; });
    std::vector<TokenId> ids;
    {
      const py::gil_scoped_release released;
      Borrowed(*this)->encode(view, ids);
    }
    return array_of(std::move(ids));
  }

  py::tuple encode_batch(const py::object& texts, std::size_t threads) {
    if (py::isinstance<py::str>(texts)) throw_type_error("texts must be a list of str; encode() takes one");
    const py::tuple kept = texts;  // other threads may change a list meanwhile
    std::vector<std::string_view> views(kept.size());
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < views.size(); ++i) {
      PyObject* const text = PyTuple_GET_ITEM(kept.ptr(), static_cast<Py_ssize_t>(i));
      views[i] = utf8_view(text, [&] { return "text " + std::to_string(i); });
      bytes += views[i].size();
    }
    EncodedPart whole;
    {
      const py::gil_scoped_release released;
      whole = encode_all(views, bytes, threads);
    }
    return py::make_tuple(array_of(std::move(whole.ids)), array_of(std::move(whole.lengths)));
  }

  std::size_t size() const { return model_->size(); }
  std::string token(std::int64_t id) const {
    if (id < 0 || static_cast<std::size_t>(id) >= size()) {
      throw py::index_error("there is no id " + std::to_string(id) + ": the vocabulary has " + std::to_string(size()));
    }
    return std::string(model_->token(static_cast<TokenId>(id)));
  }
  std::string name() const { return model_->name(); }
  std::string sha256() const { return model_->sha256(); }
  bool lower_case() const { return tokenizer_.lower_case; }

  py::dict specials() const {
    py::dict found;
    const SpecialIds& ids = model_->specials();
    const std::initializer_list<std::pair<const char*, std::optional<TokenId>>> all = {
        {"cls", ids.cls}, {"sep", ids.sep}, {"pad", ids.pad}, {"mask", ids.mask}, {"unk", ids.unk}, {"eod", ids.eod}};
    for (const auto& [name, id] : all) {
      if (id) found[name] = *id;
    }
    return found;
  }

  // For pickle: the arguments that make it again, and the digest that it must then have.
  py::tuple state() const {
    py::dict options;
    if (model_->wordpiece() != nullptr) {
      options["lower_case"] = tokenizer_.lower_case;
      options["strip_accents"] = value_of(tokenizer_, "strip-accents");
    } else {
      options["special_in_text"] = value_of(encoder_, "special-in-text");
    }
    std::error_code error;
    const bool is_path = std::filesystem::exists(vocab_, error);
    return py::make_tuple(is_path ? std::filesystem::absolute(vocab_).string() : vocab_, options, sha256());
  }
  static std::unique_ptr<PythonTokenizer> restored(const py::tuple& state) {
    auto made = std::make_unique<PythonTokenizer>(state[0], state[1].cast<py::dict>());
    if (made->sha256() == state[2].cast<std::string>()) return made;
    throw FormatError("is another vocabulary than that of the pickled tokenizer", made->vocab_);
  }

 private:
  // An encoder for one thread, from those that are free.
  class Borrowed {
   public:
    explicit Borrowed(PythonTokenizer& owner) : owner_(owner), encoder_(owner.take()) {}
    ~Borrowed() { owner_.give_back(std::move(encoder_)); }
    TextEncoder* operator->() { return encoder_.get(); }

   private:
    PythonTokenizer& owner_;
    std::unique_ptr<TextEncoder> encoder_;
  };

  std::unique_ptr<TextEncoder> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<TextEncoder>(model_->clone());
    auto encoder = std::move(free_.back());
    free_.pop_back();
    return encoder;
  }
  void give_back(std::unique_ptr<TextEncoder> encoder) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(encoder));
  }

  template <class Options>
  static std::string value_of(const Options& options, std::string_view name) {
    for (const auto& field : fields_of<Options>()) {
      if (field.name == name) return bertprep::value_of(options, field).value;
    }
    return {};
  }

  // The lengths become the ends of the texts, after a first 0.
  EncodedPart encode_all(const std::vector<std::string_view>& views, std::size_t bytes, std::size_t threads) {
    constexpr std::size_t kBytesOfThread = std::size_t{1} << 18U;
    constexpr std::size_t kBytesOfId = 4;  // of English, a little less than it has
    const std::size_t workers = std::clamp<std::size_t>(bytes / kBytesOfThread, 1, resolve_threads(threads));
    std::vector<EncodedPart> parts(workers);
    std::vector<std::size_t> ends(workers, views.size());
    for (std::size_t i = 0, part = 0, before = 0; i < views.size() && part + 1 < workers; ++i) {
      before += views[i].size();
      if (before * workers >= bytes * (part + 1)) ends[part++] = i + 1;
    }
    Progress silent;
    for_each_task(workers, workers, silent, [&](std::size_t part) {
      Borrowed encoder(*this);
      parts[part].ids.reserve(bytes / workers / kBytesOfId);
      for (std::size_t i = part == 0 ? 0 : ends[part - 1]; i < ends[part]; ++i) {
        const std::size_t tokens = encoder->encode(views[i], parts[part].ids);
        parts[part].lengths.push_back(static_cast<std::int64_t>(tokens));
      }
    });
    EncodedPart whole = std::move(parts.front());
    for (std::size_t part = 1; part < workers; ++part) {
      whole.ids.insert(whole.ids.end(), parts[part].ids.begin(), parts[part].ids.end());
      whole.lengths.insert(whole.lengths.end(), parts[part].lengths.begin(), parts[part].lengths.end());
    }
    whole.lengths.insert(whole.lengths.begin(), 0);
    std::partial_sum(whole.lengths.begin(), whole.lengths.end(), whole.lengths.begin());
    return whole;
  }

  std::string vocab_;
  TokenizerOptions tokenizer_;
  EncoderOptions encoder_;
  std::optional<TextEncoder> model_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<TextEncoder>> free_;
};

}  // namespace

void bind_tokenizer(py::module_& module) {
  py::class_<PythonTokenizer>(module, "Tokenizer", "Text to ids: see bertprep.Tokenizer.")
      .def(py::init<const py::object&, const py::dict&>())
      .def("encode", &PythonTokenizer::encode)
      .def("encode_batch", &PythonTokenizer::encode_batch)
      .def("__len__", &PythonTokenizer::size)
      .def("token", &PythonTokenizer::token)
      .def_property_readonly("name", &PythonTokenizer::name)
      .def_property_readonly("sha256", &PythonTokenizer::sha256)
      .def_property_readonly("lower_case", &PythonTokenizer::lower_case)
      .def_property_readonly("specials", &PythonTokenizer::specials)
      .def(py::pickle([](const PythonTokenizer& tokenizer) { return tokenizer.state(); }, &PythonTokenizer::restored));
  define_options(module, "Tokenizer", [](Keywords& keywords) {
    TokenizerOptions tokenizer;
    EncoderOptions encoder;
    keywords.set(tokenizer);
    keywords.set(encoder);
  });
}

}  // namespace bertprep::python
