// BytePairModel: what the files of a byte-level BPE tokenizer say, checked.
//
// Source of the algorithm: Radford et al. 2019, "Language Models are Unsupervised Multitask Learners" (GPT-2), in the
// files of HuggingFace's tokenizers: docs/formats/byte-pairs.md.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bertprep/token/text_encoder.h"
#include "bertprep/token/vocab.h"

namespace bertprep {

// A text that is found as a whole, before any other rule.
struct AddedToken {
  TokenId id = 0;
  std::string content;
  bool lstrip = false;      // takes the white space in front of it
  bool rstrip = false;      // and behind it
  bool normalized = false;  // is looked for in normalized text
  bool special = false;     // a control token
};

// Two neighbours that become one.
struct Merge {
  TokenId left = 0;
  TokenId right = 0;
  TokenId merged = 0;
};

// How the files spell bytes: a letter for each, so that no token holds white space or a control. Printable characters
// of Latin-1 stand for themselves, the 68 others in order for U+0100 and those behind it.
std::array<std::string, 256> byte_letters();

struct BytePairModel {
  std::vector<std::string> tokens;  // by id, as the file spells them; empty where no token has the id
  std::size_t vocab_entries = 0;    // of them, those of the model: not only added
  std::vector<Merge> merges;        // the best first
  std::vector<AddedToken> added;
  bool nfc = false;               // normalizes text
  bool add_prefix_space = false;  // a text starts with a blank as the words in it do
  SpecialIds specials;
  std::string name;    // of the file or folder, without folders
  std::string sha256;  // of tokenizer.json; of vocab.json and merges.txt, one behind the other
  // The files as they were read: tokenizer.json, else the other two; empty for those that were not.
  std::string tokenizer_json, vocab_json, merges_txt;
  // tokenizer_config.json beside it, as it was read; empty when there was none.
  std::string config_json;
};

// Token -> id, for those who build a model.
class TokenIds {
 public:
  // Throws FormatError when the token already exists, or the id has another token; `where` names the place.
  void add(const std::string& token, TokenId id, const std::string& where);
  // nullptr when there is none.
  const TokenId* find(const std::string& token) const;
  std::size_t size() const { return by_token_.size(); }
  // By id.
  std::vector<std::string> tokens() const { return by_id_; }

 private:
  std::unordered_map<std::string, TokenId> by_token_;
  std::vector<std::string> by_id_;
};

// The merge of two tokens, which must be in the vocabulary as must be what they make.
Merge merge_of(const std::string& left, const std::string& right, const TokenIds& ids, const std::string& where);

// Throws FormatError unless every byte of UTF-8 has a token of its own and no pair is merged twice.
void check_model(const BytePairModel& model, const TokenIds& ids, const std::string& where);

}  // namespace bertprep
