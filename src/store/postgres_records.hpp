// Conversations and runs in PostgreSQL.
// Part of the PostgreSQL store, which owns the database.
// Threads: as Store.
#pragma once

#include "store/conversation.hpp"
#include "store/postgres_database.hpp"
#include "store/trace.hpp"

namespace quaestor::store::postgres {

class Conversations final : public ConversationStore {
public:
    explicit Conversations(Database& database) : database_(database) {}

    Task<Result<>> append(std::string thread_id, Message message) override;
    Task<Result<std::vector<Message>>> messages(std::string thread_id, std::size_t limit) override;
    Task<Result<>> begin(ConversationInfo info) override;
    Task<Result<std::optional<ConversationInfo>>> info(std::string thread_id) override;
    Task<Result<std::vector<ConversationInfo>>> list(ConversationQuery query) override;
    Task<Result<bool>> rename(std::string thread_id, std::string title) override;
    Task<Result<std::size_t>> remove(std::string thread_id) override;
    Task<Result<>> rate(Feedback feedback) override;
    Task<Result<std::vector<Feedback>>> feedback(FeedbackQuery query) override;

private:
    Database& database_;
};

class Traces final : public TraceStore {
public:
    explicit Traces(Database& database) : database_(database) {}

    Task<Result<>> save(RunRecord record) override;
    Task<Result<std::optional<RunRecord>>> get(std::string run_id) override;
    Task<Result<std::vector<RunRecord>>> list(RunQuery query) override;

private:
    Database& database_;
};

}  // namespace quaestor::store::postgres
