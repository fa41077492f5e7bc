#include "quality/text_counts.h"

#include <algorithm>
#include <bit>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "unicode/ascii.h"
#include "unicode/code_points.h"
#include "unicode/properties/mappings.h"

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

// The counts that are numbers, in the order of records.
constexpr std::array<std::pair<const char*, std::uint64_t TextCounts::*>, 7> kNumbers{
    {{"articles", &TextCounts::articles},
     {"sentences", &TextCounts::sentences},
     {"tokens", &TextCounts::tokens},
     {"words", &TextCounts::words},
     {"unknown", &TextCounts::unknown},
     {"empty_sentences", &TextCounts::empty_sentences},
     {"empty_articles", &TextCounts::empty_articles}}};

constexpr std::size_t kHexDigits = 12;  // of 48 bits

constexpr std::size_t kLongestExampleBytes = 40;
constexpr std::size_t kBlock = 256;

// The effect of stripping accents on a letter.
enum class Stripping : std::uint8_t { kNothing, kRemoves, kUnvoices, kTakesAccent };

struct Property {
  std::uint8_t script = unicode::kCommonScript;  // Common: not a letter; Inherited: the script of the previous letter
  Stripping stripping = Stripping::kNothing;
};

bool loses_a_mark(char32_t c) {
  if (!unicode::decomposes(c)) return false;
  const std::u32string parts = unicode::nfd(std::u32string(1, c));
  return std::any_of(parts.begin(), parts.end(), unicode::is_nonspacing_mark);
}

bool has_accents(int script) {
  return script == unicode::kLatinScript || script == unicode::kGreekScript || script == unicode::kCyrillicScript;
}

Property property_of(char32_t c) {
  const int script = unicode::script_of(c);
  if (script == unicode::kCommonScript) return {};
  const Stripping stripping = unicode::is_nonspacing_mark(c) ? Stripping::kRemoves
                              : !loses_a_mark(c)             ? Stripping::kNothing
                              : has_accents(script)          ? Stripping::kTakesAccent
                                                             : Stripping::kUnvoices;
  return {static_cast<std::uint8_t>(script), stripping};
}

std::string_view word_around(std::string_view text, std::size_t at) {
  const std::size_t begin = text.find_last_of(kAsciiBlanks, at) + 1;  // 0 without one
  return text.substr(begin, text.find_first_of(kAsciiBlanks, at) - begin);
}

std::uint64_t count_ascii_letters(std::string_view text) {
  std::uint64_t count = 0;
  for (const char c : text) count += static_cast<unsigned char>((static_cast<unsigned char>(c) | 0x20) - 'a') < 26;
  return count;
}

bool has_other_than_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return all >= 0x80;
}

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

void DigestSample::shrink() {
  merge();
  while (kept_.size() > max_) raise_level(level_ + 1);
}

void DigestSample::merge() const {
  if (pending_.empty() && others_.empty()) return;
  // Sorted without counts, which is twice as fast.
  std::sort(pending_.begin(), pending_.end());
  std::sort(others_.begin(), others_.end());
  std::vector<Entry> ones;
  ones.reserve(pending_.size());
  for (const std::uint64_t digest : pending_) ones.emplace_back(digest, 1);
  const auto take = [this](const std::vector<Entry>& more) {
    std::vector<Entry> merged;
    merged.reserve(kept_.size() + more.size());
    std::merge(kept_.begin(), kept_.end(), more.begin(), more.end(), std::back_inserter(merged));
    kept_ = std::move(merged);
  };
  take(ones);
  take(others_);
  pending_.clear();
  others_.clear();
  add_up_equal_ones();
}

void DigestSample::add_up_equal_ones() const {
  auto last = kept_.begin();
  for (auto at = kept_.begin(); at != kept_.end(); ++at) {
    if (at == last) continue;
    if (last->first == at->first) {
      last->second += at->second;
    } else {
      *++last = *at;
    }
  }
  if (!kept_.empty()) kept_.erase(std::next(last), kept_.end());
}

void DigestSample::raise_level(int level) {
  level_ = level;
  const auto is_left_out = [this](const Entry& entry) { return (entry.first & mask()) != 0; };
  std::erase_if(kept_, is_left_out);
  std::erase_if(others_, is_left_out);
}

void DigestSample::add(const DigestSample& other) {
  other.merge();
  if (!pending_.empty()) merge();
  if (other.level_ > level_) raise_level(other.level_);
  for (const Entry& entry : other.kept_) {
    if ((entry.first & mask()) == 0) others_.push_back(entry);
  }
  if (others_.size() > kept_.size()) merge();  // rarely enough that merging thousands of shards is fast
}

std::uint64_t DigestSample::sampled() const {
  merge();
  std::uint64_t sum = 0;
  for (const auto& [digest, times] : kept_) sum += times;
  return sum;
}

std::uint64_t DigestSample::repeated() const {
  const std::uint64_t all = sampled();
  return all - kept_.size();
}

double DigestSample::repeated_share() const {
  return share_of(repeated(), sampled());
}

Json DigestSample::to_json() const {
  DigestSample settled(*this);
  settled.shrink();
  std::string digests;
  Json repeats = Json::array();
  for (std::size_t i = 0; i < settled.kept_.size(); ++i) {
    const auto& [digest, times] = settled.kept_[i];
    digests += hex_digits(digest).substr(16 - kHexDigits);
    if (times > 1) repeats.push(Json::array().push(Json::number(i)).push(Json::number(times)));
  }
  return Json::object()
      .add("level", Json::number(static_cast<std::uint64_t>(settled.level_)))
      .add("digests", Json::string(std::move(digests)))
      .add("repeats", std::move(repeats));
}

DigestSample DigestSample::from_json(const Json& json) {
  DigestSample sample;
  const std::uint64_t level = json.at("level").as_unsigned();
  const std::string& digests = json.at("digests").text();
  if (level > 48 || digests.size() % kHexDigits != 0) throw FormatError("a sample of digests is damaged");
  sample.level_ = static_cast<int>(level);
  for (std::size_t at = 0; at < digests.size(); at += kHexDigits) {
    const auto digest = number_in<std::uint64_t>(std::string_view(digests).substr(at, kHexDigits), 16);
    if (!digest) throw FormatError("a digest of a sample is damaged");
    sample.kept_.emplace_back(*digest, 1);
  }
  for (const Json& repeat : json.at("repeats").items()) {
    const std::vector<Json>& pair = repeat.items();
    if (pair.size() != 2 || pair[0].as_unsigned() >= sample.kept_.size()) {
      throw FormatError("a sample of digests is damaged");
    }
    sample.kept_[pair[0].as_unsigned()].second = pair[1].as_unsigned();
  }
  return sample;
}

struct ScriptCounter::Block {
  explicit Block(std::size_t number) {
    for (std::size_t i = 0; i < kBlock; ++i) properties[i] = property_of(static_cast<char32_t>(number * kBlock + i));
  }
  std::array<Property, kBlock> properties;
};

void ScriptCounter::add(std::string_view text) {
  counts_[unicode::kLatinScript].letters += count_ascii_letters(text);
  if (has_other_than_ascii(text)) add_others(text);
}

void ScriptCounter::add_others(std::string_view text) {
  blocks_.resize(0x110000 / kBlock);
  const char* const end = text.data() + text.size();
  std::uint8_t script = unicode::kLatinScript;  // of the previous letter
  for (const char* at = text.data(); at != end;) {
    if (static_cast<unsigned char>(*at) < 0x80) {
      if (is_ascii_letter(*at)) script = unicode::kLatinScript;
      ++at;
      continue;
    }
    const char* const begin = at;
    const char32_t c = unicode::next_code_point(at);
    std::shared_ptr<const Block>& block = blocks_[c / kBlock];
    if (block == nullptr) block = std::make_shared<const Block>(c / kBlock);
    const Property& property = block->properties[c % kBlock];
    if (property.script == unicode::kCommonScript) continue;
    if (property.script != unicode::kInheritedScript) script = property.script;
    ScriptCount& count = counts_[script];
    ++count.letters;
    if (property.stripping == Stripping::kNothing) continue;
    // A letter and a mark that could be one accented letter.
    const bool is_accent = property.script == unicode::kInheritedScript && has_accents(script);
    ++(is_accent || property.stripping == Stripping::kTakesAccent ? count.accented : count.lost);
    if (!count.example.empty()) continue;
    const std::string_view word = word_around(text, static_cast<std::size_t>(begin - text.data()));
    if (word.size() <= kLongestExampleBytes) count.example = word;
  }
}

ScriptCounts ScriptCounter::take() {
  ScriptCounts counts;
  for (std::size_t script = 0; script < counts_.size(); ++script) {
    ScriptCount& count = counts_[script];
    if (count.letters > 0) counts.by_name.emplace(unicode::name_of_script(static_cast<int>(script)), std::move(count));
    count = {};
  }
  return counts;
}

std::uint64_t ScriptCounts::letters() const {
  std::uint64_t sum = 0;
  for (const auto& [name, count] : by_name) sum += count.letters;
  return sum;
}

void ScriptCounts::add(const ScriptCounts& other) {
  for (const auto& [name, more] : other.by_name) {
    ScriptCount& count = by_name[name];
    count.letters += more.letters;
    count.lost += more.lost;
    count.accented += more.accented;
    if (count.example.empty()) count.example = more.example;
  }
}

Json ScriptCounts::to_json() const {
  Json json = Json::object();
  for (const auto& [name, count] : by_name) {
    Json entry = Json::object().add("letters", Json::number(count.letters));
    if (count.lost > 0) entry.add("lost", Json::number(count.lost));
    if (count.accented > 0) entry.add("accented", Json::number(count.accented));
    if (!count.example.empty()) entry.add("example", Json::string(count.example));
    json.add(name, std::move(entry));
  }
  return json;
}

ScriptCounts ScriptCounts::from_json(const Json& json) {
  const auto number = [](const Json& entry, const char* name) {
    const Json* value = entry.find(name);
    return value == nullptr ? 0 : value->as_unsigned();
  };
  ScriptCounts counts;
  for (const auto& [name, entry] : json.members()) {
    ScriptCount& count = counts.by_name[name];
    count = {entry.at("letters").as_unsigned(), number(entry, "lost"), number(entry, "accented")};
    if (const Json* example = entry.find("example")) count.example = example->text();
  }
  return counts;
}

void TextCounts::add(const TextCounts& other) {
  for (const auto& [name, count] : kNumbers) this->*count += other.*count;
  sentence_lengths.add(other.sentence_lengths);
  article_lengths.add(other.article_lengths);
  unknown_words.add(other.unknown_words);
  scripts.add(other.scripts);
  article_digests.add(other.article_digests);
  sentence_digests.add(other.sentence_digests);
}

Json TextCounts::to_json() const {
  Json json = Json::object();
  for (const auto& [name, count] : kNumbers) json.add(name, Json::number(this->*count));
  return json.add("sentence_lengths", sentence_lengths.to_json())
      .add("article_lengths", article_lengths.to_json())
      .add("unknown_words", unknown_words.to_json(kWordsOfARecord))
      .add("scripts", scripts.to_json())
      .add("article_digests", article_digests.to_json())
      .add("sentence_digests", sentence_digests.to_json());
}

TextCounts TextCounts::from_json(const Json& json) {
  TextCounts counts;
  for (const auto& [name, count] : kNumbers) counts.*count = json.at(name).as_unsigned();
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
