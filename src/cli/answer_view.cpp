#include "cli/answer_view.hpp"

#include "base/text.hpp"
#include "cli/markdown_view.hpp"
#include "cli/sql_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace quaestor::cli {

namespace {

using workflows::Answer;
using workflows::AnswerStatus;
using workflows::AskedQuery;
using workflows::ConfidenceLevel;

constexpr std::string_view kListMark = "  • ";

/// Parts with an empty line between them; what says nothing leaves none.
class Parts {
public:
    void add(const std::string& part) {
        if (part.empty()) return;
        if (!text_.empty()) text_ += "\n";
        text_ += part;
    }
    [[nodiscard]] std::string text() && { return std::move(text_); }

private:
    std::string text_;
};

std::string listed(std::string_view title, const std::vector<std::string>& items, std::size_t width) {
    if (items.empty()) return {};
    std::string out = styled(title, Style::bold) + "\n";
    for (const auto& item : items) out += draw_paragraph(item, kListMark, width);
    return out;
}

/// A statement below its place in the text; it keeps its own lines.
std::string indented_sql(std::string_view sql) {
    std::string out;
    for (const auto& line : text::lines(sql)) out += "  " + styled(visible(line), Style::dim) + "\n";
    return out;
}

std::string checked_line(const Answer& answer) {
    if (!answer.grounding || answer.grounding->checked == 0) return {};
    const auto& check = *answer.grounding;
    std::string line =
        fmt::format("Checked: {} of {} traced to the result.", check.traced, counted(check.checked, "fact"));
    if (!check.untraced.empty()) {
        line += fmt::format(" Not traced: {}.", visible(fmt::format("{}", fmt::join(check.untraced, ", "))));
    }
    return line + "\n";
}

/// Nothing for an answer that is sure.
std::string confidence_line(const Answer& answer) {
    if (!answer.confidence || answer.confidence->level == ConfidenceLevel::high) return {};
    const bool is_low = answer.confidence->level == ConfidenceLevel::low;
    return styled(fmt::format("Confidence: {} ({:.2f}).", is_low ? "low" : "medium", answer.confidence->score),
                  Style::yellow) +
           "\n";
}

std::string method_lines(const Answer& answer, std::size_t width) {
    std::string out;
    if (!answer.method.empty()) out += draw_markdown(answer.method, width);
    for (const auto& query : answer.queries) out += indented_sql(query.text);
    return out + checked_line(answer) + confidence_line(answer);
}

std::string options_of(const Answer& answer, std::string_view how_to_reply, std::size_t width) {
    if (!answer.clarification) return {};
    std::string out;
    std::size_t number = 0;
    for (const auto& option : answer.clarification->options) {
        out += draw_paragraph(option, fmt::format("  {}. ", ++number), width);
    }
    if (!how_to_reply.empty()) out += styled(how_to_reply, Style::dim) + "\n";
    return out;
}

std::string rows_note(const AskedQuery& query) {
    const auto kept = static_cast<std::int64_t>(query.result.rows.size());
    const bool has_more = query.result.truncated || query.result.row_count > kept;
    return fmt::format("{}{}\n", has_more ? "first " : "", counted(kept, "row"));
}

std::string steps_table(const Answer& answer, std::size_t width) {
    if (answer.trace.empty()) return {};
    Table table{.columns = {{"step"}, {"status"}, {"try", true}, {"ms", true}}, .rows = {}};
    for (const auto& step : answer.trace) {
        table.rows.push_back(
            {step.node, step.status, std::to_string(step.attempt), fmt::format("{:.1f}", step.latency_ms)});
    }
    return draw(table, width);
}

std::string reading_line(const Answer& answer, std::size_t width) {
    if (answer.resolved_question.empty() || answer.resolved_question == answer.question) return {};
    return draw_paragraph(answer.resolved_question, "Understood as: ", width);
}

std::string usage_line(const Answer& answer) {
    const auto& usage = answer.usage;
    if (usage.llm_calls == 0) return "No language model was asked.\n";
    return fmt::format("{} of a language model, {} tokens in, {} out, ${:.4f}.\n", counted(usage.llm_calls, "call"),
                       grouped(usage.input_tokens), grouped(usage.output_tokens), usage.cost_usd);
}

}  // namespace

ExitCode exit_code_for(AnswerStatus status) {
    switch (status) {
        case AnswerStatus::answered:
        case AnswerStatus::clarification:
            return ExitCode::done;
        case AnswerStatus::uncertain:
        case AnswerStatus::refused:
            return ExitCode::not_answered;
        case AnswerStatus::failed:
            break;
    }
    return ExitCode::dependency_failed;
}

std::string draw(const Answer& answer, const ChartLook& look, std::string_view how_to_reply) {
    Parts parts;
    parts.add(draw_markdown(answer.answer, look.width));
    parts.add(options_of(answer, how_to_reply, look.width));
    parts.add(draw_chart(answer.chart, look));
    parts.add(listed("Assumed", answer.assumptions, look.width));
    parts.add(method_lines(answer, look.width));
    parts.add(listed("You could ask next", answer.suggestions, look.width));
    return std::move(parts).text();
}

std::string draw_queries(const Answer& answer) {
    std::string out;
    for (const auto& query : answer.queries) {
        if (!out.empty()) out += "\n";
        for (const auto& line : text::lines(query.text)) out += visible(line) + "\n";
    }
    return out;
}

std::string draw_rows(const AskedQuery& query, std::size_t width) {
    return draw(workflows::result_of(query.result), width) + styled(rows_note(query), Style::dim);
}

std::string draw_citations(const Answer& answer, std::size_t width) {
    std::string out;
    for (const auto& citation : answer.citations) {
        std::string where = citation.document;
        if (!citation.date.empty()) where += ", " + citation.date;
        if (!citation.section.empty()) where += ", §" + citation.section;
        out += draw_paragraph(where, fmt::format("[{}] ", citation.n), width);
        out += draw_paragraph(fmt::format("\"{}\"", citation.excerpt), "    ", width);
    }
    return out;
}

std::string draw_reasons(const Answer& answer, std::size_t width) {
    Parts parts;
    parts.add(reading_line(answer, width));
    parts.add(listed("Assumed", answer.assumptions, width));
    parts.add(method_lines(answer, width));
    parts.add(steps_table(answer, width));
    parts.add(usage_line(answer));
    return std::move(parts).text();
}

}  // namespace quaestor::cli
