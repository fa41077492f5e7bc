#include "bertprep/token/text_encoder.h"

#include "base/fields.h"
#include "token/bpe/byte_pair_encoder.h"
#include "token/bpe/byte_pair_files.h"
#include "token/tokenizer_files.h"

namespace bertprep {

namespace {

using AnyTokenizer = std::variant<Tokenizer, BytePairEncoder>;

TokenizerOptions wordpiece_options(const std::string& name_or_path, const Vocab& vocab,
                                   const std::optional<TokenizerOptions>& given) {
  auto said = text_of_files(name_or_path, vocab.sha256());
  if (!said) said = configured_text(pieces_file(name_or_path));
  if (!said) return given.value_or(TokenizerOptions());
  if (!given) return options_of_said_text(*said);
  require_said_text(name_or_path, *said, *given);
  return *given;
}

}  // namespace

FieldList<EncoderOptions> fields_of(const EncoderOptions* /*options*/) {
  static const Field<EncoderOptions> kFields[] = {
      {.name = "special-in-text",
       .member = enum_member<&EncoderOptions::special_in_text>,
       .unit = "",
       .help = "byte-level BPE: how to read a control token spelled out in the text, such as <|endoftext|>: as plain "
               "text, or as the control token",
       .choices = "text|control"},
  };
  return {kFields, OptionGroup::kText};
}

bool is_byte_pair_path(const std::string& name_or_path) {
  namespace fs = std::filesystem;
  const fs::path path(name_or_path);
  std::error_code error;
  if (path.filename() == "merges.txt" && !fs::is_directory(path, error)) return true;
  const bool may_be = fs::is_directory(path, error)
                          ? fs::exists(path / "tokenizer.json", error) || fs::exists(path / "vocab.json", error)
                          : path.extension() == ".json";
  return may_be && !is_wordpiece_path(path);
}

struct TextEncoder::Parts {
  std::shared_ptr<const Vocab> vocab;  // of a WordPiece tokenizer
  SpecialIds specials;
  AnyTokenizer tokenizer;
};

TextEncoder TextEncoder::open(const std::string& name_or_path, const EncoderOptions& options,
                              const std::optional<TokenizerOptions>& wordpiece) {
  validate(options);
  if (is_byte_pair_path(name_or_path)) {
    auto model = std::make_shared<const BytePairModel>(read_byte_pairs(name_or_path));
    const SpecialIds specials = model->specials;
    return TextEncoder(
        std::make_unique<Parts>(Parts{nullptr, specials, BytePairEncoder(std::move(model), options.special_in_text)}));
  }
  auto vocab = std::make_shared<const Vocab>(load_vocab(name_or_path));
  const SpecialIds specials{.cls = vocab->cls(),
                            .sep = vocab->sep(),
                            .pad = vocab->pad(),
                            .mask = vocab->mask(),
                            .unk = vocab->unk(),
                            .eod = {}};
  Tokenizer tokenizer(*vocab, wordpiece_options(name_or_path, *vocab, wordpiece));
  return TextEncoder(std::make_unique<Parts>(Parts{std::move(vocab), specials, std::move(tokenizer)}));
}

TextEncoder::TextEncoder(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
TextEncoder::~TextEncoder() = default;
TextEncoder::TextEncoder(TextEncoder&&) noexcept = default;

TextEncoder TextEncoder::clone() const {
  auto cloned = std::visit([](const auto& one) { return AnyTokenizer(one.clone()); }, parts_->tokenizer);
  return TextEncoder(std::make_unique<Parts>(Parts{parts_->vocab, parts_->specials, std::move(cloned)}));
}

std::size_t TextEncoder::encode(std::string_view text, std::vector<TokenId>& ids) {
  const std::size_t before = ids.size();
  std::visit([&](auto& one) { one.encode(text, ids); }, parts_->tokenizer);
  return ids.size() - before;
}

const Vocab* TextEncoder::wordpiece() const {
  return parts_->vocab.get();
}

const BytePairModel* TextEncoder::byte_pairs() const {
  const auto* encoder = std::get_if<BytePairEncoder>(&parts_->tokenizer);
  return encoder == nullptr ? nullptr : &encoder->model();
}

std::size_t TextEncoder::size() const {
  return parts_->vocab ? parts_->vocab->size() : byte_pairs()->tokens.size();
}

const SpecialIds& TextEncoder::specials() const {
  return parts_->specials;
}

std::string_view TextEncoder::token(TokenId id) const {
  return parts_->vocab ? parts_->vocab->piece(id) : byte_pairs()->tokens[static_cast<std::size_t>(id)];
}

std::string TextEncoder::sha256() const {
  return parts_->vocab ? parts_->vocab->sha256() : byte_pairs()->sha256;
}

const std::string& TextEncoder::name() const {
  return parts_->vocab ? parts_->vocab->name() : byte_pairs()->name;
}

}  // namespace bertprep
