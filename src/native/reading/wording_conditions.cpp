#include "native/reading/wording.hpp"
#include "native/reading/wording_nouns.hpp"
#include "native/reading/wording_phrases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace quaestor::native {

namespace {

/// Names of flags that are a sentence already: "is alive".
constexpr auto kFlagVerbs = std::to_array<std::string_view>({"is", "was", "has", "had", "can", "does", "are"});

struct FlagWords {
    std::string_view verb;
    std::string_view rest;
};

std::optional<FlagWords> flag_words(std::string_view words) {
    const std::size_t space = words.find(' ');
    if (space == std::string_view::npos) return std::nullopt;
    const std::string_view verb = words.substr(0, space);
    if (std::ranges::find(kFlagVerbs, verb) == kFlagVerbs.end()) return std::nullopt;
    return FlagWords{verb, words.substr(space + 1)};
}

bool is_many_days(const std::string& text) {
    const auto period = period_of(text);
    if (!period) return false;
    return !text.starts_with(period->first) && text.find(',') == std::string::npos;
}

std::string_view number_words(Comparison comparison) {
    constexpr std::array<std::string_view, 6> kWords{"is ",           "is not ",      "is more than ",
                                                     "is less than ", "is at least ", "is at most "};
    return kWords[static_cast<std::size_t>(comparison)];
}

std::string time_words(Comparison comparison, const std::string& value, bool is_period) {
    switch (comparison) {
        case Comparison::equal:
            return (is_period ? "is in " : "is ") + value;
        case Comparison::unequal:
            return (is_period ? "is not in " : "is not ") + value;
        case Comparison::greater:
            return "is after " + value;
        case Comparison::less:
            return "is before " + value;
        case Comparison::greater_equal:
            return fmt::format("is {} or later", value);
        case Comparison::less_equal:
            return fmt::format("is {} or earlier", value);
    }
    return value;
}

std::string how_many(Comparison comparison, const std::string& number, const std::string& noun) {
    const std::string nouns = number == "1" ? noun : plural(noun);
    constexpr std::array<std::string_view, 6> kWords{"exactly",    "not exactly", "more than",
                                                     "fewer than", "at least",    "at most"};
    return fmt::format("{} {} {}", kWords[static_cast<std::size_t>(comparison)], number, nouns);
}

/// A sub-query that gives one column and nothing but it.
const ColumnRef* only_column(const Query& query) {
    if (query.select.size() != 1 || query.limit || query.combined) return nullptr;
    return std::get_if<ColumnRef>(&query.select.front().node);
}

bool is_grouped_by_its_column(const Query& query) {
    return query.group.size() == 1 && query.group.front() == query.select.front();
}

}  // namespace

std::string Phrases::clause(const Condition& condition) {
    if (depth_ >= kWordingDepthMax) return "with a further condition";
    if (const auto member = membership(condition)) {
        ++depth_;
        const std::string what = members(*member);
        --depth_;
        if (member->count != nullptr) return (member->negated ? "without " : "with ") + what;
        return (member->negated ? "without any " : "with at least one ") + what;
    }
    if (const auto* compare = std::get_if<Compare>(&condition.node)) {
        const auto truth = truth_clause(*compare);
        if (truth && truth->starts_with("it is ")) return "marked as " + truth->substr(6);
    }
    return fits_whose(condition) ? "whose " + test(condition, false) : "where " + test(condition, true);
}

bool Phrases::fits_whose(const Condition& condition) const {
    const auto is_column = [](const Expression& left) {
        return std::holds_alternative<ColumnRef>(left.node) || std::holds_alternative<PartOf>(left.node);
    };
    const auto all_fit = [this](const std::vector<Condition>& parts) {
        return std::ranges::all_of(parts, [this](const Condition& part) { return fits_whose(part); });
    };
    if (const auto* all = std::get_if<AllOf>(&condition.node)) return all_fit(all->parts);
    if (const auto* any = std::get_if<AnyOf>(&condition.node)) return all_fit(any->parts);
    if (std::holds_alternative<NotThat>(condition.node) || membership(condition)) return false;
    if (const auto* compare = std::get_if<Compare>(&condition.node)) {
        return is_column(compare->left) && !truth_clause(*compare);
    }
    if (const auto* match = std::get_if<Match>(&condition.node)) return is_column(match->left);
    if (const auto* between = std::get_if<Between>(&condition.node)) return is_column(between->left);
    if (const auto* null = std::get_if<IsNull>(&condition.node)) return is_column(null->left);
    return is_column(std::get<Among>(condition.node).left);
}

/// "id IN (SELECT singer_id FROM concert …)": the singer has a concert.
std::optional<Phrases::Membership> Phrases::membership(const Condition& condition) const {
    const auto* among = std::get_if<Among>(&condition.node);
    const auto* sub = among == nullptr ? nullptr : std::get_if<Subquery>(&among->members);
    const auto* left = among == nullptr ? nullptr : std::get_if<ColumnRef>(&among->left.node);
    const ColumnRef* right = sub == nullptr ? nullptr : only_column(*sub->query);
    if (left == nullptr || right == nullptr || left->via != 0 || right->via != 0) return std::nullopt;
    if (!names_.is_identity(left->column) || names_[left->column].table != about().table) return std::nullopt;
    const bool is_key = std::ranges::any_of(names_.schema().keys(), [&](const ForeignKey& key) {
        return key.from == right->column && key.to == left->column;
    });
    Membership out{.negated = among->negated, .inner = &*sub->query, .subject = names_.subject_of(*sub->query)};
    if (!is_key || out.subject.table != names_[right->column].table || !out.subject.also_needed.empty()) {
        return std::nullopt;
    }
    if (!out.inner->group.empty() && !is_grouped_by_its_column(*out.inner)) return std::nullopt;
    if (!out.inner->group.empty() && out.inner->having) {
        out.count = std::get_if<Compare>(&out.inner->having->node);
        if (out.count == nullptr || !counts_rows(out.count->left)) return std::nullopt;
    }
    const std::string role = names_.role(right->column);
    if (role != names_.noun(about().table)) out.as = " as " + role;
    return out;
}

/// "concert whose year is 2014", or "more than 5 concerts".
std::string Phrases::members(const Membership& membership) {
    levels_.push_back(membership.subject);
    std::string text = names_.noun(membership.subject);
    if (membership.count != nullptr) {
        text = how_many(membership.count->comparison, side(membership.count->right, membership.count->left), text);
    }
    text += membership.as;
    if (membership.inner->where) text += " " + clause(*membership.inner->where);
    levels_.pop_back();
    return text;
}

std::optional<std::string> Phrases::truth_clause(const Compare& compare) const {
    const auto* ref = std::get_if<ColumnRef>(&compare.left.node);
    const bool is_test = compare.comparison == Comparison::equal || compare.comparison == Comparison::unequal;
    if (ref == nullptr || !is_test || names_[ref->column].kind != ColumnKind::boolean) return std::nullopt;
    if (names_[ref->column].table != about().table || ref->via != 0) return std::nullopt;
    std::string text;
    if (const auto* words = std::get_if<Words>(&compare.right)) text = said(*words);
    if (const auto* constant = std::get_if<Constant>(&compare.right)) text = constant->text;
    const auto truth = truth_of(text);
    const auto flag = flag_words(names_[ref->column].words);
    if (!truth || !flag) return std::nullopt;
    const bool holds = *truth == (compare.comparison == Comparison::equal);
    return fmt::format("it {} {}{}", flag->verb, holds ? "" : "not ", flag->rest);
}

std::string Phrases::test(const Condition& condition, bool with_article) {
    if (depth_ >= kWordingDepthMax) return "a further condition holds";
    ++depth_;
    std::string text;
    if (const auto member = membership(condition)) {
        const std::string_view amount = member->count != nullptr ? "" : member->negated ? "any " : "at least one ";
        text = fmt::format("it {} {}{}", member->negated ? "does not have" : "has", amount, members(*member));
    } else {
        text = std::visit([this, with_article](const auto& node) { return test(node, with_article); }, condition.node);
    }
    --depth_;
    return text;
}

std::string Phrases::left_side(const Expression& left, bool with_article) {
    return with_article ? the(left) : term(left);
}

std::string Phrases::side(const Side& side, const Expression& left) {
    if (const auto* words = std::get_if<Words>(&side)) return value(*words, left);
    if (const auto* constant = std::get_if<Constant>(&side)) return value(*constant, left);
    if (const auto* outer = std::get_if<OuterColumn>(&side)) {
        return fmt::format("the {} of the {} outside", names_[outer->column].words,
                           names_.noun(names_[outer->column].table));
    }
    return the(std::get<Expression>(side));
}

std::string Phrases::compared(const Expression& left, Comparison comparison, const Side& right) {
    const std::string other = side(right, left);
    const bool is_value = std::holds_alternative<Words>(right) || std::holds_alternative<Constant>(right);
    if (kind_of(left) == ColumnKind::time)
        return time_words(comparison, other, is_value && is_date(left) && is_many_days(other));
    return std::string(number_words(comparison)) + other;
}

std::string Phrases::test(const Compare& compare, bool with_article) {
    if (const auto truth = truth_clause(compare)) return *truth;
    return left_side(compare.left, with_article) + " " + compared(compare.left, compare.comparison, compare.right);
}

std::string Phrases::test(const Match& match, bool with_article) {
    constexpr std::array<std::string_view, 4> kWords{"contains", "starts with", "ends with", "looks like"};
    constexpr std::array<std::string_view, 4> kNegated{"does not contain", "does not start with", "does not end with",
                                                       "does not look like"};
    const auto& words = match.negated ? kNegated : kWords;
    return fmt::format("{} {} \"{}\"", left_side(match.left, with_article),
                       words[static_cast<std::size_t>(match.match)], said(match.pattern));
}

/// "team is the champion team of the season …", which says more than their keys.
std::optional<std::string> Phrases::row_test(const Among& among, bool with_article) {
    const auto* sub = std::get_if<Subquery>(&among.members);
    const auto* left = std::get_if<ColumnRef>(&among.left.node);
    if (sub == nullptr || left == nullptr || left->via != 0 || sub->query->select.size() != 1) return std::nullopt;
    const auto* right = std::get_if<ColumnRef>(&sub->query->select.front().node);
    if (right == nullptr || right->via != 0) return std::nullopt;
    const auto is_key = [this](ColumnId id) {
        return std::ranges::any_of(names_.schema().keys(),
                                   [id](const ForeignKey& key) { return key.from == id || key.to == id; });
    };
    if (!is_key(left->column) || !is_key(right->column)) return std::nullopt;
    std::string inner = query(*sub->query);
    const std::string key = fmt::format("the {} ", names_.column(*right, names_.subject_of(*sub->query)));
    if (!inner.starts_with(key)) return std::nullopt;
    inner.erase(0, key.size());
    const std::string mine = names_.role(left->column);
    const std::string theirs = names_.role(right->column);
    const bool is_row = inner.starts_with("of ") && names_.is_identity(right->column);
    if (is_row) inner.erase(0, 3);
    const std::string which = is_row                     ? ""
                              : mine != theirs           ? "the " + theirs + " "
                              : inner.starts_with("of ") ? "that "
                                                         : "the one ";
    return fmt::format("{}{} {} {}{}", with_article ? "the " : "", mine, among.negated ? "is not" : "is", which, inner);
}

std::string Phrases::test(const Among& among, bool with_article) {
    if (auto said = row_test(among, with_article)) return *said;
    const std::string left = left_side(among.left, with_article);
    if (const auto* sub = std::get_if<Subquery>(&among.members)) {
        return fmt::format("{} {} {}", left, among.negated ? "is not among" : "is among", query(*sub->query));
    }
    std::vector<std::string> members;
    for (const Value& member : std::get<std::vector<Value>>(among.members))
        members.push_back(value(member, among.left));
    if (members.empty()) return left + (among.negated ? " is anything" : " is one of none");
    return fmt::format("{} {} {}", left,
                       !among.negated        ? "is"
                       : members.size() == 1 ? "is not"
                                             : "is neither",
                       listed(members, among.negated ? "nor" : "or"));
}

std::string Phrases::test(const Between& between, bool with_article) {
    return fmt::format("{} {}between {} and {}", left_side(between.left, with_article),
                       between.negated ? "is not " : "is ", side(between.low, between.left),
                       side(between.high, between.left));
}

std::string Phrases::test(const IsNull& null, bool with_article) {
    return left_side(null.left, with_article) + (null.negated ? " is recorded" : " is not recorded");
}

std::string Phrases::joined(const std::vector<Condition>& parts, std::string_view joiner, bool with_article) {
    std::vector<std::string> texts;
    for (const Condition& part : parts) {
        const bool is_list = std::holds_alternative<AllOf>(part.node) || std::holds_alternative<AnyOf>(part.node);
        texts.push_back(is_list ? fmt::format("({})", test(part, with_article)) : test(part, with_article));
    }
    return fmt::format("{}", fmt::join(texts, fmt::format(" {} ", joiner)));
}

std::string Phrases::test(const AllOf& all, bool with_article) {
    return joined(all.parts, "and", with_article);
}

std::string Phrases::test(const AnyOf& any, bool with_article) {
    return joined(any.parts, "or", with_article);
}

std::string Phrases::test(const NotThat& negation, bool with_article) {
    return fmt::format("it is not so that ({})", test(*negation.condition, with_article));
}

}  // namespace quaestor::native
