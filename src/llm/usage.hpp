// What a run has asked of models: tokens and money, by node, prompt and model; and how much it may.
// One ledger for each run. Threads: all members may be called from any thread.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "llm/chat.hpp"

#include <boost/describe/class.hpp>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace quaestor::llm {

/// US dollars for a million tokens.
struct Price {
    double input = 0;
    double cached_input = 0;  ///< 0: as input
    double output = 0;
};
BOOST_DESCRIBE_STRUCT(Price, (), (input, cached_input, output))

[[nodiscard]] double cost_of(const Usage& usage, const Price& price);

/// One call of a model, or one answer that came without.
struct UsageRecord {
    std::string node;
    std::string prompt;
    std::string model;  ///< "native" and "cache" for answers without a call
    Usage usage;
    double cost_usd = 0;
    std::chrono::milliseconds latency{0};
    bool failed = false;
};
BOOST_DESCRIBE_STRUCT(UsageRecord, (), (node, prompt, model, usage, cost_usd, latency, failed))

struct UsageTotal {
    int llm_calls = 0;  ///< of models, also those that failed
    std::int64_t input_tokens = 0;
    std::int64_t output_tokens = 0;
    double cost_usd = 0;
};
BOOST_DESCRIBE_STRUCT(UsageTotal, (), (llm_calls, input_tokens, output_tokens, cost_usd))

/// What one question may take; zero: no bound.
struct QuestionBudget {
    int calls = 60;
    std::int64_t tokens = 0;
    double cost_usd = 0;
};
BOOST_DESCRIBE_STRUCT(QuestionBudget, (), (calls, tokens, cost_usd))

/// A prompt and its reply, kept only in debug mode, each cut to kExchangeBytesMax.
struct Exchange {
    std::string node;
    std::string prompt;
    std::string model;
    std::string request;
    std::string reply;
};
BOOST_DESCRIBE_STRUCT(Exchange, (), (node, prompt, model, request, reply))
inline constexpr std::size_t kExchangeBytesMax = std::size_t{64} << 10;

class UsageLedger {
public:
    /// `before`: what the question has taken earlier. It counts against the budget, and not in total().
    explicit UsageLedger(QuestionBudget budget = {}, bool keep_exchanges = false, UsageTotal before = {})
        : budget_(budget), keep_exchanges_(keep_exchanges), before_(before) {}

    /// Leave for one more call, or Code::limit_exceeded saying which bound is reached and what to do.
    [[nodiscard]] Result<> admit() const;
    void add(UsageRecord record);
    /// Does nothing unless exchanges are kept.
    void add(Exchange exchange);
    [[nodiscard]] bool keeps_exchanges() const { return keep_exchanges_; }

    [[nodiscard]] UsageTotal total() const;
    [[nodiscard]] std::map<std::string, UsageTotal> by_model() const;
    [[nodiscard]] std::vector<UsageRecord> records() const;
    [[nodiscard]] std::vector<Exchange> exchanges() const;

private:
    const QuestionBudget budget_;
    const bool keep_exchanges_;
    const UsageTotal before_;
    mutable std::mutex mutex_;
    std::vector<UsageRecord> records_;
    std::vector<Exchange> exchanges_;
};

}  // namespace quaestor::llm
