// Memory that a server does not need while nobody asks: what the embedding model works with, heap that was freed, and
// pages of model files, which the system still has and gives back when they are touched again.
// Threads: any; others may use the models meanwhile.
#pragma once

#include <cstddef>
#include <string_view>

namespace quaestor::cli {

/// The bytes of one line of /proc/self/maps when it maps a model file that is only read; else 0 at nullptr.
struct MappedModel {
    std::byte* start = nullptr;
    std::size_t size = 0;
};
[[nodiscard]] MappedModel mapped_model(std::string_view line);

void let_go_of_idle_memory();

}  // namespace quaestor::cli
