#include "cli/idle_memory.hpp"

#include "llm/llama/llama.hpp"

#include <charconv>
#include <cstdint>
#include <fstream>
#include <malloc.h>
#include <string>
#include <sys/mman.h>

namespace quaestor::cli {

namespace {

constexpr int kHexadecimal = 16;
constexpr std::string_view kModelSuffix = ".gguf";

}  // namespace

// A line is "ffff90000000-ffff92000000 r--s 00000000 fe:00 1234   /path/of/it".
MappedModel mapped_model(std::string_view line) {
    if (!line.ends_with(kModelSuffix)) return {};
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    const char* const last = line.data() + line.size();
    const auto from = std::from_chars(line.data(), last, begin, kHexadecimal);
    if (from.ec != std::errc() || from.ptr == last || *from.ptr != '-') return {};
    const auto to = std::from_chars(from.ptr + 1, last, end, kHexadecimal);
    if (to.ec != std::errc() || end <= begin) return {};
    // What was written to a private mapping would be lost.
    if (!std::string_view(to.ptr, last).starts_with(" r--")) return {};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address comes as text.
    return {reinterpret_cast<std::byte*>(begin), end - begin};
}

void let_go_of_idle_memory() {
    llm::rest_llama_embedders();
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        if (const auto model = mapped_model(line); model.size > 0) {
            ::madvise(model.start, model.size, MADV_DONTNEED);
        }
    }
    ::malloc_trim(0);
}

}  // namespace quaestor::cli
