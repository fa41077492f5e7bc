#include "token/huggingface/tokenizer_file.h"

namespace bertprep {

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
