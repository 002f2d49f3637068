#include "net/base64.hpp"

#include <openssl/evp.h>

namespace quaestor::net {

std::string base64(std::string_view bytes) {
    std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // OpenSSL writes a final zero
    const auto* const from = reinterpret_cast<const unsigned char*>(bytes.data());
    const int size =
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), from, static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(size));
    return text;
}

std::optional<std::string> from_base64(std::string_view text) {
    std::string bytes(text.size() / 4 * 3, '\0');
    const auto* const from = reinterpret_cast<const unsigned char*>(text.data());
    const int size =
        EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()), from, static_cast<int>(text.size()));
    if (size < 0) return std::nullopt;
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;  // decoded as zeros
    bytes.resize(static_cast<std::size_t>(size) - padding);
    return base64(bytes) == text ? std::optional(bytes) : std::nullopt;
}

}  // namespace quaestor::net
