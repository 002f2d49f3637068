// Looks at a database's rows to complete its catalogue: how many there are, ranges, different values, samples, and keys
// that nobody declared. Works through an engine's run(), like any query. Private to data/.
// Threads: blocking; call from a worker thread.
#pragma once

#include "base/error.hpp"
#include "data/catalog.hpp"
#include "data/engine.hpp"
#include "resilience/cancellation.hpp"

#include <functional>

namespace quaestor::data {

/// Fills in what is known of the values. A table that cannot be looked at in time keeps what it declares. `publish` is
/// called now and then with what is known so far. Only a cancellation is an error.
[[nodiscard]] Result<> add_statistics(Engine& engine, Catalog& catalog, const CancelToken& stop,
                                      const std::function<void(const Catalog&)>& publish);

/// Adds primary and foreign keys that names suggest and values confirm, marked as inferred.
[[nodiscard]] Result<> infer_keys(Engine& engine, Catalog& catalog, const CancelToken& stop);

}  // namespace quaestor::data
