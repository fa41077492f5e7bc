// Arbitrary bytes as origins, and as lines for frames: refused, or lines without line feeds; frames give back their
// lines.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "fuzz/fuzz_targets.h"
#include "pipeline/stages/origins_file.h"
#include "support/temp_folder.h"

namespace {

constexpr std::uint64_t kMaxLines = 20;

std::filesystem::path file_of(const std::string& bytes) {
  static const bertprep::test::TempFolder temp;
  return temp.write("origins", bytes);
}

void check_file(const std::string& bytes) {
  try {
    const bertprep::OriginsFile origins(file_of(bytes));
    for (std::uint64_t article = 0; article < std::min(origins.articles(), kMaxLines); ++article) {
      require(origins.line(article).find('\n') == std::string::npos);
    }
  } catch (const bertprep::FormatError&) {
  }
}

// One frame for each run of lines that begins with an empty one.
void check_lines(const std::string& bytes) {
  std::vector<std::string> lines;
  std::string block;
  std::string framed;
  std::uint64_t articles = 0;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    lines.push_back(bytes.substr(begin, end - begin));
    block += lines.back() + "\n";
    ++articles;
    begin = end + 1;
    if (!lines.back().empty() && begin < bytes.size()) continue;
    bertprep::append_origins_frame(block, articles, framed);
    block.clear();
    articles = 0;
  }
  if (framed.empty()) return;
  const bertprep::OriginsFile origins(file_of(framed));
  require(origins.articles() == lines.size());
  for (std::size_t article = 0; article < lines.size(); ++article) require(origins.line(article) == lines[article]);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  check_file(bytes);
  check_lines(bytes);
  return 0;
}
