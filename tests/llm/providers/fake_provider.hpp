// Providers as they document themselves, for a scripted server: each refuses a request that has a field it does not
// know, misses one or has one of the wrong kind, reads what was asked, and writes the same scripted reply in its own
// wire format. Owned by the test. Threads: immutable.
#pragma once

#include "kit/http_server.hpp"
#include "llm/protocol.hpp"

#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::test {

inline const std::string kFakeKey = "test-key-0123456789";
/// Where the words begin that stand in for a schema, with providers that take none.
inline constexpr std::string_view kSchemaWords = "Answer with one JSON object";

struct ScriptedCall {
    std::string name;
    std::string arguments;
};

struct ScriptedReply {
    std::vector<std::string> text{};  ///< in the pieces in which it is streamed
    std::vector<ScriptedCall> calls{};
    llm::FinishReason finish = llm::FinishReason::stop;
    std::string output_tool{};  ///< the text is output of this name: who has a tool for that calls it
};

/// What a request said, whatever its format. Schemas are told by the names of their properties.
struct Asked {
    std::string model;
    std::string system;
    std::vector<std::string> turns;  ///< "user: q", "assistant: a", "call sum {}", "result sum 1"
    std::vector<std::string> tools;  ///< "sum(x, y): adds"
    std::string tool_choice;         ///< "automatic", "none", "required"; empty without tools
    std::string output;              ///< "ok, why"; empty when any text will do
    std::optional<double> temperature;
    std::optional<int> max_tokens;
    std::vector<std::string> stop;
    friend bool operator==(const Asked&, const Asked&) = default;
};
std::ostream& operator<<(std::ostream& out, const Asked& asked);

/// Why a provider would refuse a request.
struct WrongRequest : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class FakeProvider {
public:
    virtual ~FakeProvider() = default;
    [[nodiscard]] virtual std::unique_ptr<llm::Protocol> protocol(const std::string& server) const = 0;
    /// What a chat request says; throws WrongRequest.
    [[nodiscard]] virtual Asked read(const ReceivedRequest& request) const = 0;
    /// The events of a reply as bytes. All replies have used 120 tokens, 20 of them cached, and written 34.
    [[nodiscard]] virtual std::vector<std::string> stream(const ScriptedReply& reply) const = 0;
    /// An event that adds a text to a stream.
    [[nodiscard]] virtual std::string text_event(const std::string& text) const = 0;
    /// The error for auth, rate_limited, overloaded, context_too_long, refused and bad_request.
    [[nodiscard]] virtual Reply error(llm::Fault fault) const = 0;
    /// An error behind the beginning of a stream.
    [[nodiscard]] virtual std::string error_event() const = 0;
    [[nodiscard]] virtual bool tells_usage() const { return true; }
    /// Path and query of the list of models.
    [[nodiscard]] virtual std::string probe_target() const = 0;
};

/// "openai", "compatible", "anthropic" or "google".
[[nodiscard]] std::unique_ptr<FakeProvider> fake_provider(const std::string& name);
[[nodiscard]] std::unique_ptr<FakeProvider> fake_openai();
[[nodiscard]] std::unique_ptr<FakeProvider> fake_compatible();
[[nodiscard]] std::unique_ptr<FakeProvider> fake_anthropic();
[[nodiscard]] std::unique_ptr<FakeProvider> fake_google();

}  // namespace quaestor::test
