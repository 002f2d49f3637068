#include "native/answer/subjects.hpp"
#include "native/words.hpp"
#include "retrieval/sentences.hpp"
#include "workflows/cited/evidence_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>

namespace quaestor::workflows::cited {

namespace {

using native::AnswerKind;
using native::AnswerOrder;
using native::Direction;
using native::Extreme;
using native::RangeDecision;

constexpr double kBasisPoints = 100;

/// Where the rate was set on one day, and the sentence that says so.
struct Setting {
    EvidenceSentence sentence;
    RangeDecision decision;
};

class RateAnswers {
public:
    using Sentences = EvidenceView::Sentences;

    explicit RateAnswers(const EvidenceView& view) : view_(view) {
        for (const auto& sentence : view.input.evidence) {
            if (const auto decision = native::range_decision_in(view.words(sentence))) {
                settings_.try_emplace(view.date(sentence), Setting{sentence, *decision});
            }
        }
    }

    [[nodiscard]] std::string correction() const {
        const Direction taken = view_.asked.direction;
        if (taken != Direction::up && taken != Direction::down) return {};
        std::vector<Setting> all;
        for (const auto& day : view_.input.dates.dates) {
            const auto found = settings_.find(day);
            auto setting = found != settings_.end() ? std::optional(found->second) : setting_of(day);
            if (setting) all.push_back(std::move(*setting));
        }
        const bool is_so = std::ranges::any_of(all, [&](const auto& one) { return one.decision.direction == taken; });
        return all.empty() || is_so ? std::string() : std::string(kNotSo) + view_.series(sentences_of(all));
    }

    [[nodiscard]] std::string answer() const {
        if (settings_.empty()) return {};
        const auto& asked = view_.asked;
        if (asked.extreme != Extreme::none) return extreme();
        const bool is_one_day = view_.has_time() && settings_.size() == 1;
        if (asked.direction == Direction::none) {
            if (asked.wants_step && is_one_day) return step(settings_.begin()->second);
            if (asked.kind == AnswerKind::reason && is_one_day) return reason(settings_.begin()->second.sentence);
            if (is_one_day || !(view_.compares() || view_.has_time())) return view_.in_short({newest().sentence});
            return view_.series(sentences_of(settings()));
        }
        const auto changes = of_asked_size(settings(asked.direction));
        if (changes.empty()) return otherwise();
        if (asked.kind == AnswerKind::whether) return with_verdict("Yes.", changes);
        if (view_.asks_how_often()) return count(changes);
        if (wants_first()) return firsts(changes);
        if (asked.order == AnswerOrder::last) return view_.with_day({changes.back().sentence});
        if (asked.kind == AnswerKind::reason) return reason(changes.back().sentence);
        if (asked.wants_step && changes.size() == 1) return step(changes.front());
        if (!view_.has_time() && asked.order == AnswerOrder::best) return view_.with_day({changes.back().sentence});
        return view_.series(sentences_of(changes));
    }

private:
    [[nodiscard]] const Setting& newest() const { return settings_.rbegin()->second; }

    /// In the order of time.
    [[nodiscard]] std::vector<Setting> settings(Direction direction = Direction::none) const {
        std::vector<Setting> all;
        for (const auto& [day, setting] : settings_) {
            if (direction == Direction::none || setting.decision.direction == direction) all.push_back(setting);
        }
        return all;
    }
    /// Of a question that names a size, the changes of that size; all where none is known to be.
    [[nodiscard]] std::vector<Setting> of_asked_size(std::vector<Setting> changes) const {
        const auto asked = native::step_named_in(view_.input.question);
        if (!asked) return changes;
        std::vector<Setting> same;
        std::ranges::copy_if(changes, std::back_inserter(same), [&](const Setting& one) {
            const auto points = points_of(one);
            return points && std::lround(*points) == *asked;
        });
        return same.empty() ? changes : same;
    }

    /// By how many basis points the rate was changed.
    [[nodiscard]] std::optional<double> points_of(const Setting& setting) const {
        auto before = setting.decision.low_before;
        if (!before) {
            const auto own = settings_.lower_bound(view_.date(setting.sentence));
            const auto earlier = own == settings_.begin() ? setting_before(view_.date(setting.sentence))
                                                          : std::optional(std::prev(own)->second);
            if (earlier) before = earlier->decision.low;
        }
        if (!before) return std::nullopt;
        return std::abs(setting.decision.low - *before) * kBasisPoints;
    }

    [[nodiscard]] static Sentences sentences_of(const std::vector<Setting>& settings) {
        Sentences all;
        for (const auto& setting : settings) all.push_back(setting.sentence);
        return all;
    }

    [[nodiscard]] std::string with_verdict(std::string_view verdict, const std::vector<Setting>& settings) const {
        if (settings.size() == 1) return fmt::format("{} {}", verdict, view_.in_short(sentences_of(settings)));
        return fmt::format("{}\n\n{}", verdict, view_.series(sentences_of(settings)));
    }

    /// "First", and a beginning: "when did they start to raise".
    [[nodiscard]] bool wants_first() const {
        static constexpr std::array<std::string_view, 7> kBeginnings{"start",     "started", "begin",   "began",
                                                                     "beginning", "liftoff", "starting"};
        if (view_.asked.order == AnswerOrder::first) return true;
        const auto words = native::plain_words(view_.input.question);
        return view_.asked.kind == AnswerKind::date && std::ranges::any_of(words, [](const std::string& word) {
                   return std::ranges::find(kBeginnings, word) != kBeginnings.end();
               });
    }

    /// The first of all, or of each time that is named.
    [[nodiscard]] std::string firsts(const std::vector<Setting>& changes) const {
        Sentences all;
        for (const auto& period : view_.input.dates.periods) {
            const auto first = std::ranges::find_if(changes, [&](const Setting& change) {
                const auto& day = view_.date(change.sentence);
                return day >= period.from && day <= period.to;
            });
            if (first != changes.end()) all.push_back(first->sentence);
        }
        return all.size() > 1 ? view_.series(all) : view_.with_day({changes.front().sentence});
    }

    /// The day on which the highest or lowest was reached.
    [[nodiscard]] std::string extreme() const {
        const bool is_high = view_.asked.extreme == Extreme::highest;
        const Setting* best = nullptr;
        for (const auto& [day, setting] : settings_) {
            const double ahead = best == nullptr ? 1 : setting.decision.low - best->decision.low;
            if (best == nullptr || (is_high ? ahead > 0 : ahead < 0)) best = &setting;
        }
        return view_.with_day({best->sentence});
    }

    [[nodiscard]] std::string count(const std::vector<Setting>& changes) const {
        const std::string times = changes.size() == 1 ? "Once" : fmt::format("{} times", changes.size());
        return fmt::format("{}:\n\n{}", times, view_.series(sentences_of(changes)));
    }

    /// What the sentence says, another of that day, or the two days side by side.
    [[nodiscard]] std::string step(const Setting& setting) const {
        if (native::names_step(view_.words(setting.sentence))) return view_.in_short({setting.sentence});
        for (const auto& other : view_.input.evidence) {
            const auto decision = native::range_decision_in(view_.words(other));
            const bool is_of_day = view_.date(other) == view_.date(setting.sentence);
            if (decision && is_of_day && native::names_step(view_.words(other))) return view_.in_short({other});
        }
        const auto before = setting_before(view_.date(setting.sentence));
        if (!before || before->decision.low == setting.decision.low) return view_.in_short({setting.sentence});
        const double points = std::abs(setting.decision.low - before->decision.low) * kBasisPoints;
        return fmt::format("By {:.0f} basis points:\n\n{}", points, view_.series({before->sentence, setting.sentence}));
    }

    /// That of the last day before, from passages of a time that was not asked about.
    [[nodiscard]] std::optional<Setting> setting_before(const std::string& day) const {
        std::string before;
        for (const auto& passage : view_.input.passages) {
            if (passage.date < day && passage.date > before) before = passage.date;
        }
        return setting_of(before);
    }

    /// From any passage of that day.
    [[nodiscard]] std::optional<Setting> setting_of(const std::string& day) const {
        for (std::size_t at = 0; at < view_.input.passages.size(); ++at) {
            const auto& passage = view_.input.passages[at];
            if (passage.date != day) continue;
            for (const auto& span : retrieval::sentences_of(passage.text)) {
                const auto decision = native::range_decision_in(span.of(passage.text));
                if (!decision) continue;
                return Setting{EvidenceSentence{.chunk = static_cast<std::int64_t>(at),
                                                .begin = static_cast<std::int64_t>(span.begin),
                                                .end = static_cast<std::int64_t>(span.end),
                                                .is_shaped = true},
                               *decision};
            }
        }
        return std::nullopt;
    }

    /// The decision with what it refers to, and the best other reason of that day.
    [[nodiscard]] std::string reason(const EvidenceSentence& decision) const {
        Sentences all = view_.with_what_it_means(decision);
        for (const auto& other : view_.input.evidence) {
            const bool is_said = std::ranges::any_of(all, [&](const auto& one) { return view_.are_alike(one, other); });
            const bool is_reason = other.fit >= 1 && !other.is_shaped && other.score >= view_.top() - kOfTheSame;
            if (is_said || !is_reason || view_.date(other) != view_.date(decision)) continue;
            all.push_back(other);
            break;
        }
        return view_.in_short(all);
    }

    /// Nothing went the way that the question takes for granted.
    [[nodiscard]] std::string otherwise() const {
        const auto all = view_.has_time() ? settings() : std::vector{newest()};
        if (view_.asked.kind == AnswerKind::whether) return with_verdict("No.", all);
        if (view_.asks_how_often()) return "Not once:\n\n" + view_.series(sentences_of(all));
        return std::string(kNotSo) + view_.series(sentences_of(all));
    }

    const EvidenceView& view_;
    std::map<std::string, Setting> settings_;  ///< by day
};

}  // namespace

std::string rate_correction(const EvidenceView& view) {
    return RateAnswers(view).correction();
}

std::string rate_answer(const EvidenceView& view) {
    return RateAnswers(view).answer();
}

}  // namespace quaestor::workflows::cited
