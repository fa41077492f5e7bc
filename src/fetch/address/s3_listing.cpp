#include "fetch/address/s3_listing.h"

#include <expat.h>

#include <memory>

#include "base/number_text.h"
#include "bertprep/base/error.h"

namespace bertprep {
namespace {

class PageReader {
 public:
  static void XMLCALL begin(void* data, const XML_Char* name, const XML_Char** /*attributes*/) {
    auto& self = *static_cast<PageReader*>(data);
    self.text_.clear();
    if (self.depth_++ == 0) self.root_ = name;
    if (std::string_view(name) == "Contents") self.page.objects.emplace_back();
  }

  static void XMLCALL characters(void* data, const XML_Char* text, int size) {
    static_cast<PageReader*>(data)->text_.append(text, static_cast<std::size_t>(size));
  }

  static void XMLCALL end(void* data, const XML_Char* name) {
    auto& self = *static_cast<PageReader*>(data);
    self.take(name);
    self.text_.clear();
    --self.depth_;
  }

  bool is_known() const { return root_ == "ListBucketResult" || root_ == "Error"; }

  S3Page page;

 private:
  void take(std::string_view name) {
    if (depth_ == 3 && !page.objects.empty()) {
      if (name == "Key") page.objects.back().key = text_;
      if (name == "Size") page.objects.back().size_bytes = number_in<std::uint64_t>(text_).value_or(0);
    }
    if (depth_ != 2) return;
    if (name == "NextContinuationToken") page.next = text_;
    if (name == "Code") page.code = text_;
    if (name == "Region") page.region = text_;
  }

  std::string root_;
  std::string text_;
  int depth_ = 0;
};

}  // namespace

S3Page parse_s3_page(std::string_view xml, const std::string& where) {
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate(nullptr), &XML_ParserFree);
  if (!parser) throw std::bad_alloc();
  PageReader reader;
  XML_SetUserData(parser.get(), &reader);
  XML_SetElementHandler(parser.get(), &PageReader::begin, &PageReader::end);
  XML_SetCharacterDataHandler(parser.get(), &PageReader::characters);
  const bool is_xml = XML_Parse(parser.get(), xml.data(), static_cast<int>(xml.size()), XML_TRUE) == XML_STATUS_OK;
  if (!is_xml || !reader.is_known()) {
    throw FormatError("answers with something else than S3 does", where,
                      "check the address, and AWS_ENDPOINT_URL if it is set");
  }
  return reader.page;
}

}  // namespace bertprep
