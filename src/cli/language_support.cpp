#include "cli/language_support.hpp"

#include "workflows/reflective/prompts.hpp"

#include <unistd.h>

namespace quaestor::cli {

namespace {

Result<std::shared_ptr<Tape>> open_tape(const TapeOptions& options) {
    if (options.record) return Tape::record(*options.record);
    if (options.replay) return Tape::replay(*options.replay);
    return nullptr;
}

}  // namespace

std::map<std::string, std::string> environment() {
    std::map<std::string, std::string> variables;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const auto equals = text.find('=');
        if (equals != std::string_view::npos) variables.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return variables;
}

Language::Language() : http_(net::settings_from_environment()) {
    prompts_.add<workflows::IntentClassification>();
    workflows::reflective::add_prompts(prompts_);
}

Result<std::unique_ptr<Language>> Language::open(const Settings& settings, const TapeOptions& options) {
    auto tape = open_tape(options);
    if (!tape) return fail(tape.error());
    std::unique_ptr<Language> language(new Language);
    auto models = llm::Models::open(settings.llm, {.http = language->http_,
                                                   .clock = system_clock(),
                                                   .random = system_random(),
                                                   .tape = std::move(*tape),
                                                   .environment = environment()});
    if (!models) return fail(models.error());
    language->models_ = std::move(*models);
    language->intent_ = std::make_unique<workflows::NativeIntent>(*language->models_);
    language->reasoner_ = std::make_unique<llm::Reasoner>(*language->models_);
    language->reasoner_->answer_natively<workflows::IntentClassification>(
        [intent = language->intent_.get()](const auto& input, const llm::AskOptions& options) {
            return intent->classify(input, options.cancel);
        });
    return language;
}

}  // namespace quaestor::cli
