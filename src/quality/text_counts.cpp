#include "quality/text_counts.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

bool is_before(const CountedWord& left, const CountedWord& right) {
  return left.times != right.times ? left.times > right.times : left.word < right.word;
}

// Counting is cheap compared to tokenizing because it samples the slow parts: after this much of a text shard, one
// sentence in several.
constexpr std::uint64_t kScriptBytes = 1 << 14;
constexpr std::uint64_t kScriptStep = 8;
constexpr std::uint64_t kUnknownSentences = 256;
constexpr std::uint64_t kUnknownStep = 16;
// White-space tokens that are split into words to find the unknown ones.
constexpr std::size_t kSplitTokens = 256;
constexpr std::size_t kWordsOfARecord = 64;

}  // namespace

void FrequentWords::add(std::string_view word, std::uint64_t times) {
  if (const auto found = times_.find(word); found != times_.end()) {
    found->second += times;
    return;
  }
  if (times_.size() >= 2 * max_) forget_rare();
  times_.emplace(word, times);
}

void FrequentWords::add(const FrequentWords& other) {
  for (const CountedWord& counted : other.most_frequent(other.times_.size())) add(counted.word, counted.times);
}

void FrequentWords::forget_rare() {
  const std::vector<CountedWord> kept = most_frequent(max_);
  times_.clear();
  for (const CountedWord& counted : kept) times_.emplace(counted.word, counted.times);
}

std::vector<CountedWord> FrequentWords::most_frequent(std::size_t count) const {
  std::vector<CountedWord> words;
  words.reserve(times_.size());
  for (const auto& [word, times] : times_) words.push_back({word, times});
  const std::size_t kept = std::min(count, words.size());
  std::partial_sort(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(kept), words.end(), is_before);
  words.resize(kept);
  return words;
}

Json FrequentWords::to_json(std::size_t count) const {
  Json list = Json::array();
  for (const CountedWord& counted : most_frequent(count)) {
    list.push(Json::array().push(Json::string(counted.word)).push(Json::number(counted.times)));
  }
  return list;
}

FrequentWords FrequentWords::from_json(const Json& json) {
  FrequentWords words;
  for (const Json& entry : json.items()) {
    if (entry.items().size() != 2) throw FormatError("a list of words is damaged");
    words.add(entry.items()[0].text(), entry.items()[1].as_unsigned());
  }
  return words;
}

void LengthCounts::add(std::uint64_t length) {
  ++by_power_[length == 0 ? 0 : static_cast<std::size_t>(std::bit_width(length)) - 1];
}

void LengthCounts::add(const LengthCounts& other) {
  for (std::size_t i = 0; i < by_power_.size(); ++i) by_power_[i] += other.by_power_[i];
}

Json LengthCounts::to_json() const {
  std::size_t end = by_power_.size();
  while (end > 0 && by_power_[end - 1] == 0) --end;
  Json json = Json::array();
  for (std::size_t i = 0; i < end; ++i) json.push(Json::number(by_power_[i]));
  return json;
}

LengthCounts LengthCounts::from_json(const Json& json) {
  LengthCounts counts;
  if (json.items().size() > counts.by_power_.size()) throw FormatError("has more lengths than there are");
  for (std::size_t i = 0; i < json.items().size(); ++i) counts.by_power_[i] = json.items()[i].as_unsigned();
  return counts;
}

void TextCounts::add(const TextCounts& other) {
  articles += other.articles;
  sentences += other.sentences;
  tokens += other.tokens;
  words += other.words;
  unknown += other.unknown;
  empty_sentences += other.empty_sentences;
  empty_articles += other.empty_articles;
  sentence_lengths.add(other.sentence_lengths);
  article_lengths.add(other.article_lengths);
  unknown_words.add(other.unknown_words);
  scripts.add(other.scripts);
  article_digests.add(other.article_digests);
  sentence_digests.add(other.sentence_digests);
}

Json TextCounts::to_json() const {
  return Json::object()
      .add("articles", Json::number(articles))
      .add("sentences", Json::number(sentences))
      .add("tokens", Json::number(tokens))
      .add("words", Json::number(words))
      .add("unknown", Json::number(unknown))
      .add("empty_sentences", Json::number(empty_sentences))
      .add("empty_articles", Json::number(empty_articles))
      .add("sentence_lengths", sentence_lengths.to_json())
      .add("article_lengths", article_lengths.to_json())
      .add("unknown_words", unknown_words.to_json(kWordsOfARecord))
      .add("scripts", scripts.to_json())
      .add("article_digests", article_digests.to_json())
      .add("sentence_digests", sentence_digests.to_json());
}

TextCounts TextCounts::from_json(const Json& json) {
  const auto number = [&](const char* name) { return json.at(name).as_unsigned(); };
  TextCounts counts;
  counts.articles = number("articles");
  counts.sentences = number("sentences");
  counts.tokens = number("tokens");
  counts.words = number("words");
  counts.unknown = number("unknown");
  counts.empty_sentences = number("empty_sentences");
  counts.empty_articles = number("empty_articles");
  // Records of earlier versions lack them.
  if (const Json* lengths = json.find("sentence_lengths")) counts.sentence_lengths = LengthCounts::from_json(*lengths);
  if (const Json* lengths = json.find("article_lengths")) counts.article_lengths = LengthCounts::from_json(*lengths);
  counts.unknown_words = FrequentWords::from_json(json.at("unknown_words"));
  counts.scripts = ScriptCounts::from_json(json.at("scripts"));
  counts.article_digests = DigestSample::from_json(json.at("article_digests"));
  counts.sentence_digests = DigestSample::from_json(json.at("sentence_digests"));
  return counts;
}

TextCounter::TextCounter(const Vocab& vocab, Tokenizer tokenizer, const TokenizerOptions& options)
    : tokenizer_(std::move(tokenizer)), options_(options), unk_(vocab.unk()), continues_word_(vocab.size()) {
  for (std::size_t id = 0; id < vocab.size(); ++id) {
    continues_word_[id] = vocab.piece(static_cast<TokenId>(id)).starts_with("##") ? 1 : 0;
  }
}

void TextCounter::add_sentence(std::string_view sentence, std::span<const TokenId> ids) {
  if (ids.empty()) {
    ++counts_.empty_sentences;
    ++article_empty_;
    return;
  }
  std::uint64_t continued = 0;
  std::uint64_t unknown = 0;
  for (const TokenId id : ids) {
    continued += continues_word_[static_cast<std::size_t>(id)];
    unknown += id == unk_ ? 1 : 0;
  }
  ++counts_.sentences;
  counts_.sentence_lengths.add(ids.size());
  ++article_sentences_;
  counts_.tokens += ids.size();
  if (options_.custom == nullptr) counts_.words += ids.size() - continued;
  counts_.unknown += unknown;
  if (unknown > 0 && options_.custom == nullptr &&
      (unknown_sentences_ < kUnknownSentences || unknown_sentences_ % kUnknownStep == 0)) {
    add_unknown_words(sentence);
  }
  unknown_sentences_ += unknown > 0 ? 1 : 0;

  const std::uint64_t digest = checksum_of(sentence);
  counts_.sentence_digests.add(digest);
  article_digest_ = checksum_of({reinterpret_cast<const char*>(&digest), sizeof digest}, article_digest_);
  if (script_bytes_ < kScriptBytes || counts_.sentences % kScriptStep == 0) {
    scripts_.add(sentence);
    script_bytes_ += sentence.size();
  }
}

void TextCounter::end_article() {
  if (article_sentences_ > 0) {
    ++counts_.articles;
    counts_.article_lengths.add(article_sentences_);
    counts_.article_digests.add(article_digest_);
  } else if (article_empty_ > 0) {
    ++counts_.empty_articles;
  }
  article_digest_ = 0;
  article_sentences_ = 0;
  article_empty_ = 0;
}

// Counts white-space tokens with unknown words. Only frequent ones are later split into words, which is slow.
void TextCounter::add_unknown_words(std::string_view sentence) {
  for (std::size_t at = sentence.find_first_not_of(kAsciiBlanks); at < sentence.size();) {
    const std::size_t end = std::min(sentence.find_first_of(kAsciiBlanks, at), sentence.size());
    const std::string_view token = sentence.substr(at, end - at);
    ids_.clear();
    tokenizer_.encode(token, ids_);
    if (std::find(ids_.begin(), ids_.end(), unk_) != ids_.end()) unknown_tokens_.add(token);
    at = sentence.find_first_not_of(kAsciiBlanks, end);
  }
}

void TextCounter::split_into_words() {
  for (const CountedWord& token : unknown_tokens_.most_frequent(kSplitTokens)) {
    for (const std::string& word : basic_tokens(token.word, options_)) {
      ids_.clear();
      tokenizer_.encode(word, ids_);
      if (ids_.size() == 1 && ids_.front() == unk_) counts_.unknown_words.add(word, token.times);
    }
  }
  unknown_tokens_ = FrequentWords();
}

TextCounts TextCounter::take() {
  end_article();
  split_into_words();
  counts_.scripts = scripts_.take();
  script_bytes_ = 0;
  unknown_sentences_ = 0;
  return std::exchange(counts_, TextCounts());
}

}  // namespace bertprep
