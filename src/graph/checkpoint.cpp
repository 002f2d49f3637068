#include "graph/checkpoint.hpp"

#include <fmt/format.h>

#include <array>

namespace quaestor::graph {

struct ValueMemory::Block {
    static constexpr std::size_t kBytes = 960;  ///< of a usual step's change, position and metadata

    std::array<unsigned char, kBytes> bytes;
    json::monotonic_resource resource{bytes.data(), bytes.size()};
};

void ValueMemory::Free::operator()(Block* block) const {
    delete block;
}

ValueMemory ValueMemory::make() {
    ValueMemory memory;
    memory.block_.reset(new Block);
    return memory;
}

json::storage_ptr ValueMemory::storage() const {
    return block_ ? json::storage_ptr(&block_->resource) : json::storage_ptr();
}

Checkpoint copy_of(const Checkpoint& original) {
    Checkpoint copy;
    copy.thread_id = original.thread_id;
    copy.id = original.id;
    copy.parent_id = original.parent_id;
    copy.is_snapshot = original.is_snapshot;
    copy.change = original.change;
    copy.position = original.position;
    copy.metadata = original.metadata;
    copy.created_at = original.created_at;
    return copy;
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
