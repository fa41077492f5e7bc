// BytePairModel: the checked content of a byte-level BPE tokenizer's files.
//
// Source of the algorithm: Radford et al. 2019, "Language Models are Unsupervised Multitask Learners" (GPT-2), in the
// files of HuggingFace's tokenizers: docs/formats/byte-pairs.md.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "bertprep/token/text_encoder.h"
#include "token/huggingface/tokenizer_folder.h"

namespace bertprep {

// Two neighbouring tokens that become one.
struct Merge {
  TokenId left = 0;
  TokenId right = 0;
  TokenId merged = 0;
};

// How the files spell bytes: a letter for each, so that no token contains white space or a control. Printable
// characters of Latin-1 represent themselves; the 68 other bytes, in order, are U+0100 and up.
std::array<std::string, 256> byte_letters();

struct BytePairModel {
  std::vector<std::string> tokens;  // by id, as spelled in the file; empty if no token has the id
  std::size_t vocab_entries = 0;    // how many belong to the model, not only to the added tokens
  std::vector<Merge> merges;        // best first
  std::vector<AddedToken> added;
  bool nfc = false;               // normalize text
  bool add_prefix_space = false;  // begin a text with a blank, like the words in it
  SpecialIds specials;
  std::string name;    // of the file or folder, without folders
  std::string sha256;  // of tokenizer.json; of the concatenated vocab.json and merges.txt
  // The files as they were read: tokenizer.json, else the other two; empty if not read.
  std::string tokenizer_json, vocab_json, merges_txt;
  // The adjacent tokenizer_config.json, as read; empty if there was none.
  std::string config_json;
};

// Token -> id, for building a model.
class TokenIds {
 public:
  // Throws FormatError if the token already exists, or the id has another token; `where` names the origin.
  void add(const std::string& token, TokenId id, const std::string& where);
  // nullptr if unknown.
  const TokenId* find(const std::string& token) const;
  std::size_t size() const { return by_token_.size(); }
  // By id.
  std::vector<std::string> tokens() const { return by_id_; }

 private:
  std::unordered_map<std::string, TokenId> by_token_;
  std::vector<std::string> by_id_;
};

// The merge of two tokens, which, like their concatenation, must be in the vocabulary.
Merge merge_of(const std::string& left, const std::string& right, const TokenIds& ids, const std::string& where);

// Throws FormatError unless every byte of UTF-8 has its own token and no pair is merged twice.
void check_model(const BytePairModel& model, const TokenIds& ids, const std::string& where);

}  // namespace bertprep
