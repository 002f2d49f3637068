// What the commands that ask models share: the network, the configured models, the prompts and who answers them.
// Private to cli/.
// Threads: for main()'s thread.
#pragma once

#include "cli/commands.hpp"
#include "llm/models.hpp"
#include "llm/reasoner.hpp"
#include "net/http_client.hpp"
#include "workflows/common/intent.hpp"

#include <chrono>
#include <memory>

namespace quaestor::cli {

/// What asking all models whether they are there may take.
inline constexpr std::chrono::seconds kProbeTime{5};

class Language {
public:
    /// As configured, on the tape that was asked for.
    [[nodiscard]] static Result<std::unique_ptr<Language>> open(const Settings& settings, const TapeOptions& tape);

    [[nodiscard]] llm::Models& models() { return *models_; }
    [[nodiscard]] llm::Reasoner& reasoner() { return *reasoner_; }
    [[nodiscard]] const llm::PromptBook& prompts() const { return prompts_; }

private:
    Language();

    net::HttpClient http_;
    llm::PromptBook prompts_;
    std::unique_ptr<llm::Models> models_;
    std::unique_ptr<workflows::NativeIntent> intent_;
    std::unique_ptr<llm::Reasoner> reasoner_;
};

/// The environment, for keys.
[[nodiscard]] std::map<std::string, std::string> environment();

}  // namespace quaestor::cli
