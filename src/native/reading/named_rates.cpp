#include "native/reading/named_rates.hpp"

#include "native/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace quaestor::native {

namespace {

/// Letters that "cancellation" and "cancelled" must share.
constexpr std::size_t kEventLettersMin = 5;
constexpr std::size_t kEventEndingMax = 6;
/// A column of that many values says what kind of thing a row is, and not what it is called.
constexpr std::size_t kEventKindsMax = 12;
/// A link that surely names a column.
constexpr double kRateColumnScore = 0.6;

/// "return" and "returned", "cancellation" and "cancelled": one word in two forms.
bool is_same_event(std::string_view said, std::string_view value) {
    constexpr auto kEndings = std::to_array<std::string_view>({"ed", "en", "t"});
    const bool has_happened =
        std::ranges::any_of(kEndings, [value](std::string_view ending) { return value.ends_with(ending); });
    const auto shared = static_cast<std::size_t>(std::ranges::mismatch(said, value).in1 - said.begin());
    const std::size_t longer = std::max(said.size(), value.size());
    return has_happened && shared >= kEventLettersMin && longer - shared <= kEventEndingMax;
}

struct Event {
    std::string value;
    TableId table = -1;
};

/// The one value that says that it happened; nothing where several columns have one.
std::optional<Event> event_called(std::string_view said, const Knowledge& knowledge) {
    std::optional<Event> found;
    for (std::size_t at = 1; at < knowledge.schema().columns().size(); ++at) {
        const auto id = static_cast<ColumnId>(at);
        const auto values = knowledge.values().values_of(id);
        if (values.size() < 2 || values.size() > kEventKindsMax) continue;
        for (const KnownValue& value : values) {
            if (!is_same_event(said, fold(value.spelling))) continue;
            if (found) return std::nullopt;
            found = Event{std::string(value.spelling), knowledge.schema().table_of(id)};
        }
    }
    return found;
}

}  // namespace

std::optional<std::string> with_named_rates(const LinkedQuestion& question, const Knowledge& knowledge) {
    for (std::size_t at = 1; at < question.words.size(); ++at) {
        const std::string word = fold(question.word(at));
        if (word != "rate" && word != "rates") continue;
        const bool is_column = std::ranges::any_of(question.links, [at](const Link& link) {
            return link.kind == LinkKind::column && link.first <= at && at <= link.last &&
                   link.score >= kRateColumnScore;
        });
        const auto event = is_column ? std::nullopt : event_called(fold(question.word(at - 1)), knowledge);
        if (!event) continue;
        const std::string& things = knowledge.schema().tables()[static_cast<std::size_t>(event->table)].words;
        const std::size_t begin = question.words[at - 1].begin;
        return fmt::format("{}percentage of {} {}{}", question.text.substr(0, begin), event->value, things,
                           question.text.substr(question.words[at].end));
    }
    return std::nullopt;
}

}  // namespace quaestor::native
