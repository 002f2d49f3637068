#include "case_script.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace quaestor::graph {

namespace {

constexpr std::array<std::string_view, 6> kGraphVerbs{"node", "worker", "edge", "branch", "fan_out", "join"};
constexpr std::array<std::string_view, 3> kArrows{"->", "|", "+"};

/// Words between spaces; text in double quotes belongs together and loses its quotes.
std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> words;
    std::string word;
    bool is_quoted = false;
    bool has_word = false;
    const auto end_word = [&] {
        if (has_word) words.push_back(std::exchange(word, {}));
        has_word = false;
    };
    for (const char c : line) {
        if (c == '"') {
            is_quoted = !is_quoted;
            has_word = true;
        } else if (c == ' ' && !is_quoted) {
            end_word();
        } else {
            word += c;
            has_word = true;
        }
    }
    end_word();
    std::erase_if(words, [](const std::string& w) { return std::ranges::find(kArrows, w) != kArrows.end(); });
    return words;
}

Phrase phrase_of(std::string_view line) {
    Phrase phrase;
    phrase.words = words_of(line);
    if (!phrase.words.empty()) {
        phrase.verb = std::move(phrase.words.front());
        phrase.words.erase(phrase.words.begin());
    }
    return phrase;
}

/// `log a; token b` as phrases. A semicolon in quotes is text.
Turn turn_of(std::string_view actions) {
    Turn turn;
    bool is_quoted = false;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= actions.size(); ++i) {
        if (i < actions.size() && actions[i] == '"') is_quoted = !is_quoted;
        if (i < actions.size() && (actions[i] != ';' || is_quoted)) continue;
        auto phrase = phrase_of(text::trim(actions.substr(begin, i - begin)));
        if (!phrase.verb.empty()) turn.push_back(std::move(phrase));
        begin = i + 1;
    }
    return turn;
}

class Parser {
public:
    Result<CaseScript> parse(std::string_view text) {
        script_.lines = text::lines(text);
        for (std::size_t i = 0; i < script_.lines.size(); ++i) {
            const auto line = text::trim(script_.lines[i]);
            if (auto read = read_line(line, i); !read) return fail(read.error());
        }
        return std::move(script_);
    }

private:
    Result<> read_line(std::string_view line, std::size_t number) {
        if (line.empty()) {
            is_expecting_ = false;
        } else if (line.starts_with('>')) {
            script_.commands.push_back({phrase_of(text::trim(line.substr(1))), number, {}});
            is_expecting_ = true;
        } else if (is_expecting_) {
            script_.commands.back().expected.emplace_back(line);
        } else if (!line.starts_with('#')) {
            return read_declaration(line, number);
        }
        return {};
    }

    Result<> read_declaration(std::string_view line, std::size_t number) {
        auto phrase = phrase_of(line);
        if (std::ranges::find(kGraphVerbs, phrase.verb) != kGraphVerbs.end()) {
            script_.graph.push_back(std::move(phrase));
            return {};
        }
        const auto colon = line.find(": ");
        if (colon == std::string_view::npos) {
            return fail(Code::invalid_argument, fmt::format("line {} is not understood: {}", number + 1, line),
                        "cases/README.md describes the format");
        }
        script_.turns[std::string(line.substr(0, colon))].push_back(turn_of(line.substr(colon + 2)));
        return {};
    }

    CaseScript script_;
    bool is_expecting_ = false;
};

}  // namespace

std::string Phrase::get(std::string_view key, std::string_view otherwise) const {
    for (const auto& word : words) {
        if (word.starts_with(key) && word.substr(key.size()).starts_with('=')) return word.substr(key.size() + 1);
    }
    return std::string(otherwise);
}

bool Phrase::has(std::string_view word) const {
    return std::ranges::find(words, word) != words.end();
}

Result<CaseScript> parse_case(std::string_view text) {
    return Parser().parse(text);
}

}  // namespace quaestor::graph
