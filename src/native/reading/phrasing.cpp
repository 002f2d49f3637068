#include "native/reading/phrasing.hpp"

#include <fmt/format.h>

namespace quaestor::native {

Phrasing::Phrasing(const LinkedQuestion& question) : question_(question) {
    for (std::size_t at = 0; at < question.words.size(); ++at) words_.emplace_back(question.word(at));
}

void Phrasing::replace(std::size_t first, std::size_t last, std::string by) {
    words_[first] = std::move(by);
    for (std::size_t at = first + 1; at <= last; ++at) words_[at].clear();
}

void Phrasing::append(std::string_view phrase) {
    appended_ += fmt::format(" {}", phrase);
}

std::string Phrasing::text() const {
    std::string out;
    for (std::size_t at = 0; at < words_.size(); ++at) {
        if (words_[at].empty()) continue;
        const std::size_t from = at == 0 ? 0 : question_.words[at - 1].end;
        out += question_.text.substr(from, question_.words[at].begin - from) + words_[at];
    }
    const std::size_t end = out.find_last_not_of("?!. ") + 1;
    return out.substr(0, end) + appended_ + out.substr(end);
}

}  // namespace quaestor::native
