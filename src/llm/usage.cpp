#include "llm/usage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace quaestor::llm {

namespace {

constexpr double kTokensPriced = 1e6;
/// Exchanges that one run keeps; those beyond are left out.
constexpr std::size_t kExchangesMax = 1'000;

bool is_call(const UsageRecord& record) {
    return record.model != "native" && record.model != "cache";
}

void add_to(UsageTotal& total, const UsageRecord& record) {
    ++total.llm_calls;
    total.input_tokens += record.usage.input_tokens;
    total.output_tokens += record.usage.output_tokens;
    total.cost_usd += record.cost_usd;
}

/// Cuts at the end of a character.
void cut(std::string& text) {
    if (text.size() <= kExchangeBytesMax) return;
    std::size_t end = kExchangeBytesMax;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    text.resize(end);
}

Result<> used_up(std::string bound, std::string_view setting) {
    return fail(Code::limit_exceeded, fmt::format("the question has used up its budget of {}", bound),
                fmt::format("ask something narrower, or raise llm.budget.{}", setting));
}

}  // namespace

double cost_of(const Usage& usage, const Price& price) {
    const auto cached = std::clamp<std::int64_t>(usage.cached_tokens, 0, std::max<std::int64_t>(usage.input_tokens, 0));
    const double cached_price = price.cached_input > 0 ? price.cached_input : price.input;
    return (static_cast<double>(usage.input_tokens - cached) * price.input +
            static_cast<double>(cached) * cached_price + static_cast<double>(usage.output_tokens) * price.output) /
           kTokensPriced;
}

Result<> UsageLedger::admit() const {
    UsageTotal used = total();
    used.llm_calls += before_.llm_calls;
    used.input_tokens += before_.input_tokens;
    used.output_tokens += before_.output_tokens;
    used.cost_usd += before_.cost_usd;
    const std::int64_t tokens = used.input_tokens + used.output_tokens;
    if (budget_.calls > 0 && used.llm_calls >= budget_.calls) {
        return used_up(fmt::format("{} calls of models", budget_.calls), "calls");
    }
    if (budget_.tokens > 0 && tokens >= budget_.tokens) {
        return used_up(fmt::format("{} tokens: {} are spent", budget_.tokens, tokens), "tokens");
    }
    if (budget_.cost_usd > 0 && used.cost_usd >= budget_.cost_usd) {
        return used_up(fmt::format("{:.4f} US dollars: {:.4f} are spent", budget_.cost_usd, used.cost_usd), "cost_usd");
    }
    return {};
}

void UsageLedger::add(UsageRecord record) {
    const std::lock_guard lock(mutex_);
    records_.push_back(std::move(record));
}

void UsageLedger::add(Exchange exchange) {
    if (!keep_exchanges_) return;
    cut(exchange.request);
    cut(exchange.reply);
    const std::lock_guard lock(mutex_);
    if (exchanges_.size() < kExchangesMax) exchanges_.push_back(std::move(exchange));
}

UsageTotal UsageLedger::total() const {
    const std::lock_guard lock(mutex_);
    UsageTotal total;
    for (const UsageRecord& record : records_) {
        if (is_call(record)) add_to(total, record);
    }
    return total;
}

std::map<std::string, UsageTotal> UsageLedger::by_model() const {
    const std::lock_guard lock(mutex_);
    std::map<std::string, UsageTotal> totals;
    for (const UsageRecord& record : records_) {
        if (is_call(record)) add_to(totals[record.model], record);
    }
    return totals;
}

std::vector<UsageRecord> UsageLedger::records() const {
    const std::lock_guard lock(mutex_);
    return records_;
}

std::vector<Exchange> UsageLedger::exchanges() const {
    const std::lock_guard lock(mutex_);
    return exchanges_;
}

}  // namespace quaestor::llm
