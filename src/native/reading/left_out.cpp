#include "native/reading/left_out.hpp"

#include "native/reading/form_profile.hpp"
#include "native/reading/rules/schema_view.hpp"

#include <algorithm>
#include <array>

namespace quaestor::native {

namespace {

constexpr double kSaidSurely = 0.95;
/// Words of columns that hold shares.
constexpr auto kShareNames = std::to_array<std::string_view>(
    {"percent", "percentage", "pct", "share", "rate", "ratio", "proportion", "fraction"});

constexpr auto kGrowthWords =
    std::to_array<std::string_view>({"growth", "grew", "grow", "grown", "increased", "decreased"});

template <std::size_t size>
bool says_any(std::string_view text, const std::array<std::string_view, size>& wanted) {
    const auto words = plain_words(text);
    return std::ranges::find_first_of(words, wanted) != words.end();
}

bool says_share(const LinkedQuestion& question) {
    return std::ranges::any_of(
        question.links, [](const Link& link) { return link.kind == LinkKind::share && link.score >= kSaidSurely; });
}

bool holds_shares(ColumnId column, const Schema& schema) {
    return says_any(schema.columns()[static_cast<std::size_t>(column)].words, kShareNames);
}

bool says_time_behind(std::string_view word) {
    static constexpr std::array<std::string_view, 9> kLeading{"in",    "since", "during",  "before", "after",
                                                              "until", "till",  "through", "from"};
    return std::ranges::find(kLeading, word) != kLeading.end();
}

}  // namespace

std::vector<std::string> times_left(const Query& read, const LinkedQuestion& question, const Knowledge& knowledge) {
    const FormProfile form = profile_of(read, knowledge.schema());
    const rules::SchemaView view(knowledge);
    if (std::ranges::any_of(form.compared, [&view](ColumnId column) { return view.says_when(column); })) return {};
    std::vector<std::string> left;
    for (const Link& link : question.links) {
        if (link.kind != LinkKind::date || link.score < kSaidSurely) continue;
        const bool is_led = link.first > 0 && says_time_behind(fold(question.word(link.first - 1)));
        const bool is_used = std::ranges::any_of(
            form.words, [&link](const Words& words) { return words.first <= link.last && link.first <= words.last; });
        if (!is_used && (is_led || link.last > link.first)) left.emplace_back(question.span(link.first, link.last));
    }
    return left;
}

bool leaves_out_share(const Query& form, const LinkedQuestion& question, const Schema& schema) {
    if (!says_share(question)) return false;
    const FormProfile profile = profile_of(form, schema);
    return profile.shares == 0 &&
           std::ranges::none_of(profile.columns, [&schema](ColumnId column) { return holds_shares(column, schema); });
}

bool leaves_out_growth(const Query& form, const LinkedQuestion& question, const Schema& schema) {
    if (!says_any(question.text, kGrowthWords)) return false;
    const FormProfile profile = profile_of(form, schema);
    const bool is_told = profile.differences + profile.windows > 0 || !form.group.empty();
    return !is_told && std::ranges::none_of(profile.columns, [&schema](ColumnId column) {
        return says_any(schema.columns()[static_cast<std::size_t>(column)].words, kGrowthWords);
    });
}

bool leaves_out_each(const Query& form, const LinkedQuestion& question) {
    constexpr auto kEach = std::to_array<std::string_view>({"each", "every"});
    const auto* count = form.limit ? std::get_if<Constant>(&form.limit->count) : nullptr;
    return count != nullptr && count->text == "1" && says_any(question.text, kEach);
}

bool leaves_out_something(const Query& form, const LinkedQuestion& question, const Knowledge& knowledge) {
    const Schema& schema = knowledge.schema();
    return leaves_out_share(form, question, schema) || leaves_out_growth(form, question, schema) ||
           leaves_out_each(form, question) || !times_left(form, question, knowledge).empty();
}

}  // namespace quaestor::native
