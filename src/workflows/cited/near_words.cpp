#include "workflows/cited/near_words.hpp"

#include "base/text.hpp"
#include "retrieval/terms.hpp"
#include "workflows/cited/evidence.hpp"
#include "workflows/cited/librarian.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace quaestor::workflows::cited {

namespace {

using native::AskedQuestion;

/// Vectors that are kept, about 30 MB.
constexpr std::size_t kVectorsMax = 20'000;
/// Words of passages that are compared with the question's.
constexpr std::size_t kWordsCompared = 700;
constexpr std::size_t kWordLettersMin = 3;
/// Cosines of single words: below the first two of them are near by chance, from the second on they mean the same.
constexpr float kNearFrom = 0.38F;
constexpr float kNearTo = 0.72F;
/// What the nearest is worth; the word itself is worth 1.
constexpr double kNearWorth = 0.85;
constexpr double kWorthMin = 0.15;
constexpr std::size_t kNearMost = 12;
/// Words of a question that are weighed by what it means without them, and what remains of one that adds nothing.
constexpr std::size_t kTermsWeighed = 24;
constexpr double kMeaningMin = 0.25;

bool is_plain_word(std::string_view word) {
    return word.size() >= kWordLettersMin &&
           std::ranges::all_of(word, [](char c) { return (c >= 'a' && c <= 'z') || c == '-' || c == '\''; });
}

/// A word as it is written, with its term.
struct Spelling {
    std::string word;
    std::string term;
};

std::vector<Spelling> spellings_in(std::string_view text) {
    std::vector<Spelling> all;
    for (std::string& word : text::words(text::fold(text))) {
        auto terms = retrieval::terms_of(word);
        if (terms.size() == 1 && is_plain_word(word)) all.push_back({std::move(word), std::move(terms.front())});
    }
    return all;
}

/// Words of the question for which others may stand.
std::vector<Spelling> open_words(const AskedQuestion& asked, const std::string& topic) {
    std::set<std::string> names;
    for (const auto& name : names_in(topic)) names.insert(text::fold(name));
    std::vector<Spelling> all;
    for (Spelling& one : spellings_in(topic)) {
        const auto term = std::ranges::find(asked.terms, one.term, &native::AskedTerm::term);
        const bool is_open = term != asked.terms.end() && term->direction == native::Direction::none;
        if (is_open && !names.contains(one.word)) all.push_back(std::move(one));
    }
    return all;
}

/// Each term once, in the order of the texts.
std::vector<Spelling> words_of(const std::vector<std::string>& texts) {
    std::vector<Spelling> all;
    std::unordered_set<std::string> seen;
    std::unordered_set<std::string> terms_seen;
    for (const auto& text : texts) {
        for (std::string& word : text::words(text::fold(text))) {
            if (all.size() == kWordsCompared) return all;
            if (!is_plain_word(word) || !seen.insert(word).second) continue;
            auto terms = retrieval::terms_of(word);
            if (terms.size() != 1 || !terms_seen.insert(terms.front()).second) continue;
            all.push_back({std::move(word), std::move(terms.front())});
        }
    }
    return all;
}

double worth_of(float cosine) {
    return kNearWorth * static_cast<double>(std::clamp((cosine - kNearFrom) / (kNearTo - kNearFrom), 0.0F, 1.0F));
}

bool is_abbreviation(std::string_view word) {
    constexpr std::size_t kLettersMin = 2;
    constexpr std::size_t kLettersMax = 5;
    return word.size() >= kLettersMin && word.size() <= kLettersMax &&
           std::ranges::all_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
}

/// The terms of the first words in a row that begin with these capitals; empty where there are none.
native::Phrase spelled_out(std::string_view letters, const std::vector<std::string>& texts) {
    for (const auto& text : texts) {
        const auto words = text::words(text);
        for (std::size_t at = 0; at + letters.size() <= words.size(); ++at) {
            std::string spelled;
            for (std::size_t next = 0; next < letters.size(); ++next) {
                const auto& word = words[at + next];
                if (word.size() < kWordLettersMin || word.front() != letters[next]) break;
                spelled += (next == 0 ? "" : " ") + word;
                auto terms = retrieval::terms_of(spelled);
                if (next + 1 == letters.size() && terms.size() == letters.size()) return terms;
            }
        }
    }
    return {};
}

/// `topic` without the words of a term.
std::string without(const std::string& topic, const std::string& term) {
    std::string rest;
    for (const auto& word : text::words(topic)) {
        const auto terms = retrieval::terms_of(word);
        if (std::ranges::find(terms, term) == terms.end()) rest += (rest.empty() ? "" : " ") + word;
    }
    return rest;
}

}  // namespace

Task<Result<WordVectors::Known>> WordVectors::of(llm::Embedder& embedder, std::vector<std::string> words,
                                                 CancelToken cancel) {
    Known found;
    std::vector<std::string> unknown;
    {
        const std::scoped_lock lock(mutex_);
        for (const auto& word : words) {
            const auto known = known_.find(word);
            if (known != known_.end()) {
                found.insert(*known);
            } else {
                unknown.push_back(word);
            }
        }
    }
    if (unknown.empty()) co_return found;
    const auto vectors = co_await embedder.embed(unknown, std::move(cancel));
    if (!vectors) co_return fail(vectors.error());
    const std::scoped_lock lock(mutex_);
    for (std::size_t at = 0; at < unknown.size(); ++at) {
        const auto row = (*vectors)[at];
        keep(unknown[at], {row.begin(), row.end()});
        found.try_emplace(unknown[at], row.begin(), row.end());
    }
    co_return found;
}

void WordVectors::keep(const std::string& word, std::vector<float> vector) {
    if (known_.size() >= kVectorsMax) known_.clear();
    known_.try_emplace(word, std::move(vector));
}

Task<Result<AskedQuestion>> weighed_by_meaning(const Librarian& librarian, AskedQuestion asked, std::string topic,
                                               CancelToken cancel) {
    const std::size_t count = std::min(asked.terms.size(), kTermsWeighed);
    if (count < 2) co_return asked;
    std::vector<std::string> texts{topic};
    for (std::size_t at = 0; at < count; ++at) texts.push_back(without(topic, asked.terms[at].term));
    const auto vectors = co_await librarian.embedder().embed(std::move(texts), std::move(cancel));
    if (!vectors) co_return fail(vectors.error());
    std::vector<double> losses;
    for (std::size_t at = 0; at < count; ++at) {
        losses.push_back(1.0 - static_cast<double>(llm::cosine((*vectors)[0], (*vectors)[at + 1])));
    }
    const double most = std::ranges::max(losses);
    if (most <= 0) co_return asked;
    for (std::size_t at = 0; at < count; ++at) {
        asked.terms[at].weight *= kMeaningMin + (1 - kMeaningMin) * std::max(losses[at], 0.0) / most;
    }
    co_return asked;
}

AskedQuestion with_abbreviations(AskedQuestion asked, std::string_view topic, const std::vector<std::string>& texts) {
    for (const auto& word : text::words(topic)) {
        const auto terms = retrieval::terms_of(word);
        if (!is_abbreviation(word) || terms.size() != 1) continue;
        const auto term = std::ranges::find(asked.terms, terms.front(), &native::AskedTerm::term);
        if (term == asked.terms.end()) continue;
        if (auto phrase = spelled_out(word, texts); !phrase.empty()) {
            term->alike.push_back(std::move(phrase));
        }
    }
    return asked;
}

Task<Result<AskedQuestion>> with_near_words(const Librarian& librarian, AskedQuestion asked, std::string topic,
                                            std::vector<std::string> texts, CancelToken cancel) {
    const auto open = open_words(asked, topic);
    if (open.empty()) co_return asked;
    const auto there = words_of(texts);
    std::vector<std::string> words;
    for (const auto* list : {&open, &there}) {
        for (const auto& one : *list) words.push_back(one.word);
    }
    std::ranges::sort(words);
    words.erase(std::ranges::unique(words).begin(), words.end());
    const auto vectors =
        co_await librarian.word_vectors().of(librarian.embedder(), std::move(words), std::move(cancel));
    if (!vectors) co_return fail(vectors.error());
    for (const auto& own : open) {
        auto& term = *std::ranges::find(asked.terms, own.term, &native::AskedTerm::term);
        for (const auto& other : there) {
            if (other.term == own.term) continue;
            const double worth = worth_of(llm::cosine(vectors->at(own.word), vectors->at(other.word)));
            if (worth >= kWorthMin) term.near.push_back({other.term, worth});
        }
        std::ranges::sort(term.near, std::ranges::greater(), &native::NearTerm::worth);
        term.near.resize(std::min(term.near.size(), kNearMost));
    }
    co_return asked;
}

}  // namespace quaestor::workflows::cited
