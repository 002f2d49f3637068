#include "native/reading/linking.hpp"

#include "native/characters.hpp"
#include "native/reading/link_finders.hpp"

#include <algorithm>
#include <tuple>

namespace quaestor::native {

namespace {

/// At most kQuestionBytesMax bytes, cut before a word that does not fit.
std::string_view readable_part(std::string_view question) {
    if (question.size() <= kQuestionBytesMax) return question;
    const std::string_view part = question.substr(0, kQuestionBytesMax);
    const std::size_t space = part.rfind(' ');
    return space == std::string_view::npos ? part : part.substr(0, space);
}

/// By first word, then the longest, then the best; each meaning of a span once.
void put_in_order(Links& links) {
    const auto meaning = [](const Link& link) {
        return std::tie(link.first, link.last, link.kind, link.table, link.column, link.text);
    };
    std::ranges::sort(links, [&](const Link& left, const Link& right) {
        return meaning(left) != meaning(right) ? meaning(left) < meaning(right) : left.score > right.score;
    });
    const auto repeated = std::ranges::unique(links, {}, meaning);
    links.erase(repeated.begin(), repeated.end());
    std::ranges::sort(links, [&](const Link& left, const Link& right) {
        return std::tuple(left.first, right.last, right.score, meaning(left)) <
               std::tuple(right.first, left.last, left.score, meaning(right));
    });
}

bool is_mark(std::string_view word) {
    std::size_t at = 0;
    return word.empty() || !is_word_point(next_point(word, at));
}

}  // namespace

bool LinkingView::is_linked(std::size_t word, double score) const {
    return std::ranges::any_of(question.links, [&](const Link& link) {
        return link.kind != LinkKind::filler && link.first <= word && word <= link.last && link.score >= score;
    });
}

std::string_view LinkedQuestion::word(std::size_t index) const {
    return span(index, index);
}

std::string_view LinkedQuestion::span(std::size_t first, std::size_t last) const {
    if (first > last || last >= words.size()) return {};
    return std::string_view(text).substr(words[first].begin, words[last].end - words[first].begin);
}

std::vector<std::string> LinkedQuestion::unlinked() const {
    std::vector<bool> is_linked(words.size());
    for (const Link& link : links) {
        for (std::size_t at = link.first; at <= link.last && at < words.size(); ++at) is_linked[at] = true;
    }
    const auto is_unknown = [&](std::size_t at) { return !is_linked[at] && !is_mark(word(at)); };
    std::vector<std::string> out;
    for (std::size_t at = 0; at < words.size(); ++at) {
        if (!is_unknown(at)) continue;
        std::size_t last = at;
        while (last + 1 < words.size() && is_unknown(last + 1)) ++last;
        const bool is_led = at > 0 && is_preposition(fold(word(at - 1)));
        out.emplace_back(span(is_led ? at - 1 : at, last));
        at = last;
    }
    return out;
}

LinkedQuestion link(std::string_view question, const Knowledge& knowledge, std::string_view today) {
    LinkedQuestion linked;
    linked.text = readable_part(question);
    linked.words = split_words(linked.text);
    if (linked.words.size() > kWordsMax) linked.words.resize(kWordsMax);
    linked.hits = knowledge.values().hits(linked.text, linked.words);

    LinkingView view{.question = linked, .knowledge = knowledge, .today = today, .folded = {}, .stemmed = {}};
    for (std::size_t at = 0; at < linked.words.size(); ++at) {
        view.folded.push_back(fold(linked.word(at)));
        view.stemmed.push_back(link_stem(view.folded.back()));
    }
    for (const auto& find :
         {link_phrases, link_numbers, link_periods, link_names, link_values, link_near_names, link_near_values}) {
        Links found;
        find(view, found);
        linked.links.insert(linked.links.end(), std::make_move_iterator(found.begin()),
                            std::make_move_iterator(found.end()));
    }
    put_in_order(linked.links);
    return linked;
}

}  // namespace quaestor::native
