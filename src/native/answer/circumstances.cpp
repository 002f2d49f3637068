#include "native/answer/circumstances.hpp"

#include "native/reading/wording_nouns.hpp"
#include "native/reading/wording_phrases.hpp"
#include "native/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace quaestor::native {

namespace {

bool ends_with_one_of(std::string_view words, std::initializer_list<std::string_view> endings) {
    return std::ranges::any_of(endings, [words](std::string_view ending) {
        return words == ending || (words.ends_with(ending) && words[words.size() - ending.size() - 1] == ' ');
    });
}

bool names_rows(const SchemaColumn& column) {
    return column.kind == ColumnKind::text && ends_with_one_of(column.words, {"name", "title"});
}

bool says_when(const SchemaColumn& column) {
    return ends_with_one_of(column.words, {"season", "year"});
}

/// "is home" → "home": what is so, or not.
std::string flag_words(const std::string& words, bool holds) {
    constexpr std::array<std::string_view, 4> kVerbs{"is ", "was ", "has ", "are "};
    std::string_view rest = words;
    for (const std::string_view verb : kVerbs) {
        if (rest.starts_with(verb)) rest.remove_prefix(verb.size());
    }
    return fmt::format("{}{}", holds ? "" : "not ", rest);
}

/// With "the", where the question says so.
std::string as_said(const std::string& name, std::string_view question) {
    const bool has_article = fold(question).contains("the " + fold(name));
    return (has_article ? "the " : "") + name;
}

class Gathering {
public:
    Gathering(const Schema& schema, const Spoken& spoken, std::string_view question)
        : schema_(schema), spoken_(spoken), question_(question) {}

    /// Whether a condition is understood.
    bool add(const Condition& condition) {
        if (const auto* all = std::get_if<AllOf>(&condition.node)) {
            return std::ranges::all_of(all->parts, [this](const Condition& part) { return add(part); });
        }
        const auto* compare = std::get_if<Compare>(&condition.node);
        if (compare == nullptr || compare->comparison != Comparison::equal) return false;
        const auto* ref = std::get_if<ColumnRef>(&compare->left.node);
        if (ref == nullptr || ref->column == 0) return false;
        if (const auto* words = std::get_if<Words>(&compare->right)) return add(*ref, said_text(*words, spoken_));
        if (const auto* constant = std::get_if<Constant>(&compare->right)) return add(*ref, constant->text);
        return false;
    }

    Circumstances found;

private:
    bool add(const ColumnRef& ref, const std::string& text) {
        const SchemaColumn& column = schema_.columns()[static_cast<std::size_t>(ref.column)];
        if (column.kind == ColumnKind::boolean) {
            found.besides.push_back(flag_words(column.words, text == "true" || text == "TRUE" || text == "1"));
        } else if (names_rows(column)) {
            found.whose.push_back(as_said(text, question_));
        } else if (says_when(column)) {
            found.when.push_back(text);
        } else {
            found.besides.push_back(fmt::format("{} {}", column.words, text));
        }
        return true;
    }

    const Schema& schema_;
    const Spoken& spoken_;
    std::string_view question_;
};

}  // namespace

std::optional<Circumstances> circumstances_of(const Query& form, const Schema& schema, const Spoken& spoken,
                                              std::string_view question) {
    if (!form.where || form.having) return std::nullopt;
    Gathering gathering(schema, spoken, question);
    if (!gathering.add(*form.where)) return std::nullopt;
    if (gathering.found.whose.empty() && gathering.found.when.empty()) return std::nullopt;
    return std::move(gathering.found);
}

std::string behind_measure(const Circumstances& circumstances) {
    std::string text;
    if (!circumstances.whose.empty()) text += " of " + listed(circumstances.whose);
    if (!circumstances.when.empty()) text += " in " + listed(circumstances.when);
    if (!circumstances.besides.empty()) text += fmt::format(" ({})", fmt::join(circumstances.besides, ", "));
    return text;
}

}  // namespace quaestor::native
