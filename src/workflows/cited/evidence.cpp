#include "workflows/cited/evidence.hpp"

#include "base/text.hpp"
#include "retrieval/terms.hpp"
#include "retrieval/word_weights.hpp"
#include "workflows/cited/near_words.hpp"
#include "workflows/cited/passage_order.hpp"
#include "workflows/cited/searching.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace quaestor::workflows::cited {

namespace {

using native::AnswerKind;
using native::AnswerOrder;
using native::AskedQuestion;
using native::Direction;
using native::ExtractPassage;
using native::RankedSentence;
using retrieval::ChunkResult;

/// Passages whose sentences are looked at, and sentences that are compared in meaning.
constexpr std::size_t kPassagesRead = 24;
constexpr std::size_t kSentencesCompared = 48;
/// Of each day where several are compared.
constexpr std::size_t kSentencesPerDayMin = 2;
constexpr std::size_t kSentencesPerDayMax = 16;
/// A common word still says a little.
constexpr double kWeightMin = 0.15;
/// Cosines of sentences: from here on they have something to do with the question, up to where they say it.
constexpr double kClosenessFrom = 0.15;
constexpr double kClosenessTo = 0.75;
/// What a decision counts more for a question about one.
constexpr double kDecisionBonus = 0.08;
/// What stands for a question that names nothing but a time.
constexpr std::string_view kOverviewQuery = "What was decided, and what changed?";

double share_between(double value, double from, double to) {
    return std::clamp((value - from) / (to - from), 0.0, 1.0);
}

/// The chunks that may answer, as the extractor takes them.
struct Passages {
    std::vector<std::string> contexts;
    std::vector<std::int64_t> chunks;
    std::vector<ExtractPassage> passages;

    [[nodiscard]] std::vector<std::string> texts() const {
        std::vector<std::string> all(contexts);
        for (const auto& passage : passages) all.emplace_back(passage.text);
        return all;
    }
};

/// Those of the named time and, where there are any, of the named type.
Passages passages_of(const std::vector<ChunkResult>& chunks, const DateReading& dates, const std::string& type,
                     bool by_day) {
    const bool has_type = !type.empty() && std::ranges::any_of(chunks, [&](const ChunkResult& chunk) {
        return chunk.type == type && is_of_time(chunk, dates);
    });
    Passages all;
    for (std::size_t at = 0; at < chunks.size(); ++at) {
        if (!by_day && all.chunks.size() == kPassagesRead) break;
        const bool is_wanted = is_of_time(chunks[at], dates) && (!has_type || chunks[at].type == type);
        if (is_wanted) all.chunks.push_back(static_cast<std::int64_t>(at));
    }
    for (const auto at : all.chunks) all.contexts.push_back(context_of_chunk(chunks[static_cast<std::size_t>(at)]));
    for (std::size_t i = 0; i < all.chunks.size(); ++i) {
        all.passages.push_back(passage_of(chunks[static_cast<std::size_t>(all.chunks[i])], all.contexts[i]));
    }
    return all;
}

/// The best of all or, where days are compared, the best of each.
std::vector<RankedSentence> shortlist(std::vector<RankedSentence> ranked, const Passages& passages,
                                      const std::vector<ChunkResult>& chunks, bool by_day) {
    if (!by_day) {
        ranked.resize(std::min(ranked.size(), kSentencesCompared));
        return ranked;
    }
    std::map<std::string, std::size_t> of_day;
    const auto day_of = [&](std::int64_t at) {
        const ChunkResult& chunk = chunks[static_cast<std::size_t>(at)];
        return chunk.date.empty() ? chunk.document : chunk.date;
    };
    for (const auto chunk : passages.chunks) of_day[day_of(chunk)] = 0;
    const std::size_t most = std::clamp(kSentencesCompared / std::max<std::size_t>(of_day.size(), 1),
                                        kSentencesPerDayMin, kSentencesPerDayMax);
    std::erase_if(ranked, [&](const RankedSentence& sentence) {
        return ++of_day[day_of(passages.chunks[sentence.passage])] > most;
    });
    return ranked;
}

/// A row of a table says little without the heading that it stands under.
std::string text_to_compare(const RankedSentence& sentence, const Passages& passages,
                            const std::vector<ChunkResult>& chunks) {
    std::string text(passages.passages[sentence.passage].text.substr(sentence.begin, sentence.end - sentence.begin));
    const auto& section = chunks[static_cast<std::size_t>(passages.chunks[sentence.passage])].section;
    if (!text.contains(" | ") || section.empty()) return text;
    const std::size_t last = section.rfind("› ");
    return fmt::format("{}: {}", last == std::string::npos ? section : section.substr(last + 4), text);
}

void weigh_all(std::vector<RankedSentence>& ranked, const llm::Embeddings& vectors, const AskedQuestion& asked,
               const Passages& passages) {
    for (std::size_t at = 0; at < ranked.size(); ++at) {
        RankedSentence& sentence = ranked[at];
        sentence.closeness =
            share_between(static_cast<double>(llm::cosine(vectors[0], vectors[at + 1])), kClosenessFrom, kClosenessTo);
        native::Extractor::weigh(sentence, passages.passages[sentence.passage].relevance);
        const bool asks_for_change = asked.direction != Direction::none;
        const bool asks_what_was_done = asks_for_change || asked.wants_overview || asked.kind == AnswerKind::date ||
                                        asked.subject == native::Subject::rate;
        const bool says_what_was_done = sentence.is_decision && sentence.direction != Direction::none;
        if (asks_what_was_done && says_what_was_done) sentence.score += kDecisionBonus;
        if (asks_for_change && sentence.direction == asked.direction) sentence.score += kDecisionBonus / 2;
    }
    std::ranges::sort(ranked, native::is_better);
}

}  // namespace

std::vector<std::string> names_in(std::string_view topic) {
    std::vector<std::string> names;
    bool is_first = true;
    for (const auto& word : text::words(topic)) {
        const auto upper =
            static_cast<std::size_t>(std::ranges::count_if(word, [](char c) { return c >= 'A' && c <= 'Z'; }));
        const bool is_name = upper > 0 && (!is_first || upper > 1) && word != "I";
        if (is_name) names.push_back(word);
        is_first = false;
    }
    return names;
}

double weight_in(const retrieval::Corpus& corpus, const native::AskedTerm& asked, const retrieval::WordWeight& own) {
    if (own.chunks > 0) return own.weight;
    double weight = own.weight;
    for (const auto& phrase : asked.alike) {
        double of_phrase = 0;
        bool is_known = true;
        for (const auto& word : retrieval::weigh_words(corpus, fmt::format("{}", fmt::join(phrase, " ")))) {
            of_phrase = std::max(of_phrase, word.weight);
            is_known = is_known && word.chunks > 0;
        }
        if (is_known) weight = std::min(weight, of_phrase);
    }
    return weight;
}

AskedQuestion asked_of(const Librarian& librarian, std::string_view topic) {
    AskedQuestion asked = librarian.extractor().read(topic);
    for (const auto& type : librarian.types()) {
        const auto named = retrieval::terms_of(type);
        std::erase_if(asked.terms, [&](const auto& term) { return named.size() == 1 && term.term == named.front(); });
    }
    std::vector<std::string> names;
    for (const auto& name : names_in(topic)) std::ranges::copy(retrieval::terms_of(name), std::back_inserter(names));
    const auto weights = retrieval::weigh_words(librarian.corpus(), topic);
    for (auto& term : asked.terms) {
        term.is_name = std::ranges::find(names, term.term) != names.end();
        const auto own = std::ranges::find(weights, term.term, &retrieval::WordWeight::term);
        if (own == weights.end()) continue;
        const double weight = weight_in(librarian.corpus(), term, *own);
        // Where all documents are of one body, its name says nothing, however rarely they write it.
        const bool says_nothing = term.is_body && own->chunks > 0 && librarian.is_dated();
        term.weight = says_nothing ? kWeightMin : std::max(weight, kWeightMin);
    }
    return asked;
}

Task<Result<std::vector<EvidenceSentence>>> find_evidence(const Librarian& librarian, std::string question,
                                                          DateReading dates, std::vector<ChunkResult> chunks,
                                                          CancelToken cancel) {
    const std::string topic = dates.topic.empty() ? question : dates.topic;
    AskedQuestion asked = asked_of(librarian, topic);
    const bool by_day = asked.order != AnswerOrder::best || dates.dates.size() > 1 || goes_through_all(asked, dates);
    const Passages passages = passages_of(chunks, dates, type_in(question, librarian.types()), by_day);
    if (!asked.wants_overview && !(asked.is_pure && asked.subject != native::Subject::none)) {
        asked = with_abbreviations(std::move(asked), topic, passages.texts());
        auto weighed = co_await weighed_by_meaning(librarian, std::move(asked), topic, cancel);
        if (!weighed) co_return fail(weighed.error());
        auto with_near = co_await with_near_words(librarian, std::move(*weighed), topic, passages.texts(), cancel);
        if (!with_near) co_return fail(with_near.error());
        asked = std::move(*with_near);
    }
    auto ranked = shortlist(librarian.extractor().rank(asked, passages.passages, chunks.size() * kSentencesCompared),
                            passages, chunks, by_day);
    std::vector<std::string> texts{asked.wants_overview ? std::string(kOverviewQuery) : topic};
    for (const auto& sentence : ranked) texts.push_back(text_to_compare(sentence, passages, chunks));
    const auto vectors = co_await librarian.embedder().embed(std::move(texts), std::move(cancel));
    if (!vectors) co_return fail(vectors.error());
    weigh_all(ranked, *vectors, asked, passages);
    std::vector<EvidenceSentence> evidence;
    for (const auto& sentence : ranked) {
        evidence.push_back({.chunk = passages.chunks[sentence.passage],
                            .begin = static_cast<std::int64_t>(sentence.begin),
                            .end = static_cast<std::int64_t>(sentence.end),
                            .score = sentence.score,
                            .coverage = sentence.coverage,
                            .gaps = sentence.gaps,
                            .key = sentence.key,
                            .closeness = sentence.closeness,
                            .fit = sentence.fit,
                            .direction = sentence.direction,
                            .is_decision = sentence.is_decision,
                            .is_shaped = sentence.is_shaped});
    }
    co_return evidence;
}

}  // namespace quaestor::workflows::cited
