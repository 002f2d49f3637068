#include "workflows/cited/searching.hpp"

#include "base/text.hpp"
#include "native/answer/subjects.hpp"
#include "retrieval/chunking.hpp"
#include "retrieval/terms.hpp"
#include "workflows/cited/calendar.hpp"
#include "workflows/cited/nodes.hpp"
#include "workflows/cited/passage_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace quaestor::workflows::cited {

namespace {

using native::AnswerOrder;
using retrieval::ChunkResult;

/// Passages of one day where many days are searched.
constexpr std::size_t kPerDayMax = 4;
constexpr std::size_t kPerDayMin = 2;
/// Passages of the day before, for what was changed by how much.
constexpr std::size_t kOfDayBefore = 3;
/// Passages more where like words are searched for too, since no time narrows the search.
constexpr std::size_t kInOtherWords = 5;
constexpr std::size_t kLookedAtPerWanted = 3;
/// How documents say on what something depends.
constexpr std::string_view kConditionWords = "until, unless, if, provided that, depends on conditions";

class PassageSearch {
public:
    /// A query and its vector.
    struct Query {
        std::string text;
        std::span<const float> vector;
    };

    /// The first query, and the same in other words where there are any.
    PassageSearch(const Librarian& librarian, const Wish& wish, std::vector<Query> queries)
        : librarian_(librarian),
          wish_(wish),
          queries_(std::move(queries)),
          asked_(librarian.extractor().read(wish.dates.topic.empty() ? wish.query : wish.dates.topic)),
          type_(type_in(wish.question, librarian.types())),
          top_(static_cast<std::size_t>(std::clamp<std::int64_t>(wish.top, 1, kTopMax))) {}

    Result<std::vector<ChunkResult>> run() {
        const auto days = days_to_compare();
        for (const auto& day : days) {
            const std::size_t count = std::clamp<std::size_t>(top_ / days.size(), per_day_min(), kPerDayMax);
            if (auto done = add({.from = day, .to = day, .type = type_}, count); !done) return fail(done.error());
        }
        if (days.empty()) {
            for (const Period& period : wish_.dates.periods) {
                const auto dates = dates_in(period, librarian_.dates());
                if (dates.empty()) continue;
                if (auto done = add({.from = dates.front(), .to = dates.back(), .type = type_}, looked_at()); !done) {
                    return fail(done.error());
                }
            }
        }
        if (!type_.empty()) {
            if (auto done = add({.type = type_}, looked_at()); !done) return fail(done.error());
        }
        if (found_.size() < looked_at()) {
            if (auto done = add({}, looked_at()); !done) return fail(done.error());
        }
        for (std::size_t other = 1; other < queries_.size(); ++other) {
            if (auto done = add({.type = type_}, top_, other); !done) return fail(done.error());
        }
        found_ = in_order(librarian_, wish_, std::move(found_));
        const std::size_t enough = queries_.size() > 1 ? top_ + kInOtherWords : top_;
        const std::size_t most = days.empty() ? enough : std::max(enough, days.size() * kPerDayMax);
        found_.resize(std::min(found_.size(), most));
        if (auto done = add_day_before(); !done) return fail(done.error());
        return std::move(found_);
    }

private:
    /// Passages whose sentences are looked at for those that are wanted.
    [[nodiscard]] std::size_t looked_at() const { return kLookedAtPerWanted * top_; }

    /// A day's decision stands in two kinds of documents, each with several passages that look like it.
    [[nodiscard]] std::size_t per_day_min() const {
        return asked_.subject == native::Subject::none ? kPerDayMin : kPerDayMax;
    }

    Result<> add_day_before() {
        const auto& dates = librarian_.dates();
        if (!asked_.wants_step || asked_.subject != native::Subject::rate || wish_.dates.dates.size() != 1) return {};
        const auto own = std::ranges::lower_bound(dates, wish_.dates.dates.front());
        if (own == dates.begin()) return {};
        return add({.from = *(own - 1), .to = *(own - 1)}, kOfDayBefore);
    }

    /// The days that each get a search of their own, so that none is crowded out.
    [[nodiscard]] std::vector<std::string> days_to_compare() const {
        const bool goes_by_time = wish_.order != AnswerOrder::best || goes_through_all(asked_, wish_.dates);
        std::vector<std::string> days = wish_.dates.dates;
        if (days.empty() && goes_by_time && wish_.dates.uncovered.empty()) days = librarian_.dates();
        if (days.size() < 2) return {};
        if (days.size() <= kDaysSearched) return days;
        if (!goes_by_time) return {};
        // The end of the time from which the answer comes.
        const auto first = wish_.order == AnswerOrder::last ? days.end() - kDaysSearched : days.begin();
        return {first, first + kDaysSearched};
    }

    Result<> add(retrieval::Filter filter, std::size_t count, std::size_t which = 0) {
        const Query& query = queries_[which];
        auto report = retrieval::search_with_vector(librarian_.corpus(), query.vector,
                                                    {.query = query.text, .filter = std::move(filter), .top = count});
        if (!report) return fail(report.error());
        for (ChunkResult& chunk : report->chunks) {
            if (std::ranges::find(found_, chunk.chunk_id, &ChunkResult::chunk_id) == found_.end()) {
                found_.push_back(std::move(chunk));
            }
        }
        return {};
    }

    const Librarian& librarian_;
    const Wish& wish_;
    std::vector<Query> queries_;
    native::AskedQuestion asked_;
    std::string type_;
    std::size_t top_;
    std::vector<ChunkResult> found_;
};

}  // namespace

Task<Result<std::vector<ChunkResult>>> find_passages(const Librarian& librarian, Wish wish, CancelToken cancel) {
    const auto& corpus = librarian.corpus();
    if (librarian.embedder().name() != corpus.embedder()) {
        co_return fail(Code::conflict,
                       fmt::format("the corpus was embedded with {}, and {} is configured", corpus.embedder(),
                                   librarian.embedder().name()),
                       "set llm.embeddings back, or build the corpus again: quaestor ingest --rebuild");
    }
    std::vector<std::string> texts{wish.query};
    if (wish.dates.periods.empty()) {
        const auto others = librarian.extractor().in_other_words(wish.query);
        // The first way has the nearest words for all, the last the next ones.
        for (const auto* other : {&others.front(), &others.back()}) {
            if (!other->empty() && std::ranges::find(texts, *other) == texts.end()) texts.push_back(*other);
        }
    }
    const auto vectors = co_await librarian.embedder().embed(texts, std::move(cancel));
    if (!vectors) co_return fail(vectors.error());
    std::vector<PassageSearch::Query> queries;
    for (std::size_t at = 0; at < texts.size(); ++at) queries.push_back({texts[at], (*vectors)[at]});
    co_return PassageSearch(librarian, wish, std::move(queries)).run();
}

bool is_of_time(const ChunkResult& chunk, const DateReading& dates) {
    if (dates.periods.empty()) return true;
    return std::ranges::find(dates.dates, chunk.date) != dates.dates.end();
}

std::string query_for(const Librarian& librarian, const std::string& topic) {
    const auto asked = librarian.extractor().read(topic);
    const auto shaped = native::search_words_for(asked.subject);
    if (asked.subject == native::Subject::rate && asked.is_pure) return std::string(shaped);
    if (asked.subject == native::Subject::vote || asked.subject == native::Subject::guidance)
        return fmt::format("{} {}", topic, shaped);
    if (asked.kind == native::AnswerKind::condition) return fmt::format("{} {}", topic, kConditionWords);
    if (!asked.wants_overview) return topic;
    return fmt::format("decision: what was decided and changed; {}", native::search_words_for(native::Subject::rate));
}

bool goes_through_all(const native::AskedQuestion& asked, const DateReading& dates) {
    const bool is_of_rates = asked.subject == native::Subject::rate && asked.is_pure;
    const bool counts_votes = asked.subject == native::Subject::vote && asked.wants_count;
    return dates.periods.empty() && dates.uncovered.empty() && (is_of_rates || counts_votes);
}

std::string type_in(std::string_view question, const std::vector<std::string>& types) {
    auto words = retrieval::terms_of(question);
    // Whose words were changed is the statement: minutes are written anew each time.
    static const auto kWording = retrieval::terms_of("language wording phrase phrasing characterization sentence");
    const bool asks_for_wording = std::ranges::any_of(
        words, [](const auto& word) { return std::ranges::find(kWording, word) != kWording.end(); });
    if (asks_for_wording) words.push_back(retrieval::terms_of("statement").front());
    for (const auto& type : types) {
        const auto named = retrieval::terms_of(type);
        if (named.size() == 1 && std::ranges::find(words, named.front()) != words.end()) return type;
    }
    return {};
}

std::string context_of_chunk(const ChunkResult& chunk) {
    retrieval::Metadata metadata;
    metadata.title = chunk.title;
    metadata.type = chunk.type;
    metadata.date = chunk.date;
    std::string context = retrieval::context_of(metadata, chunk.section);
    if (!chunk.date.empty()) context += fmt::format(" {} {}", day_in_words(chunk.date), chunk.date);
    return context + " " + chunk.type;
}

Node search_corpus(Librarian& librarian, const State& state, graph::Context& context) {
    const bool is_again = !state.reformulated_query.empty();
    const std::string topic = state.dates.topic.empty() ? state.resolved_question : state.dates.topic;
    Wish wish{.query = is_again ? state.reformulated_query : query_for(librarian, topic),
              .question = state.resolved_question,
              .dates = state.dates,
              .order = librarian.extractor().read(topic).order,
              .top = state.top_k_hint};
    auto searched = state.searched;
    searched.push_back(is_again ? wish.query : state.resolved_question);
    auto found = co_await find_passages(librarian, std::move(wish), context.cancel());
    if (!found) co_return found.error();
    graph::Update<State> update;
    update.set<&State::searched>(std::move(searched));
    co_return update.set<&State::retrieved_chunks>(std::move(*found));
}

}  // namespace quaestor::workflows::cited
