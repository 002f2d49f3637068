#include "workflows/common/chart_wish.hpp"

#include "base/text.hpp"
#include "native/words.hpp"
#include "workflows/common/small_talk.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace quaestor::workflows {

namespace {

const WordSet kChartNouns{"chart", "graph", "plot", "diagram", "histogram", "scatterplot"};
const WordSet kChartVerbs{"plot", "graph", "chart", "visualize", "visualise"};
/// They ask for a chart only where one is named besides.
const WordSet kMakingVerbs{"show", "give",    "make",   "create",  "generate", "build",
                           "draw", "produce", "render", "display", "get",      "see"};
const WordSet kPolite{"please", "can", "could", "would", "will", "you", "i",   "we",  "want", "need",
                      "like",   "d",   "'",     "to",    "let",  "s",   "now", "and", "then", ","};
const WordSet kReceivers{"me", "us", "out"};
const WordSet kChartArticles{"a", "an", "the", "some", "nice", "simple", "small"};
const WordSet kChartTies{"of", "for", "showing", "with", "about", "that", "which", "shows", "displaying", ":"};
const WordSet kBefore{"as", "in", "on", "into", "using"};
const WordSet kSeams{"and", "then", "?", ".", ",", ";"};
const WordSet kPlurals{"bars", "lines", "points"};
const WordSet kAfter{"please", "instead", "now", "too", "form", "view", ".", "?", "!"};
const WordSet kPointers{"it",     "that",    "this", "them",    "those",   "these",   "the", "same",
                        "result", "results", "data", "numbers", "here",    "figures", "as",  "well",
                        "and",    "answer",  "now",  "again",   "instead", "please",  "too", "also",
                        "but",    "me",      "last", "?",       ".",       ","};

/// Words of the kind, with what they are called in full.
constexpr std::array<std::pair<std::string_view, ChartKind>, 16> kChartKinds{{{"line", ChartKind::line},
                                                                              {"lines", ChartKind::line},
                                                                              {"area", ChartKind::line},
                                                                              {"trend", ChartKind::line},
                                                                              {"bar", ChartKind::bar},
                                                                              {"bars", ChartKind::bar},
                                                                              {"column", ChartKind::bar},
                                                                              {"histogram", ChartKind::bar},
                                                                              {"horizontal", ChartKind::bar},
                                                                              {"pie", ChartKind::pie},
                                                                              {"donut", ChartKind::pie},
                                                                              {"doughnut", ChartKind::pie},
                                                                              {"scatter", ChartKind::scatter},
                                                                              {"scatterplot", ChartKind::scatter},
                                                                              {"points", ChartKind::scatter},
                                                                              {"bubble", ChartKind::scatter}}};

std::optional<ChartKind> kind_named(std::string_view word) {
    const auto found = std::ranges::find(kChartKinds, word, &std::pair<std::string_view, ChartKind>::first);
    return found == kChartKinds.end() ? std::nullopt : std::optional(found->second);
}

class Wish {
public:
    explicit Wish(std::string_view question) : text_(question) {
        for (const auto& word : native::split_words(question)) {
            spans_.push_back(word);
            words_.push_back(native::fold(question.substr(word.begin, word.end - word.begin)));
        }
        end_ = words_.size();
    }

    std::optional<ChartWish> found() {
        const bool is_at_end = take_end();
        const bool is_at_start = take_start(is_at_end);
        if (!is_at_end && !is_at_start) return std::nullopt;
        return ChartWish{kind_, what_is_left()};
    }

private:
    /// The word after "a bar chart", from `at`; `at` itself where none is named.
    std::size_t after_chart(std::size_t at) {
        const std::size_t begin = at;
        at = after_any(at, kChartArticles);
        ChartKind kind = kind_;
        while (at < end_ && kind_named(words_[at]) && !kChartNouns.contains(words_[at]))
            kind = *kind_named(words_[at++]);
        if (at == end_ || !kChartNouns.contains(words_[at])) return begin;
        kind_ = kind_named(words_[at]).value_or(kind);
        return at + 1;
    }

    /// "… as a line chart", "… as bars", "… and plot it".
    bool take_end() {
        std::size_t end = end_;
        while (end > 0 && kAfter.contains(words_[end - 1])) --end;
        const std::size_t whole = std::exchange(end_, end);
        for (std::size_t at = end; at-- > 0;) {
            // What stands in the charts stands there in the data.
            const bool is_known = at + 1 < end && words_[at + 1] == "the";
            const bool is_chart =
                kBefore.contains(words_[at]) && at + 1 < end && !is_known && after_chart(at + 1) == end;
            const bool is_plural = words_[at] == "as" && at + 2 == end && kPlurals.contains(words_[at + 1]);
            const bool is_pointing = at > 0 && kSeams.contains(words_[at - 1]) && kChartVerbs.contains(words_[at]) &&
                                     at + 2 == end && kPointers.contains(words_[at + 1]);
            if (!is_chart && !is_plural && !is_pointing) continue;
            if (is_plural) kind_ = kind_named(words_[at + 1]).value_or(kind_);
            end_ = is_pointing ? at - 1 : at;
            return true;
        }
        end_ = whole;
        return false;
    }

    /// "Plot …", "show me a bar chart of …", "bar chart of …".
    bool take_start(bool is_named) {
        std::size_t at = after_any(0, kPolite);
        if (at < end_ && kChartVerbs.contains(words_[at]) && !is_tie(at + 1)) {
            begin_ = after_any(at + 1, kReceivers);
            return true;
        }
        const bool is_making = at < end_ && kMakingVerbs.contains(words_[at]);
        if (is_making) at = after_any(at + 1, kReceivers);
        const std::size_t after = after_chart(at);
        if (after == at) {
            if (is_named && is_making) begin_ = at;
            return false;
        }
        const bool is_alone = after_any(after, kPointers) == end_ || after_any(after, kAfter) == end_;
        if (!is_tie(after) && !is_alone) return false;
        begin_ = after_any(after, kChartTies);
        return true;
    }

    [[nodiscard]] bool is_tie(std::size_t at) const { return at < end_ && kChartTies.contains(words_[at]); }

    [[nodiscard]] std::size_t after_any(std::size_t at, const WordSet& words) const {
        while (at < end_ && words.contains(words_[at])) ++at;
        return at;
    }

    [[nodiscard]] std::string what_is_left() const {
        if (after_any(begin_, kPointers) >= end_) return {};
        const std::size_t begin = spans_[begin_].begin;
        std::string left(text::trim(text_.substr(begin, spans_[end_ - 1].end - begin)));
        while (!left.empty() && left.back() == ',') left.pop_back();
        if (kind_ == ChartKind::scatter) set_side_by_side(left);
        return left;
    }

    /// "points against rebounds" are two measures of each thing.
    static void set_side_by_side(std::string& left) {
        for (const std::string_view between : {" against ", " versus ", " vs. ", " vs "}) {
            if (const auto at = left.find(between); at != std::string::npos) left.replace(at, between.size(), " and ");
        }
    }

    std::string_view text_;
    std::vector<native::WordSpan> spans_;
    std::vector<std::string> words_;
    std::size_t begin_ = 0;  ///< of what is left
    std::size_t end_ = 0;
    ChartKind kind_ = ChartKind::any;
};

}  // namespace

std::optional<ChartWish> chart_wish(std::string_view question) {
    return Wish(question).found();
}

bool is_chart_word(std::string_view word) {
    return kChartNouns.contains(word) || kChartVerbs.contains(word);
}

}  // namespace quaestor::workflows
