#include "cli/parse_view.hpp"

#include "cli/terminal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace quaestor::cli {

namespace {

using native::Knowledge;
using native::Link;
using native::Reading;
using native::Understanding;

/// Other readings that people are shown.
constexpr std::size_t kOthersShown = 4;

/// "singer.name"; "" for no column.
std::string full_column_name(native::ColumnId column, const Knowledge& knowledge) {
    if (column == 0) return {};
    const auto& table = knowledge.described_table(knowledge.schema().table_of(column));
    return fmt::format("{}.{}", table.name, knowledge.described(column).name);
}

std::string_view certainty_name(native::Spelling::Certainty certainty) {
    switch (certainty) {
        case native::Spelling::Certainty::exact:
            return "exact";
        case native::Spelling::Certainty::likely:
            return "likely";
        case native::Spelling::Certainty::unknown:
            return "unknown";
    }
    return "unknown";
}

json::array values_json(const Reading& reading, const Knowledge& knowledge) {
    json::array values;
    for (const auto& value : reading.values) {
        json::object shown{{"said", value.said}};
        if (value.column != 0) shown["column"] = full_column_name(value.column, knowledge);
        shown["written"] = value.written.text;
        shown["certainty"] = certainty_name(value.written.certainty);
        values.push_back(std::move(shown));
    }
    return values;
}

json::object reading_json(const Reading& reading, const Knowledge& knowledge, bool explain) {
    json::object shown{{"sql", reading.sql},
                       {"score", reading.score},
                       {"probability", reading.probability},
                       {"logical_form", reading.logical_form},
                       {"explanation", reading.explanation},
                       {"values", values_json(reading, knowledge)},
                       {"parser", reading.parser},
                       {"assumptions", encode(reading.assumptions)}};
    if (!explain) return shown;
    json::object features;
    const auto names = native::feature_names();
    for (std::size_t at = 0; at < names.size(); ++at) features[names[at]] = reading.features[at];
    shown["features"] = std::move(features);
    return shown;
}

/// What a link leads to: "singer.name = France", "singer", "desc".
std::string target_of(const Link& link, const Knowledge& knowledge) {
    if (link.kind == native::LinkKind::value) {
        return fmt::format("{} = {}", full_column_name(link.column, knowledge), link.text);
    }
    if (link.column != 0) return full_column_name(link.column, knowledge);
    if (link.table >= 0) return knowledge.described_table(link.table).name;
    return link.text;
}

json::array links_json(const Understanding& understood, const Knowledge& knowledge) {
    json::array links;
    for (const Link& link : understood.question.links) {
        json::object shown{{"words", understood.question.span(link.first, link.last)},
                           {"first", link.first},
                           {"last", link.last},
                           {"kind", encode(link.kind)},
                           {"score", link.score}};
        if (link.column != 0) shown["column"] = full_column_name(link.column, knowledge);
        if (link.table >= 0) shown["table"] = knowledge.described_table(link.table).name;
        if (!link.text.empty()) shown["text"] = link.text;
        links.push_back(std::move(shown));
    }
    return links;
}

std::string percent(double probability) {
    return fmt::format("{:.0f} %", 100 * probability);
}

/// A line with its title in front; what is said is data, so it is made visible.
std::string titled(std::string_view title, std::string_view text) {
    return fmt::format("{:<15}{}\n", title, visible(text));
}

std::string links_table(const Understanding& understood, const Knowledge& knowledge, std::size_t width) {
    Table table{.columns = {{"words"}, {"kind"}, {"meaning"}, {"score", true}}, .rows = {}};
    for (const Link& link : understood.question.links) {
        table.rows.push_back({std::string(understood.question.span(link.first, link.last)),
                              std::string(encode(link.kind).as_string()), target_of(link, knowledge),
                              fmt::format("{:.2f}", link.score)});
    }
    return "\n" + draw(table, width);
}

void add_best(const Reading& best, std::string& out) {
    out += titled("Read as", best.explanation);
    out += titled("SQL", best.sql);
    out += titled("Probability", percent(best.probability));
    for (const auto& assumption : best.assumptions) out += titled("Assumed", assumption);
}

void add_question(const Understanding& understood, std::string& out) {
    out += visible(understood.ask) + "\n";
    for (std::size_t at = 0; at < understood.options.size(); ++at) {
        out += fmt::format("  {}. {}\n", at + 1, visible(understood.options[at]));
    }
    out += "\n";
}

void add_others(const Understanding& understood, std::string& out) {
    const std::size_t count = std::min(understood.readings.size(), kOthersShown + 1);
    if (count < 2) return;
    out += "\nOther readings\n";
    for (std::size_t at = 1; at < count; ++at) {
        const Reading& other = understood.readings[at];
        out += fmt::format("  {:>5}  {}\n", percent(other.probability), visible(other.explanation));
        out += fmt::format("         {}\n", styled(visible(other.sql), Style::dim));
    }
}

}  // namespace

json::object to_json(const Understanding& understood, const Knowledge& knowledge, bool explain) {
    json::array readings;
    for (const Reading& reading : understood.readings) readings.push_back(reading_json(reading, knowledge, explain));
    json::object shown{{"question", understood.question.text},
                       {"decision", encode(understood.decision)},
                       {"readings", std::move(readings)},
                       {"not_understood", encode(understood.not_understood)}};
    if (understood.decision == native::Decision::ask) {
        shown["ask"] = understood.ask;
        shown["options"] = encode(understood.options);
    }
    if (!understood.near_values.empty()) shown["near_values"] = encode(understood.near_values);
    if (explain) shown["links"] = links_json(understood, knowledge);
    return shown;
}

std::string describe(const Understanding& understood, const Knowledge& knowledge, bool explain, std::size_t width) {
    std::string out;
    switch (understood.decision) {
        case native::Decision::answer:
            break;
        case native::Decision::ask:
            add_question(understood, out);
            break;
        case native::Decision::decline:
            out += "This question is not understood well enough to be answered.\n";
            if (!understood.readings.empty()) out += "\n";
            break;
    }
    if (!understood.readings.empty()) add_best(understood.readings.front(), out);
    if (!understood.not_understood.empty()) {
        out += titled("Not understood", fmt::format("{}", fmt::join(understood.not_understood, ", ")));
    }
    add_others(understood, out);
    if (explain) out += links_table(understood, knowledge, width);
    return out;
}

}  // namespace quaestor::cli
