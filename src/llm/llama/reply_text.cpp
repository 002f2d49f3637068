#include "llm/llama/reply_text.hpp"

#include <algorithm>
#include <utility>

namespace quaestor::llm::llama {

namespace {

constexpr std::string_view kReplacement = "\uFFFD";

/// Bytes of the character that begins with `lead`; 0 when none does.
std::size_t character_size(unsigned char lead) {
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return 2;
    if (lead >= 0xE0 && lead <= 0xEF) return 3;
    if (lead >= 0xF0 && lead <= 0xF4) return 4;
    return 0;
}

/// Whether `byte` may follow at place `at` of the character: the first one is restricted against overlong forms,
/// surrogates and what is beyond Unicode.
bool goes_on(unsigned char lead, std::size_t at, unsigned char byte) {
    const unsigned char least = at > 1 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char most = at > 1 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    return byte >= least && byte <= most;
}

/// Takes whole characters off the front of `bytes`; at most the beginning of one is left.
std::string take_characters(std::string& bytes) {
    std::string text;
    std::size_t i = 0;
    while (i < bytes.size()) {
        const auto lead = static_cast<unsigned char>(bytes[i]);
        const std::size_t size = character_size(lead);
        std::size_t have = 1;
        while (have < size && i + have < bytes.size() &&
               goes_on(lead, have, static_cast<unsigned char>(bytes[i + have]))) {
            ++have;
        }
        if (have < size && i + have == bytes.size()) break;
        text += have == size ? std::string_view(bytes).substr(i, size) : kReplacement;
        i += have;
    }
    bytes.erase(0, i);
    return text;
}

/// How many bytes at the end of `text` may be the beginning of `stop`.
std::size_t begun(std::string_view text, std::string_view stop) {
    for (std::size_t size = std::min(text.size(), stop.size() - 1); size > 0; --size) {
        if (text.ends_with(stop.substr(0, size))) return size;
    }
    return 0;
}

std::vector<std::string> without_empty(std::vector<std::string> texts) {
    std::erase(texts, "");
    return texts;
}

}  // namespace

ReplyText::ReplyText(std::vector<std::string> stops) : stops_(without_empty(std::move(stops))) {}

std::string ReplyText::add(std::string_view bytes) {
    bytes_ += bytes;
    held_ += take_characters(bytes_);
    std::size_t found = std::string::npos;
    std::size_t held = 0;
    for (const auto& stop : stops_) {
        found = std::min(found, held_.find(stop));
        held = std::max(held, begun(held_, stop));
    }
    if (found == std::string::npos) return release(held_.size() - held);
    is_stopped_ = true;
    held_.resize(found);
    bytes_.clear();
    return release(found);
}

std::string ReplyText::rest() {
    if (!bytes_.empty()) held_ += kReplacement;
    bytes_.clear();
    return release(held_.size());
}

std::string ReplyText::release(std::size_t size) {
    std::string text = held_.substr(0, size);
    held_.erase(0, size);
    if (has_begun_) return text;
    text.erase(0, std::min(text.size(), text.find_first_not_of(" \t\r\n")));
    has_begun_ = !text.empty();
    return text;
}

}  // namespace quaestor::llm::llama
