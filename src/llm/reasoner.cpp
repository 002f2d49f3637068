#include "llm/reasoner.hpp"

#include "base/log.hpp"
#include "base/text.hpp"
#include "llm/structured.hpp"
#include "resilience/with_deadline.hpp"

#include <fmt/format.h>

#include <array>
#include <openssl/evp.h>
#include <utility>

namespace quaestor::llm {

namespace {

/// The longest input that is compared by meaning. An embedder cuts longer ones, and so would not see how they differ:
/// those are the same only to the letter.
constexpr std::size_t kMeaningBytesMax = 600;
/// The longest reply that is shown to its model again.
constexpr std::size_t kRepairBytesMax = std::size_t{32} << 10;

std::string digest_of(std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr);
    return std::string(digest.begin(), digest.begin() + size);
}

/// What is wrong with a reply, each a line for the model; empty when it fits, and `output` has it then.
std::vector<std::string> problems_in(const ChatReply& reply, const PromptSpec& spec, json::value& output) {
    if (reply.finish == FinishReason::length) {
        return {"it was longer than allowed, and so was cut off before its end: answer more briefly"};
    }
    auto found = extract_json(reply.message.content);
    if (!found) return {found.error().message};
    auto problems = schema_problems(*found, spec.output.schema);
    if (problems.empty() && spec.check) {
        if (const auto fits = spec.check(*found); !fits) problems.push_back(fits.error().describe());
    }
    output = std::move(*found);
    return problems;
}

/// The same conversation, gone on: what the model said, and what is wrong with it.
ChatRequest repair_of(ChatRequest request, const ChatReply& reply, const std::vector<std::string>& problems) {
    const std::string said = text::clean(reply.message.content.substr(0, kRepairBytesMax));
    request.messages.push_back(assistant(said.empty() ? "(nothing)" : said));  // providers refuse an empty message
    request.messages.push_back(
        user(fmt::format("Your reply does not fit what is asked for:\n- {}\nAnswer the same question again, with JSON "
                         "of that form only.",
                         fmt::join(problems, "\n- "))));
    return request;
}

Error misfit(std::string_view model, const std::vector<std::string>& problems) {
    return fault(Fault::malformed, model,
                 fmt::format("the reply does not fit, also after it was told so: {}", fmt::join(problems, "; ")))
        .error()
        .error;
}

std::chrono::milliseconds since(Instant begin, const Clock& clock) {
    return std::chrono::round<std::chrono::milliseconds>(clock.now() - begin);
}

/// One question: the calls that it takes, each admitted and counted.
class Asking {
public:
    Asking(const Models& models, ChatModel& model, const PromptSpec& spec, const AskOptions& options)
        : models_(models), model_(model), spec_(spec), options_(options) {}

    Task<Result<ChatReply>> call(const ChatRequest& request, bool streams) {
        if (options_.ledger) {
            if (auto admitted = options_.ledger->admit(); !admitted) co_return fail(std::move(admitted.error()));
        }
        const Instant begin = models_.clock().now();
        auto result = co_await model_.chat(request, {.deadline = options_.deadline,
                                                     .cancel = options_.cancel,
                                                     .on_delta = streams ? options_.on_delta : DeltaSink()});
        count(request, result, since(begin, models_.clock()));
        if (!result) co_return fail(std::move(result.error().error));
        if (result->finish == FinishReason::refused) {
            co_return fail(fault(Fault::refused, result->model, "it will not answer this").error().error);
        }
        co_return std::move(*result);
    }

private:
    void count(const ChatRequest& request, const ModelResult<ChatReply>& result, std::chrono::milliseconds latency) {
        if (!options_.ledger) return;
        const std::string& model = result ? result->model : model_.name();
        UsageRecord record{.node = options_.node, .prompt = spec_.key, .model = model, .usage = {}, .latency = latency};
        if (result) {
            record.usage = result->usage;
            record.cost_usd = cost_of(result->usage, models_.price_of(model));
        }
        record.failed = !result;
        options_.ledger->add(std::move(record));
        if (!options_.ledger->keeps_exchanges()) return;
        options_.ledger->add(Exchange{.node = options_.node,
                                      .prompt = spec_.key,
                                      .model = model,
                                      .request = to_text(encode(request.messages)),
                                      .reply = result ? result->message.content : result.error().error.describe()});
    }

    const Models& models_;
    ChatModel& model_;
    const PromptSpec& spec_;
    const AskOptions& options_;
};

}  // namespace

Reasoner::Reasoner(Models& models, SemanticCache* cache) : models_(models), cache_(cache) {}

bool Reasoner::has_model_for(const PromptSpec& spec) const {
    return models_.for_prompt(spec.key, spec.tier) != nullptr;
}

const Reasoner::NativeEntry* Reasoner::native_for(const PromptSpec& spec) const {
    const auto found = natives_.find(spec.key);
    return found == natives_.end() ? nullptr : &found->second;
}

Task<Result<Reasoner::Answer>> Reasoner::ask_json(const PromptSpec& spec, json::value input, AskOptions options) {
    Question question{.spec = spec, .rendered = [&] { return spec.render(input); }, .native = {}, .options = options};
    if (const NativeEntry* entry = native_for(spec)) {
        question.is_fallback = entry->is_fallback;
        question.native = [&, entry] { return entry->answer_json(input, options); };
    }
    co_return co_await answer(std::move(question));
}

/// The cache, then a model, then the program's own answer.
Task<Result<Reasoner::Answer>> Reasoner::answer(Question question) {
    const PromptSpec& spec = question.spec;
    const AskOptions& options = question.options;
    if (options.cancel.cancelled()) co_return fail(options.cancel.error());
    if (has_model_for(spec)) {
        const auto input = question.rendered();
        if (!input) co_return fail(input.error());
        if (auto kept = co_await find_kept(spec, *input, options)) co_return std::move(*kept);
        auto given = co_await answer_by_model(spec, *input, options);
        if (given) co_await keep(spec, *input, options, *given);
        const bool stands_in =
            !given && question.native && question.is_fallback && may_stand_in(spec, given.error(), options);
        if (!stands_in) co_return given;
    }
    if (!question.native) co_return fail(nobody_answers(spec));
    auto output = co_await question.native();
    if (!output) co_return fail(std::move(output.error()));
    count_free(spec, "native", options);
    co_return Answer{.output = std::move(*output), .by = AnsweredBy::native, .model = "native"};
}

Task<Result<Reasoner::Answer>> Reasoner::answer_by_model(const PromptSpec& spec, const std::string& input,
                                                         const AskOptions& options) {
    Asking asking(models_, *models_.for_prompt(spec.key, spec.tier), spec, options);
    ChatRequest request{.messages = messages_for(spec, input), .output = spec.output};
    for (int round = 1;; ++round) {
        auto reply = co_await asking.call(request, round == 1);
        if (!reply) co_return fail(std::move(reply.error()));
        json::value output;
        const auto problems = problems_in(*reply, spec, output);
        if (problems.empty()) {
            co_return Answer{.output = std::move(output),
                             .by = AnsweredBy::model,
                             .model = reply->model,
                             .rounds = round,
                             .request = std::move(request),
                             .reply = std::move(*reply)};
        }
        if (round == 2) co_return fail(misfit(reply->model, problems));
        request = repair_of(std::move(request), *reply, problems);
    }
}

std::optional<CachePlace> Reasoner::place_of(const PromptSpec& spec, const std::string& input,
                                             const AskOptions& options) const {
    if (!cache_ || !options.may_use_cache || (spec.holds_conversation && options.session.empty())) return std::nullopt;
    const ChatModel* model = models_.for_prompt(spec.key, spec.tier);
    if (!model) return std::nullopt;
    const std::string exact = input.size() > kMeaningBytesMax ? digest_of(input) : exact_parts(input);
    return CachePlace{.prompt = spec.key,
                      .model = model->name(),
                      .session = spec.holds_conversation ? options.session : std::string(),
                      .exact = fmt::format("{}\n{}", options.depends_on, exact)};
}

Task<std::optional<Reasoner::Answer>> Reasoner::find_kept(const PromptSpec& spec, const std::string& input,
                                                          const AskOptions& options) {
    const auto place = place_of(spec, input, options);
    if (!place) co_return std::nullopt;
    auto found = co_await with_deadline(models_.clock(), options.deadline, options.cancel, "the cache of answers",
                                        cache_->find(*place, input));
    if (!found || !*found) co_return std::nullopt;
    const json::object& kept = (*found)->as_object();
    // What a prompt asks for may have changed since the answer was kept.
    if (!schema_problems(kept.at("output"), spec.output.schema).empty()) co_return std::nullopt;
    count_free(spec, "cache", options);
    co_return Answer{
        .output = kept.at("output"), .by = AnsweredBy::cache, .model = std::string(kept.at("model").as_string())};
}

Task<> Reasoner::keep(const PromptSpec& spec, const std::string& input, const AskOptions& options,
                      const Answer& answer) {
    const auto place = place_of(spec, input, options);
    if (!place) co_return;
    // An answer that comes in time is not held up by a cache that does not.
    (void)co_await with_deadline(
        models_.clock(), options.deadline, options.cancel, "the cache of answers",
        cache_->keep(*place, input, json::value{{"output", answer.output}, {"model", answer.model}}));
}

void Reasoner::count_free(const PromptSpec& spec, std::string_view by, const AskOptions& options) {
    if (!options.ledger) return;
    options.ledger->add(UsageRecord{.node = options.node, .prompt = spec.key, .model = std::string(by), .usage = {}});
}

bool Reasoner::may_stand_in(const PromptSpec& spec, const Error& error, const AskOptions& options) const {
    const bool is_in_time = !options.deadline.expired(models_.clock()) && !options.cancel.cancelled();
    if (!is_in_time || !(is_transient(error) || error.code == Code::corrupt)) return false;
    log::warning("the native answer stands in for a model", {{"prompt", spec.key}, {"error", error.describe()}},
                 {.trace_id = {}, .node = options.node});
    return true;
}

Error Reasoner::nobody_answers(const PromptSpec& spec) {
    return {Code::unsupported,
            fmt::format("no model is configured for \"{}\", and the program has no native answer to it", spec.key),
            "configure one under llm.models and name it in llm.frontier; quaestor models shows what there is", nullptr};
}

}  // namespace quaestor::llm
