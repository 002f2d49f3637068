// Any bytes as a model's reply: extraction must not crash, what it finds is an object that is JSON itself, and an
// object that is JSON already is found as it is.
#include "llm/structured.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace quaestor;

void require(bool holds, const char* what, std::string_view text) {
    if (holds) return;
    std::fprintf(stderr, "%s: %.*s\n", what, static_cast<int>(text.size()), text.data());
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view reply(reinterpret_cast<const char*>(data), size);
    const auto found = llm::extract_json(reply);
    if (const auto whole = parse_json(reply); whole && whole->is_object()) {
        require(found && *found == *whole, "a JSON object was changed", reply);
    }
    if (!found) return 0;
    require(found->is_object(), "it is no object", reply);
    const std::string text = to_text(*found);
    const auto again = parse_json(text);
    require(again.has_value(), "what was found is no JSON", text);
    require(to_text(*again) == text, "what was found reads differently", text);
    const auto same = llm::extract_json(text);
    require(same && *same == *again, "finding it again finds something else", text);
    return 0;
}
