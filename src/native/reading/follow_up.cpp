#include "native/reading/form_edits.hpp"
#include "native/reading/parser.hpp"
#include "native/reading/rules/graft.hpp"
#include "native/reading/rules/walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace quaestor::native {

namespace {

using rules::Cue;
using rules::Token;

constexpr std::size_t kFollowUpsMax = 4;
/// That a question is about the earlier one is likely, not sure.
constexpr double kLeaningCost = 0.2;
constexpr double kForgottenWordCost = 1.4;

bool is_any(const Token& token, std::initializer_list<Cue> cues) {
    return token.kind == Token::Kind::cue && std::ranges::find(cues, token.cue) != cues.end();
}

/// Words that ask for something by themselves.
bool asks(const Token& token) {
    return is_any(token, {Cue::ask,     Cue::who,    Cue::how_many, Cue::how_much, Cue::how_many_more,
                          Cue::exists,  Cue::count,  Cue::sum,      Cue::average,  Cue::maximum,
                          Cue::minimum, Cue::most,   Cue::least,    Cue::highest,  Cue::lowest,
                          Cue::about,   Cue::top,    Cue::share,    Cue::ratio,    Cue::difference,
                          Cue::compare, Cue::change, Cue::growth,   Cue::running,  Cue::rank});
}

bool names_something(const Token& token) {
    return token.is(Token::Kind::table) || token.is(Token::Kind::column);
}

/// Words that only tell that a question goes on.
bool is_link_to_earlier(const Token& token) {
    return is_any(token, {Cue::addition, Cue::only, Cue::instead, Cue::pronoun, Cue::reverse});
}

/// "who are they?", "list them": the rows themselves, and nothing else.
bool asks_for_rows(const LinkedQuestion& question) {
    static constexpr std::array<std::string_view, 6> kThem{"they", "them", "those", "these", "ones", "names"};
    static constexpr std::array<std::string_view, 16> kAround{"who",  "which", "what", "are",  "were", "is",
                                                              "list", "show",  "name", "tell", "me",   "their",
                                                              "the",  "give",  "and",  "of"};
    bool says_them = false;
    for (std::size_t at = 0; at < question.words.size(); ++at) {
        const std::string word = fold(question.word(at));
        const bool is_them = std::ranges::find(kThem, word) != kThem.end();
        const bool is_word = !plain_words(word).empty();
        if (is_word && !is_them && std::ranges::find(kAround, word) == kAround.end()) return false;
        says_them |= is_them;
    }
    return says_them;
}

std::vector<std::string> leaning_on(const EarlierQuestion& earlier) {
    // A form that was read back from SQL comes without its question.
    if (earlier.question.empty()) return {};
    return {fmt::format("this goes on from \"{}\"", earlier.question)};
}

}  // namespace

bool leans_on_earlier(const LinkedQuestion& question) {
    if (asks_for_rows(question)) return true;
    std::vector<Token> tokens;
    for (const rules::Unit& unit : rules::units_of(question)) tokens.push_back(unit.meanings.front());
    if (tokens.empty()) return false;
    if (is_any(tokens.front(), {Cue::addition, Cue::only, Cue::conjunction, Cue::disjunction, Cue::by, Cue::sort,
                                Cue::reverse, Cue::instead})) {
        return true;
    }
    if (std::ranges::any_of(
            tokens, [](const Token& token) { return is_any(token, {Cue::instead, Cue::reverse, Cue::pronoun}); })) {
        return true;
    }
    const bool leads_with_table = tokens.front().is(Token::Kind::table) && tokens.size() > 1;
    const bool stands_alone = std::ranges::any_of(tokens, names_something) &&
                              (std::ranges::any_of(tokens, asks) || leads_with_table || tokens.size() > 2);
    return !stands_alone &&
           !std::ranges::any_of(tokens, [](const Token& token) { return token.is(Token::Kind::unknown); });
}

std::vector<Proposal> follow_up(const LinkedQuestion& question, const EarlierQuestion& earlier,
                                const Knowledge& knowledge) {
    std::vector<Proposal> proposals;
    if (!leans_on_earlier(question)) return proposals;
    const rules::SchemaView view(knowledge);
    if (asks_for_rows(question)) {
        const rules::Frame nothing;
        auto draft = rules::Graft(earlier.form, nothing, view, question).rows_by_name();
        if (!draft) return proposals;
        return {{std::move(draft->form), -kLeaningCost, kRuleParser, std::string(draft->rule), leaning_on(earlier)}};
    }
    for (const rules::TokenReading& reading : rules::readings_of(rules::units_of(question))) {
        const bool is_reverse =
            std::ranges::any_of(reading.tokens, [](const Token& token) { return token.is(Cue::reverse); });
        const bool is_about_rows =
            std::ranges::any_of(reading.tokens, [](const Token& token) { return token.is(Cue::pronoun); });
        std::vector<Token> tokens = reading.tokens;
        std::erase_if(tokens, is_link_to_earlier);
        const auto frame = rules::Walk(tokens, view, true).frame();
        if (!frame) continue;
        auto draft = rules::Graft(earlier.form, *frame, view, question).draft(is_reverse, is_about_rows);
        if (!draft || draft->form == earlier.form) continue;
        const double score = std::min(
            0.0, reading.score - kLeaningCost - kForgottenWordCost * static_cast<double>(frame->left_out.size()));
        const bool is_new =
            std::ranges::none_of(proposals, [&draft](const Proposal& one) { return one.form == draft->form; });
        if (!is_new) continue;
        proposals.push_back(
            {std::move(draft->form), score, kRuleParser, std::string(draft->rule), leaning_on(earlier)});
    }
    std::ranges::sort(proposals, std::greater(), &Proposal::score);
    if (proposals.size() > kFollowUpsMax) proposals.resize(kFollowUpsMax);
    return proposals;
}

Query without_words(const Query& form, const LinkedQuestion& question) {
    return with_words_replaced(form, [&question](const Words& words) {
        return Value{Constant{std::string(question.span(words.first, words.last))}};
    });
}

}  // namespace quaestor::native
