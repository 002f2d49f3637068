#include "cli/language_support.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

namespace quaestor::cli {

namespace {

CommandResult list_prompts(const Invocation& invocation, const Language& language) {
    const auto all = language.prompts().all();
    if (invocation.json) {
        json::array listed;
        for (const auto* spec : all) {
            listed.push_back({{"key", spec->key},
                              {"tier", encode(spec->tier)},
                              {"input", spec->input_schema},
                              {"output", spec->output.schema}});
        }
        print_json({{"prompts", std::move(listed)}});
        return ExitCode::done;
    }
    Table table{.columns = {{"prompt"}, {"tier"}, {"what it asks"}}, .rows = {}, .wraps = true};
    for (const auto* spec : all) {
        table.rows.push_back(
            {spec->key, std::string(boost::describe::enum_to_string(spec->tier, "")), spec->instructions});
    }
    print_text(draw(table, terminal_width()));
    return ExitCode::done;
}

void print_request(const llm::ChatRequest& request) {
    for (const auto& message : request.messages) {
        print_text(fmt::format("{}\n", styled(boost::describe::enum_to_string(message.role, ""), Style::bold)));
        print_data(message.content + "\n\n");
    }
}

CommandResult show_request(const Invocation& invocation, const llm::PromptSpec& spec, const std::string& rendered) {
    const llm::ChatRequest request{.messages = llm::messages_for(spec, rendered), .output = spec.output};
    if (invocation.json) {
        print_json(encode(request));
    } else {
        print_request(request);
    }
    return ExitCode::done;
}

json::value answer_json(const llm::PromptSpec& spec, const llm::Reasoner::Answer& answer,
                        const llm::UsageLedger& ledger) {
    json::object object{{"prompt", spec.key},
                        {"by", encode(answer.by)},
                        {"model", answer.model},
                        {"output", answer.output},
                        {"usage", encode(ledger.total())}};
    if (answer.request) object["request"] = encode(*answer.request);
    if (answer.reply) object["reply"] = encode(*answer.reply);
    return object;
}

void print_answer(const llm::Reasoner::Answer& answer, const llm::UsageLedger& ledger) {
    if (answer.request) print_request(*answer.request);
    if (answer.reply) {
        print_text(fmt::format("{}\n", styled("assistant", Style::bold)));
        print_data(answer.reply->message.content + "\n\n");
    }
    print_text(fmt::format("{} {}\n", styled("answer of", Style::bold), answer.model));
    print_data(to_pretty_text(answer.output) + "\n");
    const auto total = ledger.total();
    if (total.llm_calls == 0) return;
    print_text(styled(fmt::format("{}, {} tokens in, {} out, ${:.4f}\n", counted(total.llm_calls, "call"),
                                  grouped(total.input_tokens), grouped(total.output_tokens), total.cost_usd),
                      Style::dim));
}

}  // namespace

CommandResult prompt(const Invocation& invocation, const PromptOptions& options) {
    auto language = Language::open(invocation.settings(), options.tape);
    if (!language) return fail(language.error());
    if (!options.key) return list_prompts(invocation, **language);
    const auto spec = (*language)->prompts().find(*options.key);
    if (!spec) return fail(spec.error());
    auto input = parse_json(options.input);
    if (!input) return fail(Error{Code::invalid_argument, "--input is no JSON"}.because(input.error()));
    const auto rendered = (*spec)->render(*input);
    if (!rendered) return fail(rendered.error());
    if (options.show_request) return show_request(invocation, **spec, *rendered);
    llm::UsageLedger ledger(invocation.settings().llm.budget);
    const auto answer = run_to_end((*language)->reasoner().ask_json(
        **spec, std::move(*input), {.node = "prompt", .ledger = &ledger, .cancel = invocation.cancel}));
    if (!answer) return fail(answer.error());
    if (invocation.json) {
        print_json(answer_json(**spec, *answer, ledger));
    } else {
        print_answer(*answer, ledger);
    }
    return ExitCode::done;
}

}  // namespace quaestor::cli
