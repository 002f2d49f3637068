#include "native/answer/sentences.hpp"

#include "native/lower.hpp"
#include "native/reading/wording_nouns.hpp"
#include "native/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace quaestor::native {

namespace {

using Role = AnswerColumn::Role;

/// So many measures of two are a table rather than sentences.
constexpr std::size_t kMeasuresInTable = 3;

/// "Yes: there are 3 players."
std::string behind(std::string_view yes_or_no, std::string text) {
    const bool opens_plainly = text.starts_with("The ") || text.starts_with("There ") || text.starts_with("No ") ||
                               text.starts_with("Nothing ") || text.starts_with("Here ");
    if (opens_plainly) text.front() = static_cast<char>(text.front() + 32);
    return fmt::format("{}: {}", yes_or_no, text);
}

/// "the wins are 50", but "the average points is 12".
std::string_view verb_after(std::string_view name) {
    constexpr auto kSingle =
        std::to_array<std::string_view>({"average", "total", "highest", "lowest", "number", "count"});
    const bool is_single =
        std::ranges::any_of(kSingle, [name](std::string_view word) { return name.starts_with(word); });
    const std::string head(name.substr(0, name.find(" per ")));
    return !is_single && singular(head) != head ? "are" : "is";
}

/// One row was found: "the height of each player" is that of the player.
std::string of_the(std::string text) {
    constexpr std::string_view kEach = " of each ";
    if (const std::size_t at = text.find(kEach); at != std::string::npos) text.replace(at, kEach.size(), " of the ");
    return text;
}

/// "the full name of the player with the highest height" → "the player with the highest height".
std::optional<std::string> without_name_of(const std::string& text, const std::string& noun) {
    const std::string who = " name of the " + noun;
    const std::size_t at = text.find(who);
    if (at == std::string::npos || text.find(" of ") < at) return std::nullopt;
    return "the " + text.substr(at + who.size() - noun.size());
}

std::string verb_for(std::size_t count) {
    return count == 1 ? "is" : "are";
}

}  // namespace

Sentences::Sentences(const AnswerInput& input, const AnswerShape& shape)
    : input_(input), shape_(shape), wish_(wish_of(input.question)) {}

std::vector<std::string> Sentences::worded(const Wording& wording) const {
    std::vector<std::string> out;
    if (shape_.form == nullptr) return out;
    const Spoken as_said{input_.spoken->question, input_.spoken->words, nullptr};
    for (const Spoken* spoken : {input_.spoken, &as_said}) {
        Phrases phrases(*input_.schema, *spoken);
        std::string text = wording(phrases);
        if (!text.empty() && text.size() <= kPhraseBytesMax) out.push_back(escaped_words(text));
    }
    return out;
}

std::string Sentences::phrase(const Wording& wording) const {
    const auto texts = worded(wording);
    return texts.empty() ? "" : texts.front();
}

Draft Sentences::draft() const {
    Draft draft = whole();
    if (wish_ != Wish::existence || shape_.result.columns.empty()) return draft;
    const bool is_single = shape_.result.row_count == 1 && shape_.columns.size() == 1;
    if (is_single && shape_.columns.front().cells->kind() == data::ValueKind::boolean) return draft;
    bool is_there = shape_.result.row_count > 0;
    if (is_single && (is_count(shape_.columns.front()) || shape_.columns.front().cells->is_null(0))) {
        is_there = shape_.columns.front().cells->number(0).value_or(0) > 0;
    }
    for (std::string& text : draft.texts) text = behind(is_there ? "Yes" : "No", std::move(text));
    return draft;
}

Draft Sentences::whole() const {
    const std::size_t rows = shape_.result.row_count;
    const std::size_t width = shape_.columns.size();
    if (width == 0) return {{"The result has no columns."}};
    if (rows == 0) return empty();
    if (rows == 1) return width == 1 ? single_value() : single_row();
    if (shape_.time != nullptr && !shape_.measures.empty() && rows > 2) {
        if (Draft series = this->series(); !series.texts.empty()) return series;
    }
    if (rows > kListedRowsMax) return many();
    if (width == 1) return list();
    if (rows == 2 && shape_.label != nullptr && !shape_.measures.empty() && width <= shape_.measures.size() + 1) {
        return two_groups();
    }
    return shape_.label != nullptr && shape_.measures.size() == 1 && width == 2 ? few() : many();
}

Draft Sentences::empty() const {
    Draft draft;
    if (is_one_query() && shape_.form->group.empty() && !shape_.form->limit) {
        for (const std::string& subjects :
             worded([this](Phrases& phrases) { return phrases.filtered_subjects(*shape_.form); })) {
            draft.texts.push_back(fmt::format("No {} were found.", subjects));
        }
    } else {
        for (const std::string& words : worded([this](Phrases& phrases) { return phrases.query(*shape_.form); })) {
            draft.texts.push_back(fmt::format("Nothing was found for {}.", words));
        }
    }
    if (is_one_query()) draft.texts.push_back(fmt::format("No {} match what was asked.", plural(row_noun())));
    draft.texts.emplace_back("Nothing matches what was asked.");
    return draft;
}

bool Sentences::is_count(const AnswerColumn& column) const {
    if (column.role != Role::measure) return false;
    if (column.meaning != nullptr) return counts_rows(*column.meaning) && shape_.form->group.empty();
    const std::string name = lower(column.cells->name());
    return name.starts_with("count") || name.starts_with("number of") || name == "n" || name.starts_with("num_");
}

std::vector<std::string> Sentences::count_sentences(double count) const {
    std::vector<std::string> texts;
    const auto say = [count](const std::string& noun, std::string_view rest) {
        if (count == 0) return fmt::format("There are no {}{}.", plural(noun), rest);
        return fmt::format("There {} {}{}.", count == 1 ? "is" : "are", counted(count, noun), rest);
    };
    if (is_one_query()) {
        const std::string noun = row_noun();
        for (const std::string& subjects :
             worded([this](Phrases& phrases) { return phrases.filtered_subjects(*shape_.form); })) {
            if (subjects.starts_with(plural(noun))) texts.push_back(say(noun, subjects.substr(plural(noun).size())));
        }
        texts.push_back(say(noun, ""));
    } else if (const auto noun = counted_noun(input_.question)) {
        texts.push_back(say("such " + singular(*noun), ""));
    }
    texts.push_back(fmt::format("The number is {}.", with_thousands(fmt::format("{:.0f}", count))));
    return texts;
}

Draft Sentences::single_value() const {
    const AnswerColumn& column = shape_.columns.front();
    const auto words = worded([this](Phrases& phrases) { return phrases.query(*shape_.form); });
    Draft draft;
    if (column.cells->is_null(0)) {
        for (const std::string& text : words) draft.texts.push_back(fmt::format("Nothing is recorded for {}.", text));
        draft.texts.push_back(fmt::format("Nothing is recorded for the {}.", name_of(column)));
        return draft;
    }
    if (column.cells->kind() == data::ValueKind::boolean && wish_ != Wish::facts) {
        return {{column.cells->text(0) == "true" ? "Yes." : "No."}};
    }
    const auto number = column.cells->number(0);
    if (number && is_count(column)) return {count_sentences(*number)};
    const std::string value = column.say(0);
    const std::string whose = circumstances();
    if (const std::string noun = counted_key(column); number && !noun.empty()) {
        const std::string amount = *number == 0 ? "no " + plural(noun) : counted(*number, noun);
        draft.texts.push_back(fmt::format("There {} {}{}.", *number == 1 ? "is" : "are", amount, whose));
    }
    if (const std::string noun = named_by(column); !noun.empty()) {
        for (const std::string& text : words) {
            if (auto who = without_name_of(of_the(text), noun)) {
                draft.texts.push_back(fmt::format("{} is {}.", capitalised(*who), value));
            }
        }
        draft.texts.push_back(fmt::format("The {} is {}.", noun, value));
    } else if (!whose.empty()) {
        const std::string name = name_of(column);
        draft.texts.push_back(fmt::format("The {}{} {} {}.", name, whose, verb_after(name), value));
    }
    for (const std::string& text : words) {
        if (text.starts_with("the ")) draft.texts.push_back(fmt::format("{} is {}.", capitalised(of_the(text)), value));
    }
    const std::string name = name_of(column);
    draft.texts.push_back(fmt::format("The {} {} {}.", name, verb_after(name), value));
    return draft;
}

/// "points 2,345, assists 12"
std::string Sentences::facts_of(std::size_t row, bool with_label) const {
    std::vector<std::string> facts;
    for (const AnswerColumn& column : shape_.columns) {
        if (with_label && &column == shape_.label) continue;
        facts.push_back(fmt::format("{} {}", name_of(column), column.say(row)));
    }
    return listed(facts);
}

Draft Sentences::single_row() const {
    Draft draft;
    const bool is_top = is_one_query() && shape_.form->limit && shape_.form->order.size() == 1;
    const AnswerColumn* top = nullptr;
    for (const AnswerColumn* measure : shape_.measures) {
        if (is_top && measure->meaning != nullptr && *measure->meaning == shape_.form->order.front().by) top = measure;
    }
    if (top != nullptr && shape_.label != nullptr && !top->cells->is_null(0)) {
        const auto leading = worded([this](Phrases& phrases) { return phrases.leading(*shape_.form); });
        for (const std::string& whose : {circumstances(), std::string()}) {
            for (const std::string& text : leading) {
                draft.texts.push_back(
                    fmt::format("{} has the {}{}: {}.", shape_.label->say(0), text, whose, top->say(0)));
            }
        }
    } else if (is_top && shape_.measures.empty() && shape_.columns.size() <= 3) {
        std::vector<std::string> values;
        for (const AnswerColumn& column : shape_.columns) values.push_back(column.say(0));
        for (const std::string& text : worded([this](Phrases& phrases) { return phrases.query(*shape_.form); })) {
            draft.texts.push_back(fmt::format("{} are {}.", capitalised(text), listed(values)));
        }
    }
    if (shape_.label != nullptr) {
        draft.texts.push_back(fmt::format("{}: {}.", shape_.label->say(0), facts_of(0, true)));
    } else {
        std::vector<std::string> facts;
        for (const AnswerColumn& column : shape_.columns) {
            const std::string name = name_of(column);
            facts.push_back(fmt::format("the {} {} {}", name, verb_after(name), column.say(0)));
        }
        draft.texts.push_back(capitalised(listed(facts)) + ".");
    }
    draft.wants_table = shape_.columns.size() > kListedRowsMax;
    return draft;
}

std::string Sentences::how_many_rows() const {
    const std::size_t rows = shape_.result.row_count;
    const std::string amount = counted(static_cast<double>(rows), row_noun());
    if (shape_.result.truncated) return "There are more than " + amount;
    const bool is_limited = shape_.form != nullptr && shape_.form->limit;
    return fmt::format("{} {} {}", is_limited ? "Here" : "There", verb_for(rows), amount);
}

Draft Sentences::list() const {
    const AnswerColumn& column = shape_.columns.front();
    std::vector<std::string> values;
    for (std::size_t row = 0; row < shape_.result.row_count; ++row) values.push_back(column.say(row));
    Draft draft;
    const bool has_leaders = is_one_query() && shape_.form->order.size() == 1 && shape_.form->limit &&
                             said_text(shape_.form->limit->count, *input_.spoken) == std::to_string(values.size());
    if (has_leaders) {
        for (const std::string& text : worded([this](Phrases& phrases) { return phrases.leaders(*shape_.form); })) {
            draft.texts.push_back(fmt::format("{} are {}.", capitalised(text), listed(values)));
        }
    }
    draft.texts.push_back(fmt::format("{}: {}.", how_many_rows(), listed(values)));
    return draft;
}

/// As exact as the two numbers are shown, unless nothing would be left of it.
std::string Sentences::difference(double left, double right, const NumberStyle& style) const {
    const double value = std::abs(left - right);
    NumberStyle same = style;
    if (const int decimals = decimals_of(std::max(std::abs(left), std::abs(right)));
        value >= std::pow(10.0, -decimals)) {
        same.decimals = decimals;
    }
    return style.is_percent() ? say_number(value, same).substr(0, say_number(value, same).size() - style.after.size()) +
                                    " percentage points"
                              : say_number(value, same);
}

std::string Sentences::comparison(const AnswerColumn& measure) const {
    const std::array labels{shape_.label->say(0), shape_.label->say(1)};
    std::string text = fmt::format("{}: {} {}, {} {}.", capitalised(name_of(measure)), labels[0], measure.say(0),
                                   labels[1], measure.say(1));
    const auto first = measure.cells->number(0);
    const auto second = measure.cells->number(1);
    if (!first || !second || labels[0] == labels[1]) return text;
    if (*first == *second) return text + " Both are the same.";
    const std::size_t higher = *first > *second ? 0 : 1;
    return text + fmt::format(" {} is higher by {}.", labels[higher], difference(*first, *second, measure.style));
}

/// "Celtics is higher in points and assists.": what one of two has more of. The table has the figures.
std::string Sentences::higher_in(std::size_t leader) const {
    std::vector<std::string> names;
    for (const AnswerColumn* measure : shape_.measures) {
        const auto first = measure->cells->number(leader);
        const auto second = measure->cells->number(1 - leader);
        if (first && second && *first > *second) names.push_back(name_of(*measure));
    }
    return names.empty() ? "" : fmt::format("{} is higher in {}.", shape_.label->say(leader), listed(names));
}

Draft Sentences::two_groups() const {
    std::string text;
    if (shape_.measures.size() < kMeasuresInTable) {
        for (const AnswerColumn* measure : shape_.measures) text += (text.empty() ? "" : " ") + comparison(*measure);
        return {{text}};
    }
    for (const std::size_t leader : {std::size_t{0}, std::size_t{1}}) {
        const std::string sentence = higher_in(leader);
        if (!sentence.empty()) text += (text.empty() ? "" : " ") + sentence;
    }
    return {.texts = {text.empty() ? how_many_rows() + "." : text}, .wants_table = true};
}

Draft Sentences::few() const {
    const AnswerColumn& measure = *shape_.measures.front();
    std::vector<std::string> items;
    for (std::size_t row = 0; row < shape_.result.row_count; ++row) {
        items.push_back(fmt::format("{} {}", shape_.label->say(row), measure.say(row)));
    }
    std::string text = fmt::format("{}: {}.", capitalised(name_of(measure)), listed(items));
    if (shape_.ordered != nullptr && measure.cells->number(0) == measure.cells->number(1)) text += " " + leader();
    return {{text}};
}

/// Who is first, or who shares the first place.
std::string Sentences::leader() const {
    if (shape_.ordered == nullptr || shape_.label == nullptr) return {};
    const auto best = shape_.ordered->cells->number(0);
    if (!best) return {};
    std::vector<std::string> names;
    std::size_t tied = 0;
    while (tied < shape_.result.row_count && shape_.ordered->cells->number(tied) == best) {
        if (names.size() < 3) names.push_back(shape_.label->say(tied));
        ++tied;
    }
    if (tied == shape_.result.row_count) return {};
    std::string most;
    if (is_one_query()) most = phrase([this](Phrases& phrases) { return phrases.leading(*shape_.form); });
    if (most.empty()) most = (shape_.descending ? "highest " : "lowest ") + name_of(*shape_.ordered);
    const std::string value = shape_.ordered->say(0);
    if (tied == 1) return fmt::format("{} has the {}: {}.", names.front(), most, value);
    if (tied <= names.size()) return fmt::format("{} share the {}: {}.", listed(names), most, value);
    return fmt::format("{} share the {}: {}.", counted(static_cast<double>(tied), row_noun()), most, value);
}

/// Who has most and who has least, of rows in no order.
std::string Sentences::extremes() const {
    if (shape_.ordered != nullptr || shape_.label == nullptr || shape_.measures.size() != 1) return {};
    const AnswerColumn& measure = *shape_.measures.front();
    std::vector<double> values;
    for (std::size_t row = 0; row < shape_.result.row_count; ++row) {
        if (const auto value = measure.cells->number(row)) values.push_back(*value);
    }
    if (values.size() != shape_.result.row_count) return {};
    const auto [lowest, highest] = std::ranges::minmax_element(values);
    if (*lowest == *highest) return {};
    const auto row_of = [&](auto place) { return static_cast<std::size_t>(place - values.begin()); };
    const bool is_shared = std::ranges::count(values, *lowest) > 1 || std::ranges::count(values, *highest) > 1;
    const std::string name = name_of(measure);
    const bool is_extreme = name.starts_with("highest ") || name.starts_with("lowest ");
    if (is_shared || is_extreme) {
        return fmt::format("{}: from {} to {}.", capitalised(name), measure.say(row_of(lowest)),
                           measure.say(row_of(highest)));
    }
    return fmt::format("{} has the highest {} ({}) and {} the lowest ({}).", shape_.label->say(row_of(highest)), name,
                       measure.say(row_of(highest)), shape_.label->say(row_of(lowest)), measure.say(row_of(lowest)));
}

Draft Sentences::many() const {
    Draft draft{.wants_table = true};
    const std::string rows = how_many_rows() + ".";
    for (const std::string& first : {leader(), extremes()}) {
        if (!first.empty()) draft.texts.push_back(rows + " " + first);
    }
    draft.texts.push_back(rows);
    return draft;
}

}  // namespace quaestor::native
