#include "native/reading/form_edits.hpp"
#include "native/reading/named_rows.hpp"
#include "native/reading/parser.hpp"
#include "native/reading/schema_part.hpp"
#include "native/reading/seasons.hpp"
#include "native/reading/synonyms.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace quaestor::native {

namespace {

constexpr std::size_t kTrainedCandidates = 8;
/// Of a word that stands in for others.
constexpr std::size_t kNoWord = std::numeric_limits<std::size_t>::max();

/// The question as the network reads it: people's own words replaced by those of the database.
struct ModelQuestion {
    std::string text;
    std::vector<WordSpan> words;
    std::vector<std::size_t> said_as;  ///< the word of the person's question that each word is, or kNoWord
};

std::string replacement_for(const Synonym& synonym, const Schema& schema) {
    if (synonym.column != 0) return schema.columns()[static_cast<std::size_t>(synonym.column)].words;
    if (synonym.table >= 0) return schema.tables()[static_cast<std::size_t>(synonym.table)].words;
    return synonym.stands_for;
}

class Rewriter {
public:
    Rewriter(const LinkedQuestion& question, const Schema& schema) : question_(question), schema_(schema) {}

    ModelQuestion rewrite(std::vector<SaidSynonym> said) {
        std::ranges::sort(said, {}, [](const SaidSynonym& each) { return std::tuple(each.first, each.synonym); });
        for (std::size_t at = 0; at < question_.words.size(); ++at) {
            while (!said.empty() && said.front().first < at) said.erase(said.begin());
            if (said.empty() || said.front().first != at) {
                put(question_.word(at), at, gap_before(at));
                continue;
            }
            put(replacement_for(*said.front().synonym, schema_), kNoWord, gap_before(at));
            at = said.front().last;
        }
        return std::move(out_);
    }

private:
    [[nodiscard]] std::string_view gap_before(std::size_t at) const {
        const std::size_t from = at == 0 ? 0 : question_.words[at - 1].end;
        return std::string_view(question_.text).substr(from, question_.words[at].begin - from);
    }
    void put(std::string_view text, std::size_t said_as, std::string_view gap) {
        out_.text += gap;
        for (const auto& [begin, end] : split_words(text)) {
            if (out_.words.size() >= kWordsMax) return;
            out_.words.push_back({out_.text.size() + begin, out_.text.size() + end});
            out_.said_as.push_back(said_as);
        }
        out_.text += text;
    }

    const LinkedQuestion& question_;
    const Schema& schema_;
    ModelQuestion out_;
};

/// Words of the rewritten question as words of the person's, or as a constant where nobody said them.
Value said_value(const Words& words, const ModelQuestion& read) {
    if (words.first > words.last || words.last >= read.words.size()) return words;
    const std::size_t first = read.said_as[words.first];
    const std::size_t last = read.said_as[words.last];
    const auto size = static_cast<std::ptrdiff_t>(words.last - words.first) + 1;
    const auto inside = read.said_as.begin() + static_cast<std::ptrdiff_t>(words.first);
    if (std::find(inside, inside + size, kNoWord) == inside + size) return Words{first, last};
    const std::size_t begin = read.words[words.first].begin;
    return Constant{read.text.substr(begin, read.words[words.last].end - begin)};
}

class TrainedParser final : public QuestionParser {
public:
    explicit TrainedParser(std::shared_ptr<Text2SqlModel> model) : model_(std::move(model)) {}

    [[nodiscard]] std::string_view name() const override { return kTrainedParser; }

    [[nodiscard]] Result<std::vector<Proposal>> propose(const LinkedQuestion& question, const Knowledge& knowledge,
                                                        const CancelToken& cancel) const override {
        const Schema& schema = knowledge.schema();
        if (schema.tables().empty() || question.words.empty()) return std::vector<Proposal>();
        auto said = synonyms_said(question.text, question.words, knowledge.synonyms());
        const bool is_rewritten = !said.empty();
        const ModelQuestion read = Rewriter(question, schema).rewrite(std::move(said));
        const auto hits = is_rewritten ? knowledge.values().hits(read.text, read.words) : question.hits;
        const SchemaPart part = part_about(question, schema);
        const auto input = model_input(read.text, read.words, part.schema, part.hits(hits), model_->pieces());
        auto candidates = model_->propose(input, part.schema, kTrainedCandidates, cancel);
        if (!candidates) return fail(candidates.error());

        const rules::SchemaView view(knowledge);
        std::vector<Proposal> proposals;
        for (const FormCandidate& candidate : *candidates) {
            auto form = form_of(part.in_whole(candidate.tokens));
            if (!form) continue;
            if (is_rewritten) {
                form = with_words_replaced(std::move(*form),
                                           [&read](const Words& words) { return said_value(words, read); });
            }
            form = with_seasons(with_names_shown(std::move(*form), question, view), question, view);
            proposals.push_back({.form = std::move(*form), .score = candidate.score, .parser = name(), .rule = {}});
        }
        return proposals;
    }

private:
    std::shared_ptr<Text2SqlModel> model_;
};

}  // namespace

std::unique_ptr<QuestionParser> trained_parser(std::shared_ptr<Text2SqlModel> model) {
    return std::make_unique<TrainedParser>(std::move(model));
}

}  // namespace quaestor::native
