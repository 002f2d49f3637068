#include "workflows/cited/evidence_view.hpp"

#include "base/text.hpp"
#include "native/answer/subjects.hpp"
#include "retrieval/sentences.hpp"
#include "workflows/cited/calendar.hpp"
#include "workflows/cited/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace quaestor::workflows::cited {

namespace {

using native::AnswerKind;
using native::AnswerOrder;
using native::Subject;

constexpr double kSaysWhatIsAsked = 0.4;
constexpr double kSaysSomething = 0.25;
/// Coverage from which a sentence is enough of an answer.
constexpr double kSaysAll = 0.85;
/// Of a sentence with those beside it.
constexpr std::size_t kAnswerBytes = 480;
constexpr std::size_t kTableFrom = 3;
constexpr std::size_t kRowsMax = 60;

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

/// "In light of these risks, …": a reason that the sentence before names.
bool means_what_was_said(std::string_view text) {
    constexpr std::size_t kOpening = 40;
    const auto opening = text.substr(0, kOpening);
    return opening.contains(" these ") || opening.contains(" this ") || opening.contains(" those ");
}

}  // namespace

EvidenceView::EvidenceView(const Librarian& librarian, const SynthesizeAnswer::Input& input)
    : input(input),
      asked(asked_of(librarian, input.dates.topic.empty() ? input.question : input.dates.topic)),
      librarian_(librarian) {}

std::string_view EvidenceView::words(const EvidenceSentence& sentence) const {
    const auto begin = static_cast<std::size_t>(sentence.begin);
    return std::string_view(passage(sentence).text).substr(begin, static_cast<std::size_t>(sentence.end) - begin);
}

bool EvidenceView::compares() const {
    return asked.order == AnswerOrder::series || input.dates.periods.size() > 1;
}

bool EvidenceView::asks_how_often() const {
    return asked.wants_count;
}

const EvidenceSentence& EvidenceView::best() const {
    const EvidenceSentence* best = &input.evidence.front();
    if (has_time()) return *best;
    for (const auto& other : input.evidence) {
        const bool is_like = other.score >= top() - kNearBest && other.coverage >= best->coverage - kNearBest;
        if (is_like && date(other) > date(*best)) best = &other;
    }
    return *best;
}

bool EvidenceView::are_alike(const EvidenceSentence& left, const EvidenceSentence& right) const {
    return librarian_.extractor().are_alike(words(left), words(right));
}

EvidenceView::Sentences EvidenceView::chosen(const EvidenceSentence& best) const {
    Sentences all = with_neighbours(best);
    const bool is_one_fact =
        asked.kind == AnswerKind::number || asked.kind == AnswerKind::date || asked.kind == AnswerKind::whether;
    for (const auto& other : input.evidence) {
        if (is_one_fact || all.size() >= kSentencesSaid) break;
        const bool is_like = std::ranges::any_of(all, [&](const auto& said) { return are_alike(said, other); });
        const bool belongs = date(other) == date(best) && other.score >= best.score - kAlsoSaid;
        if (belongs && !is_like) all.push_back(other);
    }
    // As they stand there; the passage of the best one first.
    std::ranges::sort(all, {},
                      [&](const auto& one) { return std::tuple(one.chunk != best.chunk, one.chunk, one.begin); });
    return all;
}

namespace {

EvidenceSentence at_span(const EvidenceSentence& like, const retrieval::Span& span) {
    EvidenceSentence other = like;
    other.begin = static_cast<std::int64_t>(span.begin);
    other.end = static_cast<std::int64_t>(span.end);
    return other;
}

}  // namespace

EvidenceView::Sentences EvidenceView::with_neighbours(const EvidenceSentence& sentence) const {
    const std::string& text = passage(sentence).text;
    const auto spans = retrieval::sentences_of(text);
    const auto own = std::ranges::find(spans, static_cast<std::size_t>(sentence.begin), &retrieval::Span::begin);
    if (own == spans.end()) return {sentence};
    Sentences all;
    if (own != spans.begin() && points_back(words(sentence))) all.push_back(at_span(sentence, *(own - 1)));
    all.push_back(sentence);
    const bool holds_it = asked.subject == Subject::vote ? native::names_person(words(sentence)) : sentence.fit >= 1;
    const bool is_complete = sentence.coverage >= kSaysAll && holds_it && !asked.wants_overview;
    // A new paragraph is another matter.
    const std::size_t paragraph = std::min(text.find("\n\n", own->end), text.size());
    std::size_t bytes = own->size();
    for (auto next = own + 1; next != spans.end() && !is_complete && all.size() < kSentencesSaid; ++next) {
        bytes += next->size();
        if (bytes > kAnswerBytes || next->begin >= paragraph) break;
        all.push_back(at_span(sentence, *next));
    }
    // Days are compared by what they have in common, which may stand before.
    const std::size_t opening = own->begin == 0 ? 0 : text.rfind("\n\n", own->begin);
    const std::size_t first = opening == std::string::npos ? 0 : opening;
    for (auto before = own; before != spans.begin() && compares() && !is_complete && all.size() < kSentencesSaid;) {
        --before;
        bytes += before->size();
        if (bytes > kAnswerBytes || before->begin < first) break;
        all.insert(all.begin(), at_span(sentence, *before));
    }
    return all;
}

EvidenceView::Sentences EvidenceView::with_what_it_means(const EvidenceSentence& sentence) const {
    const auto spans = retrieval::sentences_of(passage(sentence).text);
    const auto own = std::ranges::find(spans, static_cast<std::size_t>(sentence.begin), &retrieval::Span::begin);
    const bool has_before = own != spans.end() && own != spans.begin() && means_what_was_said(words(sentence));
    if (!has_before) return {sentence};
    return {at_span(sentence, *(own - 1)), sentence};
}

EvidenceView::Sentences EvidenceView::with_next(const EvidenceSentence& sentence) const {
    const std::string& text = passage(sentence).text;
    const auto spans = retrieval::sentences_of(text);
    const auto own = std::ranges::find(spans, static_cast<std::size_t>(sentence.begin), &retrieval::Span::begin);
    const bool has_next = own != spans.end() && own + 1 != spans.end();
    if (!has_next || (own + 1)->begin >= text.find("\n\n", own->end)) return {sentence};
    return {sentence, at_span(sentence, *(own + 1))};
}

EvidenceView::Sentences EvidenceView::by_day(double behind, const Wanted& is_wanted) const {
    std::map<std::string, const EvidenceSentence*> of_day;
    for (const auto& sentence : input.evidence) {
        // Of times that were named one by one each has its say.
        const double least = input.dates.periods.size() > 1 ? kSaysSomething : kSaysWhatIsAsked;
        const bool says_it = sentence.score >= std::max(top() - behind, least);
        if (says_it && is_wanted(sentence)) of_day.try_emplace(day_of(sentence), &sentence);
    }
    Sentences all;
    for (const auto& [day, sentence] : of_day) all.push_back(*sentence);
    return all;
}

EvidenceView::Sentences EvidenceView::by_day(double behind) const {
    return by_day(behind, [](const EvidenceSentence&) { return true; });
}

/// Where the rate was set is one sentence; a vote needs its names.
bool EvidenceView::says_all(const EvidenceSentence& sentence) const {
    return sentence.is_shaped && (asked.subject != Subject::vote || native::names_person(words(sentence)));
}

EvidenceView::Sentences EvidenceView::row_of(const EvidenceSentence& sentence) const {
    if (asked.subject == Subject::vote && !says_all(sentence)) return with_neighbours(sentence);
    Sentences row{sentence};
    for (const auto& other : input.evidence) {
        const bool is_beside = other.chunk == sentence.chunk && other.begin != sentence.begin;
        if (sentence.is_shaped || !is_beside || other.score < sentence.score - kAlsoSaid) continue;
        row.push_back(other);
        break;
    }
    std::ranges::sort(row, {}, &EvidenceSentence::begin);
    return row;
}

const std::string& EvidenceView::day_of(const EvidenceSentence& sentence) const {
    return date(sentence).empty() ? passage(sentence).document : date(sentence);
}

std::string EvidenceView::name_of_day(const EvidenceSentence& sentence) const {
    return date(sentence).empty() ? as_markdown(passage(sentence).document) : day_in_words(date(sentence));
}

std::string EvidenceView::cited(const EvidenceSentence& sentence) const {
    return fmt::format("{} [{}]", as_markdown(native::with_decimal_ranges(words(sentence))), passage(sentence).number);
}

std::string EvidenceView::joined(const Sentences& sentences, bool with_date) const {
    std::string out;
    if (with_date) out = name_of_day(sentences.front()) + ": ";
    for (const auto& sentence : sentences) {
        if (&sentence != &sentences.front()) out += ' ';
        out += cited(sentence);
    }
    return out;
}

std::string EvidenceView::in_short(const Sentences& sentences) const {
    const bool has_date = !date(sentences.front()).empty();
    return joined(sentences, has_date && (asked.kind == AnswerKind::date || input.dates.dates.size() != 1));
}

std::string EvidenceView::with_day(const Sentences& sentences) const {
    return joined(sentences, !date(sentences.front()).empty());
}

std::string EvidenceView::series(const Sentences& sentences) const {
    std::string out;
    if (sentences.size() < kTableFrom) {
        for (const auto& sentence : sentences) {
            const auto whole = says_all(sentence) ? Sentences{sentence} : with_neighbours(sentence);
            out += (out.empty() ? "" : "\n\n") + joined(whole, true);
        }
        return out;
    }
    const bool has_dates = std::ranges::none_of(sentences, [&](const auto& one) { return date(one).empty(); });
    out = fmt::format("| {} | what the document says |\n|---|---|\n", has_dates ? "date" : "document");
    for (std::size_t at = 0; at < std::min(sentences.size(), kRowsMax); ++at) {
        std::string row;
        for (const auto& sentence : row_of(sentences[at])) row += (row.empty() ? "" : " ") + cited(sentence);
        out += fmt::format("| {} | {} |\n", name_of_day(sentences[at]), row);
    }
    return out;
}

}  // namespace quaestor::workflows::cited
