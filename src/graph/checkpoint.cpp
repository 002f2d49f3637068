#include "graph/checkpoint.hpp"

#include <fmt/format.h>

namespace quaestor::graph {

Patch make_patch() {
    constexpr std::size_t kBlockBytes = 1'024;
    const auto storage = json::make_shared_resource<json::monotonic_resource>(kBlockBytes);
    return Patch{json::object(storage), json::object(storage)};
}

Result<> apply(const Patch& patch, json::object& state) {
    for (const auto& field : patch.set) state.insert_or_assign(field.key(), field.value());

    for (const auto& field : patch.append) {
        const json::array* items = field.value().if_array();
        json::value& list = state.emplace(field.key(), json::array()).first->value();
        if (items == nullptr || !list.is_array()) {
            return fail(Code::corrupt,
                        fmt::format("a change adds items to \"{}\", which is no list", std::string_view(field.key())));
        }
        json::array& target = list.get_array();
        target.insert(target.end(), items->begin(), items->end());
    }
    return {};
}

Task<Result<>> CheckpointStore::put_all(std::vector<Checkpoint> checkpoints) {
    for (auto& checkpoint : checkpoints) {
        if (auto stored = co_await put(std::move(checkpoint)); !stored) co_return stored;
    }
    co_return Result<>{};
}

}  // namespace quaestor::graph
