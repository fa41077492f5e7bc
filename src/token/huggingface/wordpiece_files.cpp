#include "token/huggingface/wordpiece_files.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "bertprep/base/error.h"
#include "io/json.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr const char* kVocabFile = "vocab.txt";

struct SpecialPiece {
  std::string_view text;
  std::uint64_t id;
};
using SpecialPieces = std::array<SpecialPiece, 5>;

// By ascending id.
SpecialPieces special_pieces(const std::vector<std::string_view>& pieces) {
  SpecialPieces specials{{{"[PAD]", 0}, {"[UNK]", 0}, {"[CLS]", 0}, {"[SEP]", 0}, {"[MASK]", 0}}};
  for (SpecialPiece& special : specials) {
    const auto found = std::find(pieces.begin(), pieces.end(), special.text);
    if (found == pieces.end()) {
      throw FormatError("no line is the special piece " + std::string(special.text), kVocabFile);
    }
    special.id = static_cast<std::uint64_t>(found - pieces.begin());
  }
  std::sort(specials.begin(), specials.end(), [](const auto& left, const auto& right) { return left.id < right.id; });
  return specials;
}

// The keys of a JSON object would collide.
void refuse_duplicates(const std::vector<std::string_view>& pieces) {
  std::unordered_set<std::string_view> seen;
  for (const std::string_view piece : pieces) {
    if (seen.insert(piece).second) continue;
    throw FormatError("duplicate piece '" + std::string(piece) + "'", kVocabFile,
                      "each line of a vocabulary must be a different piece");
  }
}

Json text(std::string_view value) {
  return Json::string(std::string(value));
}

// null means: with lower case.
Json accents_json(const WordPieceText& cleaning) {
  return cleaning.strip_accents == cleaning.lower_case ? Json() : Json::boolean(cleaning.strip_accents);
}

Json normalizer_json(const WordPieceText& cleaning) {
  return Json::object()
      .add("type", text("BertNormalizer"))
      .add("clean_text", Json::boolean(true))
      .add("handle_chinese_chars", Json::boolean(true))
      .add("strip_accents", accents_json(cleaning))
      .add("lowercase", Json::boolean(cleaning.lower_case));
}

Json template_part(const char* kind, const char* id, std::uint64_t segment) {
  return Json::object().add(kind, Json::object().add("id", text(id)).add("type_id", Json::number(segment)));
}

Json post_processor_json(const SpecialPieces& specials) {
  const auto part = [](const char* kind, const char* id, std::uint64_t segment) {
    return template_part(kind, id, segment);
  };
  Json single = Json::array();
  single.push(part("SpecialToken", "[CLS]", 0)).push(part("Sequence", "A", 0)).push(part("SpecialToken", "[SEP]", 0));
  Json pair = single;
  pair.push(part("Sequence", "B", 1)).push(part("SpecialToken", "[SEP]", 1));
  Json tokens = Json::object();
  for (const std::string_view name : {"[CLS]", "[SEP]"}) {
    const auto special =
        std::find_if(specials.begin(), specials.end(), [&](const auto& one) { return one.text == name; });
    tokens.add(std::string(name), Json::object()
                                      .add("id", text(name))
                                      .add("ids", Json::array().push(Json::number(special->id)))
                                      .add("tokens", Json::array().push(text(name))));
  }
  return Json::object()
      .add("type", text("TemplateProcessing"))
      .add("single", std::move(single))
      .add("pair", std::move(pair))
      .add("special_tokens", std::move(tokens));
}

Json model_json(const std::vector<std::string_view>& pieces) {
  Json vocab = Json::object();
  for (std::size_t id = 0; id < pieces.size(); ++id) vocab.add(std::string(pieces[id]), Json::number(id));
  return Json::object()
      .add("type", text("WordPiece"))
      .add("unk_token", text("[UNK]"))
      .add("continuing_subword_prefix", text("##"))
      .add("max_input_chars_per_word", Json::number(100))
      .add("vocab", std::move(vocab));
}

std::string tokenizer_json(const std::vector<std::string_view>& pieces, const SpecialPieces& specials,
                           const WordPieceText& cleaning) {
  Json added = Json::array();
  for (const SpecialPiece& special : specials) added.push(added_token_json(special.id, special.text, {}));
  return Json::object()
      .add("version", text("1.0"))
      .add("truncation", Json())
      .add("padding", Json())
      .add("added_tokens", std::move(added))
      .add("normalizer", normalizer_json(cleaning))
      .add("pre_tokenizer", Json::object().add("type", text("BertPreTokenizer")))
      .add("post_processor", post_processor_json(specials))
      .add("decoder",
           Json::object().add("type", text("WordPiece")).add("prefix", text("##")).add("cleanup", Json::boolean(true)))
      .add("model", model_json(pieces))
      .dump();
}

std::string config_json(const SpecialPieces& specials, const WordPieceText& cleaning, std::int64_t max_tokens) {
  Json decoder = Json::object();
  for (const SpecialPiece& special : specials) {
    decoder.add(std::to_string(special.id), decoder_token_json(special.text, {}));
  }
  return Json::object()
      .add("clean_up_tokenization_spaces", Json::boolean(true))
      .add("cls_token", text("[CLS]"))
      .add("do_basic_tokenize", Json::boolean(true))
      .add("do_lower_case", Json::boolean(cleaning.lower_case))
      .add("mask_token", text("[MASK]"))
      .add("model_max_length", Json::number(static_cast<std::uint64_t>(max_tokens)))
      .add("never_split", Json())
      .add("pad_token", text("[PAD]"))
      .add("sep_token", text("[SEP]"))
      .add("strip_accents", accents_json(cleaning))
      .add("tokenize_chinese_chars", Json::boolean(true))
      .add("tokenizer_class", text("BertTokenizer"))
      .add("unk_token", text("[UNK]"))
      .add("added_tokens_decoder", std::move(decoder))
      .dump();
}

std::string special_tokens_json() {
  Json map = Json::object();
  for (const char* role : {"cls", "mask", "pad", "sep", "unk"}) {
    std::string piece(role);
    std::transform(piece.begin(), piece.end(), piece.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
    map.add(std::string(role) + "_token", text("[" + piece + "]"));
  }
  return map.dump();
}

}  // namespace

std::vector<TokenizerFile> wordpiece_files(std::string_view vocab, const WordPieceText& cleaning,
                                           std::int64_t max_tokens) {
  const std::vector<std::string_view> pieces = split_stripped_lines(vocab);
  refuse_duplicates(pieces);
  const SpecialPieces specials = special_pieces(pieces);
  return {{kVocabFile, std::string(vocab)},
          {"tokenizer.json", tokenizer_json(pieces, specials, cleaning)},
          {"tokenizer_config.json", config_json(specials, cleaning, max_tokens)},
          {"special_tokens_map.json", special_tokens_json()}};
}

}  // namespace bertprep
