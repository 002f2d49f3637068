// The endpoints by subject, each added to the router with what openapi.json says of it.
// Private to server/. The desk outlives the router.
// Threads: called once, before the first request; endpoints run on any loop.
#pragma once

#include "server/api/desk.hpp"
#include "server/router.hpp"

namespace quaestor::server {

/// POST /api/chat, POST /api/chat/stream.
void add_chat_routes(Router& router, Desk& desk);
/// Conversations: list, make, rename, remove, read, export.
void add_thread_routes(Router& router, Desk& desk);
/// Runs: list, trace, follow, answer, stop.
void add_run_routes(Router& router, Desk& desk);
/// What people thought of answers.
void add_feedback_routes(Router& router, Desk& desk);
/// Health, figures, agents, models, documents, caches and the description of all this.
void add_info_routes(Router& router, Desk& desk);

/// The OpenAPI 3.1 document of all routes.
[[nodiscard]] json::object openapi_of(const Router& router);

}  // namespace quaestor::server
