#include "workflows/cited/evidence_view.hpp"
#include "workflows/cited/native.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quaestor::workflows::cited {

namespace {

using native::AnswerKind;
using native::AnswerOrder;
using native::Direction;
using native::Subject;

/// Puts the sentences that answer together, each with its mark.
class Extraction {
public:
    using Sentences = EvidenceView::Sentences;
    Extraction(const Librarian& librarian, const SynthesizeAnswer::Input& input) : view_(librarian, input) {}

    [[nodiscard]] std::string answer() const {
        const auto& asked = view_.asked;
        const bool is_of_days = asked.wants_overview && view_.input.dates.dates.size() > 1;
        std::string by_subject;
        if ((asked.subject == Subject::rate && asked.is_pure) || is_of_days) by_subject = rate_answer(view_);
        if (asked.subject == Subject::vote) {
            by_subject = rate_correction(view_);
            if (by_subject.empty()) by_subject = vote_answer(view_);
        }
        return by_subject.empty() ? by_words() : by_subject;
    }

private:
    [[nodiscard]] std::string by_words() const {
        const auto& asked = view_.asked;
        const auto days = view_.input.dates.dates.size();
        // Of times that are named one by one each has its say.
        const auto rows = view_.by_day(view_.input.dates.periods.size() > 1 ? kOfNamedTime : kOfTheSame);
        if (view_.compares() && rows.size() > 1) return view_.series(ends_or_all(rows));
        if (asked.order == AnswerOrder::first || asked.order == AnswerOrder::last) return by_time();
        if (asked.direction != Direction::none) return about_change();
        const bool is_list = is_listing() || asked.kind == AnswerKind::person;
        if (days > 1 && is_list && view_.by_day(kAlsoSaid).size() > 1) return view_.series(view_.by_day(kAlsoSaid));
        return view_.in_short(view_.chosen(view_.best()));
    }

    /// Whether something changed between two times is told by what was said then.
    [[nodiscard]] Sentences ends_or_all(const Sentences& rows) const {
        const bool is_whether = view_.asked.kind == AnswerKind::whether && view_.input.dates.periods.size() == 1;
        return is_whether ? Sentences{rows.front(), rows.back()} : rows;
    }

    [[nodiscard]] bool is_listing() const {
        return view_.asked.kind == AnswerKind::statement || view_.asked.kind == AnswerKind::number;
    }

    /// That it was changed in some way, and not only talked about.
    [[nodiscard]] static bool is_change(const EvidenceSentence& sentence) {
        return sentence.is_decision && sentence.direction != Direction::none;
    }

    /// As the best of all; the first time is not when something else was said.
    [[nodiscard]] bool says_as_much(const EvidenceSentence& sentence) const {
        constexpr double kLess = 0.2;
        const auto& best = view_.input.evidence.front();
        return sentence.coverage >= best.coverage - kLess && sentence.closeness >= best.closeness - kLess &&
               sentence.key >= best.key - kLess;
    }

    /// "When did … first …": the earliest or latest day of those that say it.
    [[nodiscard]] std::string by_time() const {
        const Direction asked = view_.asked.direction;
        for (const bool decided : {true, false}) {
            const auto found = view_.by_day(kOfTheSame, [&](const EvidenceSentence& sentence) {
                const bool is_so = asked == Direction::none || sentence.direction == asked;
                return says_as_much(sentence) && is_so && (sentence.is_decision || !decided);
            });
            if (found.empty()) continue;
            const auto& wanted = view_.asked.order == AnswerOrder::first ? found.front() : found.back();
            return view_.with_day(view_.with_neighbours(wanted));
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
            if (is_whether) return "Yes. " + view_.in_short({confirming.back()});
            return confirmed(confirming);
        }
        auto otherwise = view_.by_day(kOfTheSame, is_change);
        if (otherwise.empty()) return view_.in_short(view_.chosen(view_.best()));
        if (is_whether && otherwise.size() == 1) return "No. " + view_.in_short(otherwise);
        if (!view_.has_time()) otherwise = {otherwise.back()};
        return not_so(otherwise);
    }

    [[nodiscard]] std::string confirmed(const Sentences& changes) const {
        if (view_.has_time() && view_.asks_how_often()) {
            return fmt::format("{} times:\n\n{}", changes.size(), view_.series(changes));
        }
        if (view_.has_time() && is_listing() && changes.size() > 1) return view_.series(changes);
        // Who and why: the sentence that says it, of such a day.
        for (const auto& sentence : view_.input.evidence) {
            const bool is_of_day =
                std::ranges::any_of(changes, [&](const auto& one) { return view_.date(one) == view_.date(sentence); });
            if (is_of_day && sentence.fit >= 1) return view_.in_short(view_.chosen(sentence));
        }
        return view_.in_short(view_.chosen(changes.back()));
    }

    [[nodiscard]] std::string not_so(const Sentences& instead) const {
        return std::string(kNotSo) + view_.series(instead);
    }

    EvidenceView view_;
};

}  // namespace

SynthesizeAnswer::Output extracted_answer(const Librarian& librarian, const SynthesizeAnswer::Input& input) {
    if (input.evidence.empty()) return {.answered = false, .answer = {}};
    return {.answered = true, .answer = Extraction(librarian, input).answer()};
}

}  // namespace quaestor::workflows::cited
