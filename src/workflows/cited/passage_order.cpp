#include "workflows/cited/passage_order.hpp"

#include "native/answer/subjects.hpp"
#include "retrieval/sentences.hpp"
#include "workflows/cited/evidence.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <tuple>

namespace quaestor::workflows::cited {

namespace {

using native::Direction;
using native::Extreme;
using retrieval::ChunkResult;

/// What nearness of a whole passage counts beside its best sentence.
constexpr double kOfNearness = 0.5;
/// What it counts that something was changed, and that it was changed as the question says.
constexpr double kOfChange = 0.12;
constexpr double kOfSameChange = 0.14;
/// What the first or last of all days counts more than the other end where one of them is asked for.
constexpr double kOfPlace = 0.3;
/// What the highest of all rates counts more than the lowest where one of them is asked for.
constexpr double kOfExtreme = 0.3;

double bonus_of(const native::RankedSentence& sentence, const native::AskedQuestion& asked) {
    if (!sentence.is_decision) return 0;
    const bool is_change = sentence.direction == Direction::up || sentence.direction == Direction::down;
    if (asked.direction != Direction::none) return sentence.direction == asked.direction ? kOfSameChange : 0;
    return is_change ? kOfChange : 0;
}

/// How far up the rate that a passage reports is among all that are reported, 0 to 1.
std::vector<double> heights_of(const std::vector<ChunkResult>& chunks) {
    std::vector<std::optional<double>> rates;
    for (const ChunkResult& chunk : chunks) {
        std::optional<double> rate;
        for (const auto& span : retrieval::sentences_of(chunk.text)) {
            if (const auto decision = native::range_decision_in(span.of(chunk.text)); decision && !rate) {
                rate = decision->low;
            }
        }
        rates.push_back(rate);
    }
    // Nothing is less than any rate.
    const double highest = std::ranges::max(rates).value_or(0);
    double lowest = highest;
    for (const auto& rate : rates) lowest = std::min(lowest, rate.value_or(lowest));
    std::vector<double> heights;
    for (const auto& rate : rates) {
        const bool is_between = rate && highest > lowest;
        heights.push_back(is_between ? (*rate - lowest) / (highest - lowest) : 0);
    }
    return heights;
}

/// What is known of the passages, beside them.
struct Order {
    std::vector<double> likely;
    std::vector<bool> is_asked_change;  ///< says that it was changed as the question says
};

/// For a question about the first or last time: of those that say it, the nearer to that end the more.
void prefer_end(const native::AskedQuestion& asked, const std::vector<ChunkResult>& chunks, Order& order) {
    const bool is_first = asked.order == native::AnswerOrder::first || asked.phase == native::Phase::begin;
    const bool is_last = asked.order == native::AnswerOrder::last;
    if (asked.subject != native::Subject::rate || is_first == is_last) return;
    std::set<std::string> days;
    for (std::size_t at = 0; at < chunks.size(); ++at) {
        if (order.is_asked_change[at]) days.insert(chunks[at].date);
    }
    for (std::size_t at = 0; at < chunks.size(); ++at) {
        if (!order.is_asked_change[at]) continue;
        const auto before = static_cast<double>(std::distance(days.begin(), days.find(chunks[at].date)));
        const double place = before / static_cast<double>(days.size());
        order.likely[at] += kOfPlace * (is_first ? 1 - place : place);
    }
}

Order order_of(const Librarian& librarian, const native::AskedQuestion& asked, const std::vector<ChunkResult>& chunks) {
    std::vector<std::string> contexts;
    for (const ChunkResult& chunk : chunks) contexts.push_back(context_of_chunk(chunk));
    std::vector<native::ExtractPassage> passages;
    Order order{.likely = std::vector<double>(chunks.size()), .is_asked_change = std::vector<bool>(chunks.size())};
    for (std::size_t at = 0; at < chunks.size(); ++at) passages.push_back(passage_of(chunks[at], contexts[at]));
    for (const auto& sentence : librarian.extractor().rank(asked, passages, std::string::npos)) {
        double& best = order.likely[sentence.passage];
        best = std::max(best, sentence.score + bonus_of(sentence, asked));
        const bool is_so = sentence.is_shaped && sentence.direction == asked.direction;
        if (is_so) order.is_asked_change[sentence.passage] = true;
    }
    for (std::size_t at = 0; at < chunks.size(); ++at) order.likely[at] += kOfNearness * chunks[at].features.dense;
    return order;
}

}  // namespace

native::ExtractPassage passage_of(const ChunkResult& chunk, std::string_view context) {
    native::ExtractPassage passage{.text = chunk.text, .context = context, .relevance = chunk.score, .sentences = {}};
    for (const auto& span : retrieval::sentences_of(chunk.text)) passage.sentences.push_back({span.begin, span.end});
    return passage;
}

std::vector<ChunkResult> in_order(const Librarian& librarian, const Wish& wish, std::vector<ChunkResult> chunks) {
    if (chunks.empty()) return chunks;
    const auto asked = asked_of(librarian, wish.dates.topic.empty() ? wish.query : wish.dates.topic);
    const std::string type = type_in(wish.question, librarian.types());
    Order order = order_of(librarian, asked, chunks);
    if (asked.extreme != Extreme::none && asked.subject == native::Subject::rate) {
        const auto heights = heights_of(chunks);
        const double sign = asked.extreme == Extreme::highest ? kOfExtreme : -kOfExtreme;
        for (std::size_t at = 0; at < chunks.size(); ++at) order.likely[at] += sign * heights[at];
    }
    prefer_end(asked, chunks, order);
    std::vector<std::size_t> places(chunks.size());
    for (std::size_t at = 0; at < places.size(); ++at) places[at] = at;
    std::ranges::sort(places, {}, [&](std::size_t at) {
        const bool is_other_type = !type.empty() && chunks[at].type != type;
        return std::tuple(!is_of_time(chunks[at], wish.dates), is_other_type, -order.likely[at], at);
    });
    std::vector<ChunkResult> ordered;
    for (const std::size_t at : places) ordered.push_back(std::move(chunks[at]));
    return ordered;
}

}  // namespace quaestor::workflows::cited
