#include "base/text.hpp"
#include "retrieval/sentences.hpp"
#include "workflows/cited/calendar.hpp"
#include "workflows/cited/evidence.hpp"
#include "workflows/cited/native.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace quaestor::workflows::cited {

namespace {

using native::AnswerKind;
using native::AnswerOrder;
using native::AskedQuestion;
using native::Direction;

/// How far behind the best a sentence may be.
constexpr double kNearBest = 0.05;   ///< and be preferred for being newer
constexpr double kAlsoSaid = 0.10;   ///< and be said as well
constexpr double kOfTheSame = 0.22;  ///< and be its like of another day
constexpr double kSaysWhatIsAsked = 0.4;
/// Coverage from which a sentence is enough of an answer.
constexpr double kSaysAll = 0.85;
/// Of a sentence with those beside it.
constexpr std::size_t kAnswerBytes = 480;
constexpr std::size_t kSentencesSaid = 3;
constexpr std::size_t kTableFrom = 3;
constexpr std::size_t kRowsMax = 40;

/// A document's words in Markdown: nothing of them is a mark of ours.
std::string as_markdown(std::string_view text) {
    static constexpr std::string_view kMarks = "\\[]|*_`<>#";
    text = text::trim(text);
    for (const std::string_view bullet : {"- ", "* ", "• "}) {
        if (text.starts_with(bullet)) text.remove_prefix(bullet.size());
    }
    std::string out;
    for (const char c : text) {
        const bool is_space = c == ' ' || c == '\n' || c == '\t';
        if (is_space && (out.empty() || out.back() == ' ')) continue;
        if (kMarks.contains(c)) out += '\\';
        out += is_space ? ' ' : c;
    }
    return out;
}

/// Words that mean nothing without the sentence before.
bool points_back(std::string_view text) {
    return std::ranges::any_of(std::array{"It ", "This ", "They ", "These ", "He ", "She ", "That "},
                               [&](std::string_view word) { return text.starts_with(word); });
}

/// The evidence of one question, and sentences picked from it.
class EvidenceView {
public:
    using Sentences = std::vector<EvidenceSentence>;

    EvidenceView(const Librarian& librarian, const SynthesizeAnswer::Input& input)
        : input(input),
          asked(asked_of(librarian, input.dates.topic.empty() ? input.question : input.dates.topic)),
          librarian_(librarian) {}

    [[nodiscard]] const SynthesizeAnswer::Passage& passage(const EvidenceSentence& sentence) const {
        return input.passages[static_cast<std::size_t>(sentence.chunk)];
    }
    [[nodiscard]] const std::string& date(const EvidenceSentence& sentence) const { return passage(sentence).date; }
    [[nodiscard]] std::string_view words(const EvidenceSentence& sentence) const {
        const auto begin = static_cast<std::size_t>(sentence.begin);
        return std::string_view(passage(sentence).text).substr(begin, static_cast<std::size_t>(sentence.end) - begin);
    }

    /// Without a named time, the newest of those that say it about as well.
    [[nodiscard]] const EvidenceSentence& best() const {
        const EvidenceSentence* best = &input.evidence.front();
        if (!input.dates.periods.empty()) return *best;
        for (const auto& other : input.evidence) {
            const bool is_like = other.score >= top() - kNearBest && other.coverage >= best->coverage - kNearBest;
            if (is_like && date(other) > date(*best)) best = &other;
        }
        return *best;
    }

    /// A sentence and what else the same day's documents say to the question.
    [[nodiscard]] Sentences chosen(const EvidenceSentence& best) const {
        Sentences all = with_neighbours(best);
        const bool is_one_fact =
            asked.kind == AnswerKind::number || asked.kind == AnswerKind::date || asked.kind == AnswerKind::whether;
        for (const auto& other : input.evidence) {
            if (is_one_fact || all.size() >= kSentencesSaid) break;
            const bool is_like = std::ranges::any_of(
                all, [&](const auto& said) { return librarian_.extractor().are_alike(words(said), words(other)); });
            const bool belongs = date(other) == date(best) && other.score >= best.score - kAlsoSaid;
            if (belongs && !is_like) all.push_back(other);
        }
        // As they stand there; the passage of the best one first.
        std::ranges::sort(all, {},
                          [&](const auto& one) { return std::tuple(one.chunk != best.chunk, one.chunk, one.begin); });
        return all;
    }

    /// A sentence with those beside it that it cannot be understood or is not complete without: what "it" stands for,
    /// and the rest of a short section.
    [[nodiscard]] Sentences with_neighbours(const EvidenceSentence& sentence) const {
        const auto spans = retrieval::sentences_of(passage(sentence).text);
        const auto own = std::ranges::find(spans, static_cast<std::size_t>(sentence.begin), &retrieval::Span::begin);
        if (own == spans.end()) return {sentence};
        const auto neighbour = [&](const retrieval::Span& span) {
            EvidenceSentence other = sentence;
            other.begin = static_cast<std::int64_t>(span.begin);
            other.end = static_cast<std::int64_t>(span.end);
            return other;
        };
        Sentences all;
        if (own != spans.begin() && points_back(words(sentence))) all.push_back(neighbour(*(own - 1)));
        all.push_back(sentence);
        const bool is_complete = sentence.coverage >= kSaysAll && sentence.fit >= 1 && !asked.wants_overview;
        std::size_t bytes = own->size();
        for (auto next = own + 1; next != spans.end() && !is_complete && all.size() < kSentencesSaid; ++next) {
            bytes += next->size();
            if (bytes > kAnswerBytes) break;
            all.push_back(neighbour(*next));
        }
        return all;
    }

    /// The best sentence of each day for which `is_so`, in the order of time; none that is far behind the best of all.
    template <class IsSo>
    [[nodiscard]] Sentences by_day(double behind, IsSo is_so) const {
        std::map<std::string, const EvidenceSentence*> of_day;
        for (const auto& sentence : input.evidence) {
            const bool says_it = sentence.score >= std::max(top() - behind, kSaysWhatIsAsked);
            if (says_it && is_so(sentence)) of_day.try_emplace(date(sentence), &sentence);
        }
        Sentences all;
        for (const auto& [day, sentence] : of_day) all.push_back(*sentence);
        return all;
    }
    [[nodiscard]] Sentences by_day(double behind) const {
        return by_day(behind, [](const EvidenceSentence&) { return true; });
    }

    [[nodiscard]] double top() const { return input.evidence.front().score; }

    const SynthesizeAnswer::Input& input;
    const AskedQuestion asked;

private:
    const Librarian& librarian_;
};

/// Puts the sentences that answer together, each with its mark.
class Extraction {
public:
    using Sentences = EvidenceView::Sentences;
    Extraction(const Librarian& librarian, const SynthesizeAnswer::Input& input) : view_(librarian, input) {}

    [[nodiscard]] std::string answer() const {
        const auto& asked = view_.asked;
        const auto days = view_.input.dates.dates.size();
        const bool compares = asked.order == AnswerOrder::series || view_.input.dates.periods.size() > 1;
        if (compares && view_.by_day(kOfTheSame).size() > 1) return series(view_.by_day(kOfTheSame));
        if (asked.order == AnswerOrder::first || asked.order == AnswerOrder::last) return by_time();
        if (asked.direction != Direction::none) return about_change();
        const bool is_list = is_listing() || asked.kind == AnswerKind::person;
        if (days > 1 && is_list && view_.by_day(kAlsoSaid).size() > 1) return series(view_.by_day(kAlsoSaid));
        return in_short(view_.chosen(view_.best()));
    }

private:
    [[nodiscard]] std::string cited(const EvidenceSentence& sentence) const {
        return fmt::format("{} [{}]", as_markdown(native::with_decimal_ranges(view_.words(sentence))),
                           view_.passage(sentence).number);
    }
    [[nodiscard]] std::string dated(const EvidenceSentence& sentence) const {
        if (view_.date(sentence).empty()) return cited(sentence);
        return fmt::format("{}: {}", day_in_words(view_.date(sentence)), cited(sentence));
    }
    [[nodiscard]] std::string joined(const Sentences& sentences, bool with_day) const {
        std::string out = with_day ? dated(sentences.front()) : cited(sentences.front());
        for (std::size_t at = 1; at < sentences.size(); ++at) out += " " + cited(sentences[at]);
        return out;
    }
    [[nodiscard]] std::string in_short(const Sentences& sentences) const {
        return joined(sentences, view_.asked.kind == AnswerKind::date || view_.input.dates.dates.size() != 1);
    }

    [[nodiscard]] bool is_listing() const {
        return view_.asked.kind == AnswerKind::statement || view_.asked.kind == AnswerKind::number;
    }
    [[nodiscard]] bool asks_how_often() const {
        const auto words = text::words(text::fold(view_.input.question));
        return std::ranges::find(words, "often") != words.end() || std::ranges::find(words, "times") != words.end();
    }

    [[nodiscard]] std::string series(const Sentences& sentences) const {
        std::string out;
        if (sentences.size() < kTableFrom) {
            for (const auto& sentence : sentences) {
                out += (out.empty() ? "" : "\n\n") + joined(view_.with_neighbours(sentence), true);
            }
            return out;
        }
        out = "| date | what the document says |\n|---|---|\n";
        for (std::size_t at = 0; at < std::min(sentences.size(), kRowsMax); ++at) {
            out += fmt::format("| {} | {} |\n", day_in_words(view_.date(sentences[at])), cited(sentences[at]));
        }
        return out;
    }

    /// That it was changed in some way, and not only talked about.
    [[nodiscard]] static bool is_change(const EvidenceSentence& sentence) {
        return sentence.is_decision && sentence.direction != Direction::none;
    }

    /// "When did … first …": the earliest or latest day of those that say it.
    [[nodiscard]] std::string by_time() const {
        const Direction asked = view_.asked.direction;
        for (const bool decided : {true, false}) {
            const auto found = view_.by_day(kOfTheSame, [&](const EvidenceSentence& sentence) {
                const bool is_so = asked == Direction::none || sentence.direction == asked;
                return is_so && (sentence.is_decision || !decided);
            });
            if (found.empty()) continue;
            const auto& wanted = view_.asked.order == AnswerOrder::first ? found.front() : found.back();
            return joined(view_.with_neighbours(wanted), true);
        }
        return not_so(view_.by_day(kOfTheSame));
    }

    /// A question that takes a change for granted, or asks whether there was one.
    [[nodiscard]] std::string about_change() const {
        const bool is_whether = view_.asked.kind == AnswerKind::whether;
        const auto confirming = view_.by_day(kOfTheSame, [&](const EvidenceSentence& sentence) {
            return is_change(sentence) && sentence.direction == view_.asked.direction;
        });
        if (!confirming.empty()) {
            if (is_whether) return "Yes. " + in_short({confirming.back()});
            return confirmed(confirming);
        }
        auto otherwise = view_.by_day(kOfTheSame, is_change);
        if (otherwise.empty()) return in_short(view_.chosen(view_.best()));
        if (is_whether && otherwise.size() == 1) return "No. " + in_short(otherwise);
        if (view_.input.dates.periods.empty()) otherwise = {otherwise.back()};
        return not_so(otherwise);
    }

    [[nodiscard]] std::string confirmed(const Sentences& changes) const {
        const bool has_time = !view_.input.dates.periods.empty();
        if (has_time && asks_how_often()) return fmt::format("{} times:\n\n{}", changes.size(), series(changes));
        if (has_time && is_listing() && changes.size() > 1) return series(changes);
        // Who and why: the sentence that says it, of such a day.
        for (const auto& sentence : view_.input.evidence) {
            const bool is_of_day =
                std::ranges::any_of(changes, [&](const auto& one) { return view_.date(one) == view_.date(sentence); });
            if (is_of_day && sentence.fit >= 1) return in_short(view_.chosen(sentence));
        }
        return in_short(view_.chosen(changes.back()));
    }

    [[nodiscard]] std::string not_so(const Sentences& instead) const {
        return "That is not what the documents say:\n\n" + series(instead);
    }

    EvidenceView view_;
};

}  // namespace

SynthesizeAnswer::Output extracted_answer(const Librarian& librarian, const SynthesizeAnswer::Input& input) {
    if (input.evidence.empty()) return {.answered = false, .answer = {}};
    return {.answered = true, .answer = Extraction(librarian, input).answer()};
}

}  // namespace quaestor::workflows::cited
