#include <utility>

#include "instance/token_rows.h"
#include "pipeline/sequences/part_writer.h"
#include "shard/megatron/megatron_set.h"

namespace bertprep {
namespace {

class MegatronPartWriter final : public PartWriter {
 public:
  MegatronPartWriter(const OutputFolder& folder, const SequenceUnit& unit, const SequenceRule& rule)
      : rule_(rule),
        input_(unit.inputs.front()),
        is_whole_split_(unit.is_whole_split),
        prefix_(megatron_prefix_of(unit, rule)),
        set_(folder.begin(prefix_ + ".bin"), folder.begin(prefix_ + ".idx"), rule.ids) {}

  void add(const TokenizedDocuments& articles) override {
    const bool by_sentence = rule_.options.level == SequenceLevel::kSentence;
    for (std::size_t i = 0; i < articles.documents(); ++i) {
      const std::size_t first = articles.document_begin[i];
      const std::size_t last = articles.document_begin[i + 1];
      if (by_sentence) {
        for (std::size_t s = first; s < last; ++s) add_sentence(ids_of(articles, s, s + 1), s + 1 == last);
      } else {
        add_sequence(ids_of(articles, first, last), true);
      }
      set_.end_document();
      ++counts_.articles;
    }
  }

  FinishedPart finish(const Progress& /*progress*/) override {
    set_.finish();
    counts_.sequences = set_.index().sequences();
    counts_.tokens = set_.index().ids();
    if (is_whole_split_) require_sequences(counts_, input_, rule_);
    FinishedPart part{.files = {}, .names = {prefix_ + ".bin", prefix_ + ".idx"}, .counts = counts_};
    part.files.push_back(std::move(set_.bin()));
    part.files.push_back(std::move(set_.idx()));
    return part;
  }

 private:
  static std::span<const TokenId> ids_of(const TokenizedDocuments& articles, std::size_t first, std::size_t last) {
    const std::uint64_t begin = articles.sentence_begin[first];
    return std::span(articles.ids).subspan(begin, articles.sentence_begin[last] - begin);
  }

  // Megatron's sampler skips the whole document of a sentence that is too long for it.
  void add_sentence(std::span<const TokenId> ids, bool is_last) {
    const auto most = static_cast<std::size_t>(rule_.options.max_tokens);
    if (ids.size() > most && rule_.options.long_articles == LongArticles::kTruncate) {
      counts_.dropped += ids.size() - most;
      ids = ids.first(most);
    }
    while (ids.size() > most) {
      add_sequence(ids.first(most), false);
      ids = ids.subspan(most);
    }
    add_sequence(ids, is_last);
  }

  void add_sequence(std::span<const TokenId> ids, bool ends_article) {
    if (!ends_article || !rule_.end_of_article) return set_.add_sequence(ids);
    ended_.assign(ids.begin(), ids.end());
    ended_.push_back(*rule_.end_of_article);
    set_.add_sequence(ended_);
  }

  const SequenceRule& rule_;
  std::filesystem::path input_;  // for errors
  bool is_whole_split_;
  std::string prefix_;
  MegatronSet set_;
  SequenceCounts counts_;
  std::vector<TokenId> ended_;
};

}  // namespace

std::string megatron_prefix_of(const SequenceUnit& unit, const SequenceRule& rule) {
  if (!unit.is_whole_split) return "parts/" + unit.task();
  const bool by_sentence = rule.options.level == SequenceLevel::kSentence;
  return rule.name + "_" + unit.split + (by_sentence ? "_text_sentence" : "_text_document");
}

std::unique_ptr<PartWriter> write_megatron_part(const OutputFolder& folder, const SequenceUnit& unit,
                                                const SequenceRule& rule) {
  return std::make_unique<MegatronPartWriter>(folder, unit, rule);
}

}  // namespace bertprep
