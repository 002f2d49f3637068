#include "native/reading/seasons.hpp"

#include "native/characters.hpp"

#include <algorithm>
#include <charconv>

namespace quaestor::native {

namespace {

constexpr std::size_t kYearDigits = 4;

std::optional<int> whole_number(std::string_view text) {
    int number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = problem == std::errc() && end == text.data() + text.size() && is_digit(text.front());
    return is_whole ? std::optional(number) : std::nullopt;
}

class SeasonWriter {
public:
    SeasonWriter(const LinkedQuestion& question, const rules::SchemaView& view) : question_(question), view_(view) {}

    void write(Query& query) const {
        for (Expression& shown : query.select) write(shown);
        if (query.where) write(*query.where);
        if (query.having) write(*query.having);
        if (query.combined) write(*query.combined->with);
    }

private:
    void write(Expression& expression) const {
        if (auto* aggregate = std::get_if<AggregateOf>(&expression.node)) {
            if (aggregate->filter) write(**aggregate->filter);
        } else if (auto* calculation = std::get_if<Calculation>(&expression.node)) {
            write(*calculation->left);
            write(*calculation->right);
        } else if (auto* subquery = std::get_if<Subquery>(&expression.node)) {
            write(*subquery->query);
        }
    }

    void write(Condition& condition) const {
        if (auto* all = std::get_if<AllOf>(&condition.node)) {
            for (Condition& part : all->parts) write(part);
        } else if (auto* any = std::get_if<AnyOf>(&condition.node)) {
            for (Condition& part : any->parts) write(part);
        } else if (auto* negated = std::get_if<NotThat>(&condition.node)) {
            write(*negated->condition);
        } else if (auto* between = std::get_if<Between>(&condition.node)) {
            write_side(between->left, between->low);
            write_side(between->left, between->high);
        } else if (auto* among = std::get_if<Among>(&condition.node)) {
            if (auto* subquery = std::get_if<Subquery>(&among->members)) write(*subquery->query);
        } else if (auto* compare = std::get_if<Compare>(&condition.node)) {
            write_side(compare->left, compare->right);
        }
    }

    void write_side(const Expression& left, Side& right) const {
        if (auto* expression = std::get_if<Expression>(&right)) return write(*expression);
        const auto* words = std::get_if<Words>(&right);
        const auto* ref = std::get_if<ColumnRef>(&left.node);
        if (words == nullptr || ref == nullptr || words->last >= question_.words.size()) return;
        const auto ends = season_end(question_.span(words->first, words->last));
        if (!ends || !view_.is_year(ref->column)) return;
        right = Constant{std::to_string(begins_with_year(view_, ref->column) ? *ends - 1 : *ends)};
    }

    const LinkedQuestion& question_;
    const rules::SchemaView& view_;
};

}  // namespace

std::optional<int> season_end(std::string_view text) {
    if (text.size() <= kYearDigits || (text[kYearDigits] != '-' && text[kYearDigits] != '/')) return std::nullopt;
    const auto first = whole_number(text.substr(0, kYearDigits));
    const std::string_view second = text.substr(kYearDigits + 1);
    if (!first || second.empty()) return std::nullopt;
    const std::string ends = std::to_string(*first + 1);
    const bool is_next = second == ends || (ends.size() > 2 && second == std::string_view(ends).substr(2));
    return is_next ? std::optional(*first + 1) : std::nullopt;
}

bool begins_with_year(const rules::SchemaView& view, ColumnId column) {
    const auto year_at = [&view](ColumnId id, std::size_t at) {
        std::string least = view.knowledge().described(id).min.value_or("");
        for (const KnownValue& value : view.knowledge().values().values_of(id)) {
            if (least.empty() || value.spelling < least) least = value.spelling;
        }
        return least.size() >= at + kYearDigits ? least.substr(at, kYearDigits) : std::string();
    };
    const std::string first = year_at(column, view.is_season_code(column) ? 1 : 0);
    for (const ColumnId id : view.schema().columns_of(view.table_of(column))) {
        if (view.is_date(id) && !first.empty()) return year_at(id, 0) == first;
    }
    return view.is_season_code(column);
}

Query with_seasons(Query form, const LinkedQuestion& question, const rules::SchemaView& view) {
    SeasonWriter(question, view).write(form);
    return form;
}

}  // namespace quaestor::native
