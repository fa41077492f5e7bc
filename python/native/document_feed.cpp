#include "document_feed.h"

#include "bertprep/base/error.h"
#include "errors.h"

namespace bertprep::python {
namespace {

// One lock of the interpreter is taken for so much.
constexpr std::size_t kMaxDocuments = 512;
constexpr std::size_t kMaxBytes = std::size_t{1} << 20U;

std::string type_name(const py::handle& value) {
  return py::str(py::type::handle_of(value).attr("__name__"));
}

py::iterator iterate(const py::object& documents) {
  if (!py::isinstance<py::str>(documents) && !py::isinstance<py::bytes>(documents)) return py::iter(documents);
  throw_type_error("one " + type_name(documents) +
                   " is no list of documents; give [text] for one document, or input= for files");
}

ArticleLayout layout_of(LineBreaks breaks) {
  if (breaks == LineBreaks::kLine) return ArticleLayout::kLines;
  return breaks == LineBreaks::kSpace ? ArticleLayout::kJoined : ArticleLayout::kParagraphs;
}

}  // namespace

std::string utf8_of(PyObject* text, const std::string& what) {
  if (PyUnicode_Check(text) != 0 && PyUnicode_IS_COMPACT_ASCII(text) != 0) {
    return std::string(utf8_view(text, [&] { return what; }));
  }
  if (PyUnicode_Check(text) == 0) throw_no_utf8(text, what);
  const auto bytes = py::reinterpret_steal<py::bytes>(PyUnicode_AsUTF8String(text));
  if (!bytes) throw_no_utf8(text, what);
  return bytes;
}

void throw_no_utf8(PyObject* text, const std::string& what) {
  if (PyUnicode_Check(text) == 0) throw_type_error(what + " must be str, not " + type_name(text));
  py::error_already_set error;
  if (!error.matches(PyExc_UnicodeEncodeError)) throw error;
  throw FormatError("half of a surrogate pair at character " + std::string(py::str(error.value().attr("start"))) +
                        ", which UTF-8 can't hold",
                    what, "replace it: text.encode('utf-8', 'replace').decode()");
}

DocumentFeed::DocumentFeed(const py::object& documents, const SourceOptions& options, ServedCall& call)
    : documents_(iterate(documents)),
      text_field_(options.text_field),
      layout_(layout_of(line_breaks_of(InputFormat::kJsonl, options))),
      call_(call) {}

bool DocumentFeed::next(Document& document) {
  if (next_ == batch_.size()) {
    if (is_over_) return false;
    call_.ask([this] { fill(); });
    if (batch_.empty()) return false;
  }
  document = std::move(batch_[next_++]);
  return true;
}

void DocumentFeed::fill() {
  batch_.clear();
  next_ = 0;
  for (std::size_t bytes = 0; batch_.size() < kMaxDocuments && bytes < kMaxBytes;) {
    const auto item = py::reinterpret_steal<py::object>(PyIter_Next(documents_.ptr()));
    if (!item) {
      if (PyErr_Occurred() != nullptr) throw py::error_already_set();
      is_over_ = true;
      return;
    }
    ++number_;
    batch_.push_back(document_of(item));
    bytes += batch_.back().text.size();
  }
}

std::string DocumentFeed::name() const {
  return "document " + std::to_string(number_);
}

Document DocumentFeed::document_of(const py::object& item) const {
  Document document;
  document.layout = layout_;
  if (PyUnicode_Check(item.ptr()) != 0) {
    document.text = utf8_of(item.ptr(), name());
    return document;
  }
  py::object title = py::none();
  py::object text;
  if (py::isinstance<py::tuple>(item)) {
    if (py::len(item) != 2) throw_type_error(name() + ": a tuple must be (title, text)");
    title = item[py::int_(0)];
    text = item[py::int_(1)];
  } else if (py::hasattr(item, "keys") && py::hasattr(item, "__getitem__")) {
    if (!item.contains(text_field_)) {
      throw FormatError(
          "has no field '" + text_field_ + "', but " + std::string(py::repr(py::list(item.attr("keys")()))), name(),
          "say which one has the text: text_field=");
    }
    text = item[py::str(text_field_)];
    if (item.contains("title")) title = item["title"];
  } else if (py::hasattr(item, "text")) {
    text = item.attr("text");
    title = py::getattr(item, "title", py::none());
  } else {
    throw_type_error(name() + " must be str, (title, text) or a dict, not " + type_name(item));
  }
  document.text = utf8_of(text.ptr(), name());
  if (!title.is_none()) document.title = utf8_of(title.ptr(), name() + ", its title");
  return document;
}

}  // namespace bertprep::python
