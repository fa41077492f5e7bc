#include "wiki/dump_templates.h"

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "io/output_file.h"
#include "io/pending_file.h"
#include "wiki/dump_reader.h"
#include "wiki/template_file.h"
#include "wiki/template_store.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemplateSpace = "10";
constexpr std::string_view kModuleSpace = "828";

// Defines the templates of the dumps and writes them to the file, unless the dumps are damaged: the next call would
// take what is left of them for all.
void collect_templates(const fs::path& file, std::span<const fs::path> dumps, const TaskRunner& runner,
                       TemplateStore& store) {
  PendingFile pending(file, file.parent_path().empty() ? "." : file.parent_path());
  OutputFile out(pending.path());
  Rejects rejects(false, [](const auto&, const auto&, auto) {});
  DumpReader reader(dumps, {}, rejects, runner);
  std::string text;
  try {
    for (DumpPage page; reader.next(page);) {
      if (page.name_space != kTemplateSpace && page.name_space != kModuleSpace) continue;
      store.define(page.page.title, page.page.text);
      text.clear();
      append_template_page(page.page, page.name_space, text);
      out.write(text);
    }
  } catch (const FormatError&) {
    return;  // a dump that is damaged says so when its articles are read
  }
  out.finish();
  pending.publish();
}

}  // namespace

std::shared_ptr<const TemplateStore> load_templates(const fs::path& file, std::span<const fs::path> dumps,
                                                    const TaskRunner& runner) {
  if (file.empty()) return nullptr;
  auto store = std::make_shared<TemplateStore>();
  if (fs::exists(file)) {
    read_template_file(read_file(file), file, *store);
  } else {
    collect_templates(file, dumps, runner, *store);
  }
  return store;
}

}  // namespace bertprep
