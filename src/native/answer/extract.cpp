#include "native/answer/extract.hpp"

#include "native/answer/extract_fit.hpp"
#include "native/answer/subjects.hpp"
#include "native/answer/word_groups.hpp"
#include "native/words.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace quaestor::native {

namespace {

using TermList = std::vector<std::string>;

/// What a term counts that stands elsewhere than in the sentence itself, or in other words.
constexpr double kAlikeWorth = 0.9;
constexpr double kNeighbourWorth = 0.7;
constexpr double kContextWorth = 0.8;
/// Of a name that the passage has anywhere.
constexpr double kNamedWorth = 0.5;
/// Worth below which a word of the question counts as not said.
constexpr double kGapBelow = 0.3;
/// TermList between a word of change and what is changed.
constexpr std::size_t kObjectAfter = 6;
constexpr std::size_t kObjectBefore = 3;
/// Shares of the score.
constexpr double kOfCoverage = 0.36;
constexpr double kOfCloseness = 0.36;
constexpr double kOfFit = 0.17;
constexpr double kOfRelevance = 0.11;
/// A sentence of the shape that is asked for says what is asked, whatever its words, and comes before others.
constexpr double kShapedCoverage = 0.95;
constexpr double kShapedBonus = 0.15;
/// The same where more is asked than that.
constexpr double kPartlyShapedBonus = 0.05;
/// What a sentence about the beginning still says of the end, and the other way round.
constexpr double kOtherPhaseWorth = 0.6;
/// Shares of all terms from which two texts count as the same.
constexpr double kAlikeFrom = 0.8;
/// Of a sentence whose numbers are counted in something else than what is asked for.
constexpr double kOtherUnitFit = 0.3;
/// A line of fewer terms is a heading or a scrap.
constexpr std::size_t kSentenceTermsMin = 2;

/// The terms of one text, to look them up.
class TermSet {
public:
    explicit TermSet(TermList terms) : terms_(std::move(terms)), set_(terms_.begin(), terms_.end()) {}
    [[nodiscard]] bool has(const std::string& term) const { return set_.contains(term); }
    [[nodiscard]] bool has_all(const Phrase& phrase) const {
        return std::ranges::all_of(phrase, [&](const std::string& term) { return has(term); });
    }
    [[nodiscard]] const TermList& terms() const { return terms_; }
    [[nodiscard]] std::size_t size() const { return set_.size(); }
    [[nodiscard]] const std::set<std::string>& all() const { return set_; }

private:
    TermList terms_;
    std::set<std::string> set_;
};

/// 1 for the term itself, less for what says the same, 0 for nothing.
double match(const AskedTerm& asked, const TermSet& text) {
    if (text.has(asked.term)) return 1;
    const bool is_alike = std::ranges::any_of(asked.alike, [&](const Phrase& phrase) { return text.has_all(phrase); });
    if (is_alike) return kAlikeWorth;
    const auto near = std::ranges::find_if(asked.near, [&](const NearTerm& one) { return text.has(one.term); });
    return near == asked.near.end() ? 0 : near->worth;
}

bool names_object(const AskedQuestion& question, const WordGroups& groups, const std::string& term) {
    return std::ranges::any_of(question.terms, [&](const AskedTerm& asked) {
        if (groups.direction_of(asked.term) != Direction::none) return false;
        if (asked.term == term && !groups.is_overview(term)) return true;
        return std::ranges::any_of(asked.alike, [&](const Phrase& phrase) {
            return std::ranges::find(phrase, term) != phrase.end() && groups.direction_of(term) == Direction::none;
        });
    });
}

/// A sentence among those of its passage.
struct SentenceView {
    const ExtractPassage& passage;
    const TermSet& context;
    const TermSet& whole;  ///< passage
    const std::vector<TermSet>& sentences;
    std::size_t at = 0;
};

double neighbour_match(const AskedTerm& asked, const SentenceView& view) {
    double best = 0;
    if (view.at > 0) best = match(asked, view.sentences[view.at - 1]);
    if (view.at + 1 < view.sentences.size()) best = std::max(best, match(asked, view.sentences[view.at + 1]));
    return best;
}

}  // namespace

struct Extractor::Inside {
    TermReader terms;
    WordGroups groups;

    explicit Inside(TermReader reader) : terms(std::move(reader)), groups(terms) {}

    /// The first word of change that stands beside what was asked about.
    [[nodiscard]] Direction direction_of(const AskedQuestion& question, const TermList& sentence) const {
        // Where nothing is named that could have been changed, anything may have been.
        const bool names_nothing = std::ranges::all_of(question.terms, [&](const AskedTerm& asked) {
            return groups.is_overview(asked.term) || groups.direction_of(asked.term) != Direction::none;
        });
        for (std::size_t at = 0; at < sentence.size(); ++at) {
            const Direction direction = groups.direction_of(sentence[at]);
            if (direction == Direction::none) continue;
            if (names_nothing) return direction;
            const std::size_t first = at - std::min(at, kObjectBefore);
            const std::size_t last = std::min(at + kObjectAfter, sentence.size() - 1);
            for (std::size_t near = first; near <= last; ++near) {
                if (near != at && names_object(question, groups, sentence[near])) return direction;
            }
        }
        return Direction::none;
    }

    /// What was done, said as such.
    [[nodiscard]] bool is_decision(const TermList& sentence, Direction direction, std::string_view text) const {
        const bool is_decided =
            std::ranges::any_of(sentence, [&](const std::string& term) { return groups.is_deciding(term); });
        return is_decided || (direction != Direction::none && !is_supposed(text));
    }

    /// Of a sentence for somebody who wants to know what happened: what was done, and figures of it.
    [[nodiscard]] static double overview_coverage(const RankedSentence& sentence, std::string_view text) {
        if (range_decision_in(text)) return 1;
        double coverage = 0.4;
        if (sentence.is_decision && sentence.direction != Direction::none) coverage += 0.3;
        if (fit_of(AnswerKind::number, text, {}) >= 1) coverage += 0.2;
        return coverage;
    }

    void cover(const AskedQuestion& question, const SentenceView& view, RankedSentence& ranked) const {
        double covered = 0;
        double all = 0;
        double weightiest = 0;
        for (const AskedTerm& asked : question.terms) {
            all += asked.weight;
            double worth = match(asked, view.sentences[view.at]);
            const bool is_change = groups.direction_of(asked.term) != Direction::none;
            // Whether it went the way that the question says is another matter.
            if (is_change && ranked.direction != Direction::none) worth = std::max(worth, kAlikeWorth);
            worth = std::max(worth, kContextWorth * match(asked, view.context));
            worth = std::max(worth, kNeighbourWorth * neighbour_match(asked, view));
            if (asked.is_name) worth = std::max(worth, kNamedWorth * match(asked, view.whole));
            covered += worth * asked.weight;
            if (worth < kGapBelow) ranked.gaps += asked.weight;
            if (asked.weight > weightiest) {
                weightiest = asked.weight;
                ranked.key = worth;
            }
        }
        ranked.coverage = all == 0 ? 0 : covered / all;
    }

    static void take_shape(const AskedQuestion& question, std::string_view text, RankedSentence& ranked) {
        if (question.is_pure) {
            ranked.coverage = std::max(ranked.coverage, kShapedCoverage);
            ranked.gaps = 0;
            ranked.key = 1;
        }
        const auto decision = question.subject == Subject::rate ? range_decision_in(text) : std::nullopt;
        if (!decision) return;
        ranked.direction = decision->direction;
        ranked.is_decision = true;
    }

    void rank_passage(const AskedQuestion& question, const ExtractPassage& passage, std::size_t number,
                      std::vector<RankedSentence>& out) const {
        const TermSet context(terms(passage.context));
        const bool asks_for_name = std::ranges::any_of(question.terms, &AskedTerm::is_name);
        const TermSet whole(asks_for_name ? terms(passage.text) : TermList());
        std::vector<TermSet> sentences;
        for (const auto& place : passage.sentences) {
            sentences.emplace_back(terms(passage.text.substr(place.begin, place.end - place.begin)));
        }
        for (std::size_t at = 0; at < sentences.size(); ++at) {
            const auto& place = passage.sentences[at];
            const auto text = passage.text.substr(place.begin, place.end - place.begin);
            if (sentences[at].size() < kSentenceTermsMin || is_title(text) || passage.context.contains(text)) continue;
            RankedSentence ranked{.passage = number, .begin = place.begin, .end = place.end};
            ranked.direction = direction_of(question, sentences[at].terms());
            ranked.is_decision = is_decision(sentences[at].terms(), ranked.direction, text);
            if (question.wants_overview) {
                ranked.coverage = overview_coverage(ranked, text);
            } else {
                cover(question, {passage, context, whole, sentences, at}, ranked);
            }
            ranked.is_shaped = is_about(question.wants_overview ? Subject::rate : question.subject, text);
            if (ranked.is_shaped) take_shape(question, text, ranked);
            ranked.fit = fit_of(question.kind, text, passage.context);
            if (!has_unit(question.unit, text)) ranked.fit = std::min(ranked.fit, kOtherUnitFit);
            if (speaks_of_other_phase(question.phase, text)) ranked.coverage *= kOtherPhaseWorth;
            ranked.bonus = !ranked.is_shaped ? 0 : question.is_pure ? kShapedBonus : kPartlyShapedBonus;
            ranked.score =
                ranked.bonus + kOfCoverage * ranked.coverage + kOfFit * ranked.fit + kOfRelevance * passage.relevance;
            if (ranked.coverage > 0) out.push_back(ranked);
        }
    }
};

Extractor::Extractor(TermReader terms) : inside_(std::make_unique<Inside>(std::move(terms))) {}
Extractor::~Extractor() = default;

AskedQuestion Extractor::read(std::string_view question) const {
    AskedQuestion asked{.kind = kind_of(question), .order = order_of(question)};
    const auto [subject, is_pure] = subject_of(question);
    asked.subject = subject;
    asked.is_pure = is_pure;
    const bool counts_something = asked.kind == AnswerKind::number && subject != Subject::vote;
    asked.unit = counts_something ? unit_of(question) : Unit::any;
    asked.wants_step = asks_for_step(question);
    asked.phase = phase_of(question);
    asked.wants_count = asks_for_count(question);
    asked.extreme = extreme_of(question);
    TermList all;
    for (std::string& term : inside_->terms(question)) {
        const bool is_known = std::ranges::find(all, term) != all.end();
        const bool is_counted_in = asked.kind == AnswerKind::number && only_names_unit(term);
        const bool is_content = !inside_->groups.is_asking(term) && !is_order_word(term) && !is_counted_in;
        if (!is_known && is_content) all.push_back(std::move(term));
    }
    asked.wants_overview =
        std::ranges::all_of(all, [&](const std::string& term) { return inside_->groups.is_overview(term); });
    for (std::size_t at = 0; at < all.size(); ++at) {
        asked.terms.push_back({.term = all[at],
                               .alike = inside_->groups.alike(all, at),
                               .direction = inside_->groups.direction_of(all[at]),
                               .is_body = inside_->groups.is_body(all[at])});
        if (asked.direction == Direction::none) asked.direction = inside_->groups.direction_of(all[at]);
    }
    const bool is_of_rate = asked.subject == Subject::rate && asked.is_pure;
    if (is_of_rate && asked.direction == Direction::none) asked.direction = rate_direction_in(question);
    // "Where did they leave it" asks for the place, not whether it was left.
    if (asked.direction == Direction::same && question.starts_with("Where")) asked.direction = Direction::none;
    // What was said about raising rates takes no rise for granted.
    const bool is_of_what_may_come = asked.kind == AnswerKind::condition || asked.subject == Subject::guidance;
    if (is_about_sayings(question) || is_of_what_may_come) asked.direction = Direction::none;
    return asked;
}

std::vector<RankedSentence> Extractor::rank(const AskedQuestion& question, std::span<const ExtractPassage> passages,
                                            std::size_t count) const {
    std::vector<RankedSentence> ranked;
    for (std::size_t number = 0; number < passages.size(); ++number) {
        inside_->rank_passage(question, passages[number], number, ranked);
    }
    std::ranges::sort(ranked, is_better);
    ranked.resize(std::min(ranked.size(), count));
    return ranked;
}

void Extractor::weigh(RankedSentence& sentence, double relevance) {
    sentence.score = kOfCoverage * sentence.coverage + kOfCloseness * sentence.closeness + kOfFit * sentence.fit +
                     kOfRelevance * relevance + sentence.bonus;
}

std::vector<std::string> Extractor::in_other_words(std::string_view question) const {
    constexpr std::size_t kWaysMax = 3;
    std::vector<std::string> ways(kWaysMax);
    for (const std::string& word : plain_words(question)) {
        const TermList terms = inside_->terms(word);
        if (terms.empty() || inside_->groups.is_asking(terms.front()) || is_order_word(terms.front())) continue;
        const auto others = inside_->groups.written_alike(terms.front());
        for (std::size_t way = 0; way < ways.size(); ++way) {
            if (!ways[way].empty()) ways[way] += ' ';
            ways[way] += way == 0 || others.empty() ? word : others[std::min(way, others.size()) - 1];
        }
    }
    std::swap(ways[0], ways[1]);  // like words first: they find what the words themselves did not
    return ways;
}

bool Extractor::are_alike(std::string_view left, std::string_view right) const {
    const TermSet of_left(inside_->terms(left));
    const TermSet of_right(inside_->terms(right));
    const auto common = static_cast<double>(
        std::ranges::count_if(of_left.all(), [&](const std::string& term) { return of_right.has(term); }));
    const auto most = static_cast<double>(std::max(of_left.size(), of_right.size()));
    return most == 0 || common / most >= kAlikeFrom;
}

double Extractor::support(std::string_view claim, std::string_view text) const {
    const TermSet of_text(inside_->terms(text));
    TermList claimed = inside_->terms(claim);
    std::erase_if(claimed, [&](const std::string& term) { return inside_->groups.is_asking(term); });
    if (claimed.empty()) return 1;
    double found = 0;
    for (std::size_t at = 0; at < claimed.size(); ++at) {
        found += match({.term = claimed[at], .alike = inside_->groups.alike(claimed, at)}, of_text);
    }
    return found / static_cast<double>(claimed.size());
}

Direction Extractor::direction_in(const AskedQuestion& question, std::string_view text) const {
    return inside_->direction_of(question, inside_->terms(text));
}

}  // namespace quaestor::native
