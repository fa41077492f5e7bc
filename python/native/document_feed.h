// DocumentFeed: the documents of an iterable of Python, in batches.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/source/document_source.h"
#include "bertprep/source/open_source.h"
#include "served_call.h"

namespace bertprep::python {

// UTF-8 of a str. Throws TypeError; FormatError for half of a surrogate pair. `what` names the text in messages.
std::string utf8_of(PyObject* text, const std::string& what);
[[noreturn]] void throw_no_utf8(PyObject* text, const std::string& what);
// The same as the str keeps it from now on, as long as it lives; name_of() names the text.
template <class NameOf>
std::string_view utf8_view(PyObject* text, NameOf&& name_of) {
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_Check(text) == 0 ? nullptr : PyUnicode_AsUTF8AndSize(text, &size);
  if (bytes == nullptr) throw_no_utf8(text, name_of());
  return {bytes, static_cast<std::size_t>(size)};
}

class DocumentFeed final : public DocumentSource {
 public:
  // Documents are str, (title, text), mappings with the text at `text_field`, or objects with a `text`; `line_breaks`
  // are as of records. `call` must outlive it. Both with the interpreter's lock.
  DocumentFeed(const py::object& documents, const SourceOptions& options, ServedCall& call);

  // In the thread of the call's work.
  bool next(Document& document) override;

 private:
  void fill();
  Document document_of(const py::object& item) const;
  std::string name() const;

  py::iterator documents_;
  std::string text_field_;
  ArticleLayout layout_;
  ServedCall& call_;
  std::uint64_t number_ = 0;  // of the document being read, from 1
  std::vector<Document> batch_;
  std::size_t next_ = 0;
  bool is_over_ = false;
};

}  // namespace bertprep::python
