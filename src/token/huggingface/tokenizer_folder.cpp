#include "token/huggingface/tokenizer_folder.h"

#include "base/address.h"
#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "io/pending_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// It may have been edited, or belong to another model.
void refuse_other(const fs::path& file, const std::string& bytes, bool replace) {
  if (!fs::exists(fs::symlink_status(file))) return;
  if (!fs::is_regular_file(file)) throw FormatError("is not a file", file, "give another folder");
  if (replace || read_file(file) == bytes) return;
  throw FormatError("exists with other content", file, "give `force` to replace it, or another folder");
}

}  // namespace

void write_tokenizer_folder(const fs::path& folder, std::span<const TokenizerFile> files, bool replace) {
  refuse_address(folder.native());
  for (const TokenizerFile& file : files) refuse_other(folder / file.name, file.bytes, replace);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError::from_errno("can't be created", folder, error.value());
  remove_abandoned_files(folder);
  for (const TokenizerFile& file : files) publish_durably(folder / file.name, folder, file.bytes);
}

Json added_token_json(std::uint64_t id, std::string_view content, const TokenFlags& flags) {
  return Json::object()
      .add("id", Json::number(id))
      .add("content", Json::string(std::string(content)))
      .add("single_word", Json::boolean(false))
      .add("lstrip", Json::boolean(flags.lstrip))
      .add("rstrip", Json::boolean(flags.rstrip))
      .add("normalized", Json::boolean(flags.normalized))
      .add("special", Json::boolean(flags.special));
}

Json decoder_token_json(std::string_view content, const TokenFlags& flags) {
  return Json::object()
      .add("content", Json::string(std::string(content)))
      .add("lstrip", Json::boolean(flags.lstrip))
      .add("normalized", Json::boolean(flags.normalized))
      .add("rstrip", Json::boolean(flags.rstrip))
      .add("single_word", Json::boolean(false))
      .add("special", Json::boolean(flags.special));
}

}  // namespace bertprep
