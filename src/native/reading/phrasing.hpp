// A question some of whose words are replaced, and which may go on at its end. Private to native/.
// Borrows the question. Threads: one at a time.
#pragma once

#include "native/reading/linking.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

class Phrasing {
public:
    explicit Phrasing(const LinkedQuestion& question);

    /// Words `first` to `last`, which are there.
    void replace(std::size_t first, std::size_t last, std::string by);
    /// Before the mark that ends the question.
    void append(std::string_view phrase);
    [[nodiscard]] std::string text() const;

private:
    const LinkedQuestion& question_;
    std::vector<std::string> words_;
    std::string appended_;
};

}  // namespace quaestor::native
