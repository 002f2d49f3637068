#include "native/reading/rules/tokens.hpp"

#include "native/characters.hpp"
#include "native/words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <queue>
#include <set>
#include <tuple>

namespace quaestor::native::rules {

using Kind = Token::Kind;

namespace {

constexpr double kCueScore = 0.92;
constexpr double kEventScore = 0.75;
/// For each word beyond the first: names of several words are rarely said by chance.
constexpr double kLongerBonus = 0.08;
/// Meanings this much worse than the best of their words are left out.
constexpr double kScoreSlack = 0.45;
constexpr double kScoreMin = 0.3;
/// Guesses up to this are not looked at where the lexicon knows the words.
constexpr double kGuessScoreMax = 0.5;

std::vector<std::string> folded_words(const LinkedQuestion& question) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < question.words.size(); ++at) words.push_back(fold(question.word(at)));
    return words;
}

Kind kind_of(LinkKind kind) {
    switch (kind) {
        case LinkKind::table:
            return Kind::table;
        case LinkKind::column:
            return Kind::column;
        case LinkKind::value:
            return Kind::value;
        case LinkKind::number:
            return Kind::number;
        case LinkKind::date:
            return Kind::period;
        default:
            return Kind::cue;
    }
}

/// Cues for words that the lexicon of the rules does not have.
std::optional<Cue> cue_of(const Link& link) {
    switch (link.kind) {
        case LinkKind::aggregate:
            return link.text == "count" ? Cue::count
                   : link.text == "sum" ? Cue::sum
                   : link.text == "avg" ? Cue::average
                   : link.text == "min" ? Cue::minimum
                                        : Cue::maximum;
        case LinkKind::comparison:
            if (link.text == ">") return Cue::more_than;
            if (link.text == ">=") return Cue::at_least;
            if (link.text == "<") return Cue::less_than;
            return link.text == "<=" ? Cue::at_most : Cue::exactly;
        case LinkKind::order:
            return link.text == "asc" ? Cue::lowest : Cue::highest;
        case LinkKind::negation:
            return Cue::negation;
        case LinkKind::filler:
            return Cue::filler;
        default:
            return std::nullopt;
    }
}

/// All that the words of a question may mean, by span.
class Lattice {
public:
    explicit Lattice(const LinkedQuestion& question) : words_(folded_words(question)) {
        for (std::size_t at = 0; at < words_.size(); ++at) add_cue(at);
        for (const Link& link : question.links) add_link(link);
        for (std::size_t at = 0; at < words_.size(); ++at) add_what_is_left(at);
        for (auto& [span, meanings] : spans_) put_in_order(meanings);
    }

    /// By dynamic programming over the words: the sequence of spans with the best sum of scores.
    [[nodiscard]] std::vector<Unit> best_units() const {
        const std::size_t size = words_.size();
        std::vector<double> best(size + 1, 0);
        std::vector<const std::vector<Token>*> chosen(size + 1, nullptr);
        for (std::size_t at = size; at-- > 0;) {
            best[at] = -1;
            for (auto span = spans_.lower_bound({at, 0}); span != spans_.end() && span->first.first == at; ++span) {
                const std::size_t after = span->first.second + 1;
                const double score = span_score(span->second.front()) + best[after];
                if (score <= best[at]) continue;
                best[at] = score;
                chosen[at] = &span->second;
            }
        }
        std::vector<Unit> units;
        for (std::size_t at = 0; at < size; at = chosen[at]->front().last + 1) {
            const Token& front = chosen[at]->front();
            if (chosen[at]->size() > 1 || !front.is(Cue::filler)) units.push_back({*chosen[at]});
        }
        return units;
    }

private:
    static double span_score(const Token& best) {
        const auto words = static_cast<double>(best.last - best.first + 1);
        return best.score * words + kLongerBonus * (words - 1);
    }
    void add(Token token) { spans_[{token.first, token.last}].push_back(std::move(token)); }

    void add_cue(std::size_t at) {
        const auto found = cue_at(words_, at);
        if (!found) return;
        sets_apart_ |= found->cue == Cue::difference || found->cue == Cue::compare || found->cue == Cue::versus ||
                       found->cue == Cue::change || found->cue == Cue::growth || found->cue == Cue::how_many_more;
        add({.kind = Kind::cue,
             .first = at,
             .last = at + found->words - 1,
             .score = kCueScore,
             .cue = found->cue,
             .detail = found->detail});
    }

    /// "previous month" is about the row before, and two years that are set against each other are no range.
    [[nodiscard]] bool is_other_period(const Link& link) const {
        if (link.kind != LinkKind::date) return false;
        const auto said = std::span(words_).subspan(link.first, link.last - link.first + 1);
        const bool is_range = std::ranges::any_of(said, [](const auto& word) { return word == "and" || word == "to"; });
        return said.front() == "previous" || (sets_apart_ && is_range);
    }

    /// "2022-23" is no difference of numbers.
    [[nodiscard]] bool is_dashed_number(const Link& link) const {
        const auto said = std::span(words_).subspan(link.first, link.last - link.first + 1);
        return link.kind == LinkKind::number && std::ranges::find(said, "-") != said.end();
    }

    void add_link(const Link& link) {
        if (link.last >= words_.size() || link.score < kScoreMin) return;
        if (is_other_period(link) || is_dashed_number(link)) return;
        const bool is_guess = link.score <= kGuessScoreMax && link.kind != LinkKind::value;
        if (is_guess && spans_.contains({link.first, link.last})) return;
        const Kind kind = kind_of(link.kind);
        const std::optional<Cue> cue = cue_of(link);
        if (kind == Kind::cue && (!cue || spans_.contains({link.first, link.last}))) return;
        add({.kind = kind,
             .first = link.first,
             .last = link.last,
             .score = kind == Kind::cue ? link.score * kCueScore : link.score,
             .cue = cue.value_or(Cue::filler),
             .table = link.table,
             .column = link.column,
             .text = link.text});
    }

    void add_what_is_left(std::size_t at) {
        if (spans_.contains({at, at})) return;
        std::size_t byte = 0;
        const bool is_word = !words_[at].empty() && is_word_point(next_point(words_[at], byte));
        if (!is_word || is_event_word(words_, at)) {
            add({.kind = Kind::cue, .first = at, .last = at, .score = is_word ? kEventScore : kCueScore});
        } else {
            add({.kind = Kind::unknown, .first = at, .last = at, .score = 0});
        }
    }

    static void put_in_order(std::vector<Token>& meanings) {
        std::ranges::sort(meanings, [](const Token& left, const Token& right) {
            return std::tuple(right.score, left.kind, left.column) < std::tuple(left.score, right.kind, right.column);
        });
        const double least = meanings.front().score - kScoreSlack;
        std::erase_if(meanings, [least](const Token& token) { return token.score < least; });
        if (meanings.size() > kMeaningsMax) meanings.resize(kMeaningsMax);
    }

    std::vector<std::string> words_;
    bool sets_apart_ = false;
    std::map<std::pair<std::size_t, std::size_t>, std::vector<Token>> spans_;
};

double log_score(const Token& token) {
    return token.is(Kind::unknown) ? 0 : std::log(token.score);
}

}  // namespace

std::vector<Unit> units_of(const LinkedQuestion& question) {
    return Lattice(question).best_units();
}

std::vector<TokenReading> readings_of(const std::vector<Unit>& units) {
    using Choice = std::vector<std::size_t>;
    const auto score_of = [&units](const Choice& choice) {
        double score = 0;
        for (std::size_t at = 0; at < units.size(); ++at) score += log_score(units[at].meanings[choice[at]]);
        return score;
    };
    using Scored = std::pair<double, Choice>;
    std::priority_queue<Scored> open;
    std::set<Choice> seen;
    open.emplace(score_of(Choice(units.size(), 0)), Choice(units.size(), 0));
    std::vector<TokenReading> readings;
    while (!open.empty() && readings.size() < kReadingsMax) {
        const auto [score, choice] = open.top();
        open.pop();
        TokenReading reading{.tokens = {}, .score = score};
        for (std::size_t at = 0; at < units.size(); ++at) {
            const Token& token = units[at].meanings[choice[at]];
            if (!token.is(Cue::filler)) reading.tokens.push_back(token);
            Choice next = choice;
            if (++next[at] == units[at].meanings.size() || !seen.insert(next).second) continue;
            const double next_score = score_of(next);
            open.emplace(next_score, std::move(next));
        }
        readings.push_back(std::move(reading));
    }
    return readings;
}

}  // namespace quaestor::native::rules
