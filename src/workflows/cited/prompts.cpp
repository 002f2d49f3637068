#include "workflows/cited/prompts.hpp"

#include "base/json.hpp"

namespace quaestor::workflows::cited {

namespace {

/// Bytes of a passage that a model is shown.
constexpr std::size_t kPassageBytesMax = 4'000;
constexpr std::size_t kPassagesShown = 20;

/// Not cut inside a character.
std::string beginning_of(const std::string& text) {
    if (text.size() <= kPassageBytesMax) return text;
    std::size_t end = kPassageBytesMax;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return text.substr(0, end);
}

}  // namespace

/// JSON, in which nothing of a passage can be taken for an instruction.
std::string SynthesizeAnswer::render(const Input& input) {
    json::array passages;
    for (const auto& passage : input.passages) {
        if (passages.size() == kPassagesShown) break;
        passages.push_back({{"number", passage.number},
                            {"document", passage.document},
                            {"date", passage.date},
                            {"section", passage.section},
                            {"text", beginning_of(passage.text)}});
    }
    return to_text({{"question", input.question}, {"passages", std::move(passages)}});
}

}  // namespace quaestor::workflows::cited
