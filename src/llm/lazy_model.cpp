#include "llm/lazy_model.hpp"

#include <utility>

namespace quaestor::llm {

LazyModel::LazyModel(std::string name, Open open, WorkerPool& pool, Clock& clock)
    : name_(std::move(name)), open_(std::move(open)), pool_(pool), model_(kKeptForGood, clock) {}

Task<Result<std::shared_ptr<ChatModel>>> LazyModel::opened() {
    using Opened = Result<std::shared_ptr<ChatModel>>;
    return model_.get_or_compute(0, [this]() -> Task<Opened> {
        auto model = co_await pool_.run([this] { return open_(); });
        co_return model ? Opened(std::move(*model)) : Opened(fail(std::move(model.error())));
    });
}

Task<ModelResult<ChatReply>> LazyModel::chat(ChatRequest request, CallOptions options) {
    const auto model = co_await opened();
    if (!model) {
        // A file that is not there or not understood is nobody's outage: the next model is asked, nothing is tried
        // again.
        ModelError told = fault(Fault::auth, name_, "the model could not be opened").error();
        told.error = Error{model.error().code, std::move(told.error.message), std::string(model.error().advice()), {}};
        told.error = std::move(told.error).because(model.error());
        co_return std::unexpected(std::move(told));
    }
    co_return co_await (*model)->chat(std::move(request), std::move(options));
}

}  // namespace quaestor::llm
