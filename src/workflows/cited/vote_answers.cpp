#include "base/text.hpp"
#include "native/answer/subjects.hpp"
#include "native/words.hpp"
#include "workflows/cited/evidence.hpp"
#include "workflows/cited/evidence_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace quaestor::workflows::cited {

namespace {

using native::AnswerKind;
using native::VoteReport;

/// The vote of one day, as its documents report it.
struct DayOfVote {
    EvidenceView::Sentences against;
    EvidenceView::Sentences nobody;
    EvidenceView::Sentences in_favour;
};

class VoteAnswers {
public:
    using Sentences = EvidenceView::Sentences;

    explicit VoteAnswers(const EvidenceView& view) : view_(view) {
        for (const auto& sentence : view.input.evidence) {
            const auto report = native::vote_report_in(view.words(sentence));
            if (report == VoteReport::none) continue;
            DayOfVote& day = days_[view.date(sentence)];
            auto& list = report == VoteReport::against          ? day.against
                         : report == VoteReport::nobody_against ? day.nobody
                                                                : day.in_favour;
            list.push_back(sentence);
        }
        static const std::set<std::string> kBodies{"fed",   "fomc",    "committee", "federal",   "reserve", "board",
                                                   "chair", "members", "governor",  "president", "us",      "bank"};
        for (const auto& name : names_in(topic())) {
            if (!kBodies.contains(text::fold(name))) names_.insert(text::fold(name));
        }
    }

    [[nodiscard]] std::string answer() const {
        if (days_.empty()) return {};
        if (view_.asks_how_often()) return count();
        if (!view_.has_time()) return undated();
        if (days_.size() > 1) return of_days();
        return of_day(days_.begin()->second);
    }

private:
    [[nodiscard]] const std::string& topic() const {
        return view_.input.dates.topic.empty() ? view_.input.question : view_.input.dates.topic;
    }
    [[nodiscard]] bool asks(std::initializer_list<std::string_view> parts) const {
        const std::string folded = text::fold(view_.input.question);
        return std::ranges::any_of(parts, [&](std::string_view part) { return folded.contains(part); });
    }
    [[nodiscard]] bool asks_for_support() const {
        return asks({"voted for", "in favor", "in favour", "vote for", "supported", "voting for"});
    }
    [[nodiscard]] bool asks_whether_all() const {
        return asks({"unanim", "all ", "everyone", "everybody", "consensus", "united"});
    }
    [[nodiscard]] bool is_named(const EvidenceSentence& sentence) const {
        const std::string folded = text::fold(view_.words(sentence));
        return std::ranges::any_of(names_, [&](const auto& name) { return folded.contains(name); });
    }
    [[nodiscard]] Sentences named(const Sentences& sentences) const {
        Sentences all;
        std::ranges::copy_if(sentences, std::back_inserter(all), [this](const auto& one) { return is_named(one); });
        return all;
    }

    /// Different sentences of the best one's document, as they stand there; its reasons behind it.
    [[nodiscard]] std::string told(const Sentences& sentences) const {
        Sentences all;
        for (const auto& sentence : sentences) {
            const bool is_said =
                std::ranges::any_of(all, [&](const auto& one) { return view_.are_alike(one, sentence); });
            const bool is_there = all.empty() || all.front().chunk == sentence.chunk;
            if (!is_said && is_there && all.size() < kSentencesSaid) all.push_back(sentence);
        }
        if (all.size() == 1) all = view_.with_neighbours(all.front());
        std::ranges::sort(all, {}, &EvidenceSentence::begin);
        const bool wants_reason = asks({"why", "ground", "reason", "argument"});
        if (const auto more = view_.with_next(all.back()); wants_reason && more.size() > 1) all.push_back(more.back());
        return view_.in_short(all);
    }

    [[nodiscard]] std::string of_day(const DayOfVote& day) const {
        if (!names_.empty()) {
            auto text = of_person(day);
            if (!text.empty()) return text;
        }
        if (asks_for_support()) {
            return told(!day.in_favour.empty() ? day.in_favour : !day.nobody.empty() ? day.nobody : day.against);
        }
        const bool is_whether = view_.asked.kind == AnswerKind::whether;
        if (!day.against.empty()) {
            const std::string verdict = !is_whether ? "" : asks_whether_all() ? "No. " : "Yes. ";
            return verdict + told(day.against);
        }
        const std::string verdict = !is_whether          ? "No vote against it is reported:\n\n"
                                    : asks_whether_all() ? "Yes. "
                                                         : "No. ";
        return verdict + told(day.nobody.empty() ? day.in_favour : day.nobody);
    }

    /// How somebody voted; that it was otherwise, where the question takes a dissent for granted.
    [[nodiscard]] std::string of_person(const DayOfVote& day) const {
        const auto against = named(day.against);
        const bool is_whether = view_.asked.kind == AnswerKind::whether;
        if (!against.empty()) return (is_whether && !asks_for_support() ? "Yes. " : "") + told(against);
        const auto in_favour = named(day.in_favour);
        const bool takes_dissent = asks({"dissent", "against", "oppose", "object", "vote no", "disagree"});
        if (!takes_dissent) return in_favour.empty() ? std::string() : told(in_favour);
        const Sentences& instead = !in_favour.empty() ? in_favour : !day.nobody.empty() ? day.nobody : day.in_favour;
        if (instead.empty()) return {};
        return (is_whether ? "No. " : std::string(kNotSo)) + told(instead);
    }

    /// One row a day: the dissents, or that there was none where the days are compared.
    [[nodiscard]] std::string of_days() const {
        Sentences rows;
        for (const auto& [date, day] : days_) {
            const auto against = names_.empty() ? day.against : named(day.against);
            if (!against.empty()) {
                rows.push_back(against.front());
            } else if (view_.input.dates.periods.size() > 1) {
                rows.push_back(!day.nobody.empty()      ? day.nobody.front()
                               : !day.in_favour.empty() ? day.in_favour.front()
                                                        : day.against.front());
            }
        }
        if (rows.size() == 1) return view_.with_day(rows);
        return rows.empty() ? std::string() : view_.series(rows);
    }

    /// How many days had a vote against it.
    [[nodiscard]] std::string count() const {
        Sentences rows;
        for (const auto& [date, day] : days_) {
            const auto against = names_.empty() ? day.against : named(day.against);
            if (!against.empty()) rows.push_back(against.front());
        }
        if (rows.empty()) return {};
        const std::string times = rows.size() == 1 ? "Once" : fmt::format("{} times", rows.size());
        return fmt::format("{}:\n\n{}", times, view_.series(rows));
    }

    /// The newest vote of the kind that is asked for.
    [[nodiscard]] std::string undated() const {
        for (auto day = days_.rbegin(); day != days_.rend(); ++day) {
            const auto against = names_.empty() ? day->second.against : named(day->second.against);
            if (!against.empty()) return view_.with_day({against.front()});
        }
        return {};
    }

    const EvidenceView& view_;
    std::map<std::string, DayOfVote> days_;
    std::set<std::string> names_;  ///< of persons in the question, folded
};

}  // namespace

std::string vote_answer(const EvidenceView& view) {
    return VoteAnswers(view).answer();
}

}  // namespace quaestor::workflows::cited
