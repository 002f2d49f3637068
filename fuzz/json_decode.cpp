// Any bytes: parsing and decoding must not crash, and what was decoded must survive encode, to_text, parse and decode.
#include "every_kind.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

using namespace quaestor;

void require(bool holds, const char* what, const std::string& text) {
    if (holds) return;
    std::fprintf(stderr, "%s: %s\n", what, text.c_str());
    std::abort();
}

void check_round_trip(const EveryKind& value) {
    for (const std::string& text : {to_text(encode(value)), to_pretty_text(encode(value))}) {
        const auto parsed = parse_json(text);
        require(parsed.has_value(), "our own text does not parse", text);
        const auto back = decode<EveryKind>(*parsed, UnknownFields::refuse);
        require(back.has_value(), "our own text does not decode", text);
        require(*back == value, "the value has changed", text);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto parsed = parse_json(std::string_view(reinterpret_cast<const char*>(data), size));
    if (!parsed) return 0;
    const auto strict = decode<EveryKind>(*parsed, UnknownFields::refuse);
    const auto lenient = decode<EveryKind>(*parsed);
    if (strict)
        require(lenient && *lenient == *strict, "ignoring unknown fields reads something else", to_text(*parsed));
    if (lenient) check_round_trip(*lenient);
    return 0;
}
