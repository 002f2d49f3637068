#include "native/beam_search.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace quaestor::native {

namespace {

/// Tokens of the longest form.
constexpr std::size_t kStepsMax = 90;
/// Live hypotheses this far below the best finished one are given up.
constexpr double kMargin = 12;
constexpr std::string_view kBegin = "BOS";
/// Stands for constants that the vocabulary lacks: it is learnt from and never written.
constexpr std::string_view kUnknownConstant = "V:UNK";

bool is_among(std::size_t token, std::span<const std::string_view> keywords) {
    return std::ranges::any_of(
        keywords, [token](std::string_view keyword) { return token == static_cast<std::size_t>(keyword_id(keyword)); });
}

struct Hypothesis {
    float score = 0;
    GrammarState state;
    std::vector<std::size_t> tokens;
    std::size_t place = Text2SqlNetwork::kRoot;
};

/// A hypothesis and the token after it.
struct Pick {
    float score = 0;
    std::size_t hypothesis = 0;
    std::size_t token = 0;
};

class Beam {
public:
    Beam(Text2SqlNetwork& network, const ModelInput& input, const Schema& schema, std::size_t width)
        : network_(network), input_(input), width_(width), is_key_(input.columns.size()), live_(1) {
        for (std::size_t at = 0; at < input.columns.size(); ++at) {
            is_key_[at] = std::ranges::find(schema.keys(), input.columns[at], &ForeignKey::from) != schema.keys().end();
        }
    }

    [[nodiscard]] Result<std::vector<FormCandidate>> search(const CancelToken& cancel) {
        const std::size_t steps = std::min(kStepsMax, network_.steps_max());
        for (std::size_t step = 0; step < steps && !live_.empty(); ++step) {
            if (cancel.cancelled()) return fail(cancel.error());
            advance(best_picks());
        }
        return std::move(done_);
    }

private:
    [[nodiscard]] std::vector<Pick> best_picks() {
        std::vector<Text2SqlNetwork::Branch> branches;
        for (const Hypothesis& hypothesis : live_) {
            const std::size_t newest =
                hypothesis.tokens.empty() ? static_cast<std::size_t>(keyword_id(kBegin)) : hypothesis.tokens.back();
            branches.push_back({hypothesis.place, newest});
        }
        const std::size_t first = network_.extend(branches);
        picks_.clear();
        for (std::size_t at = 0; at < live_.size(); ++at) {
            live_[at].place = first + at;
            add_picks(at);
        }
        const auto wanted = static_cast<std::ptrdiff_t>(std::min(picks_.size(), 2 * width_));
        std::ranges::partial_sort(picks_, picks_.begin() + wanted, [](const Pick& left, const Pick& right) {
            if (left.score != right.score) return left.score > right.score;
            return std::pair(left.hypothesis, left.token) < std::pair(right.hypothesis, right.token);
        });
        return {picks_.begin(), picks_.begin() + wanted};
    }

    /// Probabilities are shared out among the tokens that the grammar allows.
    void add_picks(std::size_t at) {
        const std::span<const float> logits = network_.logits(at);
        find_allowed(live_[at]);
        if (allowed_.empty()) return;
        chosen_.clear();
        for (const std::size_t token : allowed_) chosen_.push_back(logits[token]);
        const float log_sum = soft_max(chosen_);
        for (const std::size_t token : allowed_) {
            picks_.push_back({live_[at].score + (logits[token] - log_sum), at, token});
        }
    }

    void find_allowed(const Hypothesis& hypothesis) {
        const GrammarState::Allowed options = hypothesis.state.allowed();
        static const auto unknown = static_cast<std::size_t>(keyword_id(kUnknownConstant));
        allowed_.clear();
        for (std::size_t keyword = 0; keyword < kFormKeywords; ++keyword) {
            if (options.keywords.test(keyword) && keyword != unknown) allowed_.push_back(keyword);
        }
        const auto allow = [this](std::size_t first, std::size_t end) {
            for (std::size_t item = first; item < end; ++item) allowed_.push_back(kFormKeywords + item);
        };
        const std::size_t columns_end = input_.words + input_.columns.size();
        if (options.word_ends) {
            const std::size_t begin = hypothesis.tokens.back() - kFormKeywords;
            allow(begin, std::min(input_.words, begin + std::size_t{kSpanMax}));
        }
        if (options.words) allow(0, input_.words);
        if (options.columns) allow(input_.words, columns_end);
        for (std::size_t at = 0; at < is_key_.size() && options.keys; ++at) {
            if (is_key_[at]) allow(input_.words + at, input_.words + at + 1);
        }
        if (options.tables) allow(columns_end, columns_end + input_.tables.size());
    }

    void advance(const std::vector<Pick>& picks) {
        std::vector<Hypothesis> next;
        for (const Pick& pick : picks) {
            if (next.size() >= width_) break;
            if (is_idle(live_[pick.hypothesis].tokens, pick.token)) continue;
            Hypothesis grown = live_[pick.hypothesis];
            grown.score = pick.score;
            grown.tokens.push_back(pick.token);
            if (!grown.state.step(numbered_token(pick.token, input_))) continue;
            if (grown.state.is_complete()) {
                finish(grown);
            } else {
                next.push_back(std::move(grown));
            }
        }
        if (done_.size() > width_) done_.resize(width_);
        const bool is_far_behind =
            !next.empty() && !done_.empty() && double{next.front().score} < done_.front().score - kMargin;
        if (is_far_behind) next.clear();
        // Scores only fall: what is no better than the last of a full list will never enter it.
        if (done_.size() == width_) {
            std::erase_if(next,
                          [last = done_.back().score](const Hypothesis& one) { return double{one.score} <= last; });
        }
        live_ = std::move(next);
    }

    void finish(const Hypothesis& hypothesis) {
        FormCandidate candidate{.score = hypothesis.score, .tokens = {}};
        for (const std::size_t token : hypothesis.tokens) candidate.tokens.push_back(numbered_token(token, input_));
        const auto worse = std::ranges::upper_bound(done_, candidate.score, std::greater<>(), &FormCandidate::score);
        done_.insert(worse, std::move(candidate));
    }

    Text2SqlNetwork& network_;
    const ModelInput& input_;
    std::size_t width_;
    std::vector<bool> is_key_;  ///< by kept column: it is a foreign key
    std::vector<Hypothesis> live_;
    std::vector<FormCandidate> done_;  ///< best first
    std::vector<Pick> picks_;
    std::vector<std::size_t> allowed_;
    std::vector<float> chosen_;
};

std::optional<std::size_t> place_of(int what, const std::vector<int>& among) {
    const auto found = std::ranges::find(among, what);
    if (found == among.end()) return std::nullopt;
    return static_cast<std::size_t>(found - among.begin());
}

}  // namespace

std::optional<std::size_t> token_number(const FormToken& token, const ModelInput& input) {
    const auto value = static_cast<std::size_t>(token.value);
    std::optional<std::size_t> place;
    switch (token.kind) {
        case FormToken::Kind::keyword:
            if (token.value >= 0 && value < kFormKeywords) return value;
            return std::nullopt;
        case FormToken::Kind::word:
            if (token.value >= 0 && value < input.words) return kFormKeywords + value;
            return std::nullopt;
        case FormToken::Kind::column:
            place = place_of(token.value, input.columns);
            if (place) *place += kFormKeywords + input.words;
            return place;
        case FormToken::Kind::table:
            place = place_of(token.value, input.tables);
            if (place) *place += kFormKeywords + input.words + input.columns.size();
            return place;
    }
    return std::nullopt;
}

FormToken numbered_token(std::size_t number, const ModelInput& input) {
    using enum FormToken::Kind;
    if (number < kFormKeywords) return {keyword, static_cast<int>(number)};
    number -= kFormKeywords;
    if (number < input.words) return {word, static_cast<int>(number)};
    number -= input.words;
    if (number < input.columns.size()) return {column, input.columns[number]};
    return {table, input.tables[number - input.columns.size()]};
}

bool is_idle(std::span<const std::size_t> before, std::size_t token) {
    constexpr std::array<std::string_view, 11> kBetweenTwo = {"+",  "-", "/", "MUL", "PCT", "=",
                                                              "!=", ">", "<", ">=",  "<="};
    constexpr std::array<std::string_view, 5> kAggregates = {"COUNT", "SUM", "AVG", "MIN", "MAX"};
    if (before.size() < 2 || token < kFormKeywords) return false;
    const auto back = [before](std::size_t count) { return before[before.size() - count]; };
    if (back(2) == token && is_among(back(1), kBetweenTwo)) {
        return before.size() < 4 || back(4) != static_cast<std::size_t>(keyword_id("VIA"));
    }
    return before.size() > 3 && back(3) == token && back(4) == back(1) && is_among(back(1), kAggregates) &&
           is_among(back(2), kBetweenTwo);
}

Result<std::vector<FormCandidate>> beam_search(Text2SqlNetwork& network, const ModelInput& input, const Schema& schema,
                                               std::size_t width, const CancelToken& cancel) {
    return Beam(network, input, schema, width).search(cancel);
}

}  // namespace quaestor::native
