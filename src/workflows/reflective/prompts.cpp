#include "workflows/reflective/prompts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace quaestor::workflows::reflective {

namespace {

std::string rendered_parts(const std::vector<AnalyzeData::Input::Part>& parts) {
    std::string text;
    for (const auto& part : parts) {
        text += fmt::format("\nAsked of the database: {}\n\n```sql\n{}\n```\n\nResult:\n{}", part.question, part.sql,
                            quoted_for_model(part.result));
    }
    return text;
}

std::string rendered_list(std::string_view heading, const std::vector<std::string>& lines) {
    if (lines.empty()) return {};
    return fmt::format("\n{}\n- {}\n", heading, fmt::join(lines, "\n- "));
}

}  // namespace

void add_prompts(llm::PromptBook& book) {
    book.add<ClarifyQuery>();
    book.add<RewriteQuery>();
    book.add<PlanQuery>();
    book.add<SelectTables>();
    book.add<GenerateSql>();
    book.add<AnalyzeData>();
    book.add<GradeResponse>();
}

std::string AnalyzeData::render(const Input& input) {
    return fmt::format("Question: {}\nPut the results together as: {}\n{}{}", input.question,
                       encode(input.combination_strategy).as_string().c_str(), rendered_parts(input.results),
                       rendered_list("Not found; say so:", input.missing) +
                           rendered_list("An earlier answer was not accepted:", input.issues));
}

std::string GradeResponse::render(const Input& input) {
    return fmt::format("Question: {}\n{}\nAnswer to check:\n{}\n{}", input.question, rendered_parts(input.results),
                       input.answer, rendered_list("Found by checks that need no model:", input.findings));
}

}  // namespace quaestor::workflows::reflective
