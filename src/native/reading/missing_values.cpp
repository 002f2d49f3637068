#include "native/reading/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quaestor::native {

namespace {

/// How long it may take to look a value up in a column that is too large to be known, and values that are offered.
constexpr std::chrono::milliseconds kLookupTime{2'000};
constexpr std::size_t kLookupRows = 5;

enum class Presence { there, absent, unsure };

/// Shorter parts of values are looked for as such.
constexpr std::size_t kNameBytesMin = 4;

/// Whether no value of a column that is known as a whole has the text in it. Patterns are written as they were said: a
/// name that nothing matches is as little there as one that nothing equals.
bool matches_nothing(const UsedValue& value, const Knowledge& knowledge) {
    if (value.column == 0 || !knowledge.knows_every_value(value.column)) return false;
    if (knowledge.schema().columns()[static_cast<std::size_t>(value.column)].is_iso_date) return false;
    const std::string part = squash(value.written.text);
    const auto values = knowledge.values().values_of(value.column);
    return part.size() >= kNameBytesMin && !values.empty() && !number_of(part) && !truth_of(part) &&
           std::ranges::none_of(values, [&part](const KnownValue& known) { return known.key.contains(part); });
}

/// Whether a value that was not found in the index is in its column as far as that can be told without a look.
Presence presence_of(const UsedValue& value, const Knowledge& knowledge) {
    if (value.written.certainty != Spelling::Certainty::unknown) {
        return matches_nothing(value, knowledge) ? Presence::absent : Presence::there;
    }
    if (value.column == 0) return Presence::absent;
    const SchemaColumn& column = knowledge.schema().columns()[static_cast<std::size_t>(value.column)];
    const bool is_amount = number_of(value.said) || period_of(value.said);
    switch (column.kind) {
        case ColumnKind::text:
            // Numbers and days in texts are compared by size too.
            if (is_amount) return Presence::there;
            return knowledge.knows_every_value(value.column) ? Presence::absent : Presence::unsure;
        case ColumnKind::number:
        case ColumnKind::boolean:
            return Presence::absent;
        case ColumnKind::time:
            return is_amount ? Presence::there : Presence::absent;
        case ColumnKind::other:
            return Presence::unsure;
    }
    return Presence::unsure;
}

/// The spellings of a value that its column has, without regard to case.
std::string lookup_sql(const UsedValue& value, const Knowledge& knowledge) {
    const data::CatalogTable& table = knowledge.described_table(knowledge.schema().table_of(value.column));
    const std::string column = data::quote_name(knowledge.described(value.column).name);
    return fmt::format("SELECT DISTINCT {0} FROM {1} WHERE lower(CAST({0} AS VARCHAR)) = lower({2}) LIMIT {3}", column,
                       data::quote_name(table.schema, table.name), data::quote_text(value.written.text), kLookupRows);
}

}  // namespace

bool surely_misses_values(const Candidate& candidate, const Knowledge& knowledge) {
    return std::ranges::any_of(candidate.written.values, [&](const UsedValue& value) {
        return presence_of(value, knowledge) == Presence::absent;
    });
}

Task<Result<std::vector<MissingValue>>> missing_values(data::Source& source, const Knowledge& knowledge,
                                                       const Candidate& candidate, const CancelToken& cancel) {
    std::vector<MissingValue> missing;
    for (const UsedValue& value : candidate.written.values) {
        const Presence presence = presence_of(value, knowledge);
        if (presence == Presence::there) continue;
        MissingValue absent{.said = value.said, .column = value.column, .nearest = value.written.nearest};
        if (absent.nearest.empty()) absent.nearest = knowledge.values().spelling(value.column, value.said).nearest;
        if (presence == Presence::unsure) {
            const data::QueryLimits limits{.rows = kLookupRows, .timeout = kLookupTime};
            const auto found = co_await source.query(lookup_sql(value, knowledge), limits, cancel);
            if (cancel.cancelled()) co_return fail(cancel.error());
            const std::size_t rows = found && !found->columns.empty() ? found->row_count : 0;
            for (std::size_t row = 0; row < rows; ++row) absent.nearest.push_back(found->columns[0].text(row));
            if (std::ranges::find(absent.nearest, value.written.text) != absent.nearest.end()) continue;
        }
        missing.push_back(std::move(absent));
    }
    co_return missing;
}

}  // namespace quaestor::native
