#include "native/form_keywords.hpp"
#include "native/form_tokens.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

namespace quaestor::native {

namespace {

/// Bodies are parted by |. What begins with @ stands for one body for each keyword of a group. The grammar is LL(1),
/// and no body begins with a symbol that may be empty.
struct Rule {
    std::string_view name;
    std::string_view bodies;
};
constexpr std::array kRules{
    Rule{"query", "SELECT distinct item items from where group order limit tail"},
    Rule{"distinct", "DISTINCT |"},
    Rule{"items", "item items |"},
    Rule{"from", "FROM <table> tables |"},
    Rule{"tables", "<table> tables |"},
    Rule{"where", "WHERE condition |"},
    Rule{"group", "GROUP base bases having |"},
    Rule{"bases", "base bases |"},
    Rule{"having", "HAVING condition |"},
    Rule{"order", "ORDER item direction orders |"},
    Rule{"orders", "item direction orders |"},
    Rule{"direction", "ASC | DESC"},
    Rule{"limit", "LIMIT value | TIES value | NTH value |"},
    Rule{"tail", "END | @sets query"},
    Rule{"item", "operand more"},
    Rule{"more", "@arithmetic other more |"},
    Rule{"operand", "base | aggregate"},
    Rule{"other", "base | aggregate | SUB query"},
    Rule{"aggregate", "@aggregates distinct argument filter"},
    Rule{"argument", "base | OPEN base arithmetic base factors CLOSE"},
    Rule{"factors", "arithmetic base factors |"},
    Rule{"arithmetic", "@arithmetic"},
    Rule{"filter", "FILTER condition CLOSE |"},
    Rule{"base", "column | @parts column"},
    Rule{"column", "<column> | VIA <key> <column>"},
    Rule{"condition", "term terms"},
    Rule{"terms", "AND term terms | OR term terms |"},
    Rule{"term", "OPEN condition CLOSE | NOT OPEN condition CLOSE | item test"},
    Rule{"test",
         "@comparisons side | @matches value | IN members | NOT_IN members | BETWEEN side side"
         " | NOT_BETWEEN side side | ISNULL | NOTNULL"},
    Rule{"side", "value | base | OUTER <column> | SUB query"},
    Rule{"members", "SUB query | value values CLOSE"},
    Rule{"value", "<word> <end> | @constants"},
    Rule{"values", "value values |"},
};

struct Group {
    std::string_view name;
    Keyword first;
    Keyword after;
};
constexpr std::array kGroups{
    Group{"@aggregates", Keyword::aggregates, Keyword::parts},
    Group{"@parts", Keyword::parts, Keyword::comparisons},
    Group{"@comparisons", Keyword::comparisons, Keyword::matches},
    Group{"@matches", Keyword::matches, Keyword::in},
    Group{"@sets", Keyword::sets, Keyword::arithmetic},
    Group{"@arithmetic", Keyword::arithmetic, Keyword::constants},
    Group{"@constants", Keyword::constants, Keyword::count},
};

using Symbol = std::uint8_t;
using Body = std::vector<Symbol>;

// Symbols are the keywords, then the kinds of pointers, then the rules.
constexpr std::array<std::string_view, 5> kPointers{"<column>", "<key>", "<table>", "<word>", "<end>"};
constexpr Symbol kColumn = static_cast<Symbol>(kFormKeywords);
constexpr Symbol kKey = kColumn + 1;
constexpr Symbol kTable = kColumn + 2;
constexpr Symbol kWord = kColumn + 3;
constexpr Symbol kEnd = kColumn + 4;
constexpr std::size_t kTerminals = kFormKeywords + kPointers.size();
constexpr std::size_t kSymbols = kTerminals + kRules.size();
constexpr Symbol kStart = static_cast<Symbol>(kTerminals);
static_assert(kSymbols <= 256, "a symbol is one byte");
static_assert(kFormKeywords == kKeywordNames.size());

using Terminals = std::bitset<kTerminals>;

class Grammar {
public:
    Grammar() {
        for (std::size_t at = 0; at < kTerminals; ++at) first_[at].set(at);
        for (std::size_t at = 0; at < kRules.size(); ++at) bodies_[at] = bodies_of(kRules[at].bodies);
        while (grow()) {
        }
    }

    [[nodiscard]] bool may_be_empty(Symbol symbol) const { return may_be_empty_[symbol]; }
    /// The terminals with which a symbol may begin.
    [[nodiscard]] const Terminals& first(Symbol symbol) const { return first_[symbol]; }
    /// The body of a rule that begins with a terminal; nullptr when none does.
    [[nodiscard]] const Body* body(Symbol rule, Symbol terminal) const {
        for (const Body& candidate : bodies_[rule - kTerminals]) {
            if (!candidate.empty() && first_[candidate.front()].test(terminal)) return &candidate;
        }
        return nullptr;
    }

private:
    static Symbol symbol_of(std::string_view name) {
        const auto index = [name](const auto& list, auto text_of) {
            return static_cast<std::size_t>(std::ranges::find(list, name, text_of) - list.begin());
        };
        const std::size_t keyword = index(kKeywordNames, std::identity());
        if (keyword < kKeywordNames.size()) return static_cast<Symbol>(keyword);
        const std::size_t pointer = index(kPointers, std::identity());
        if (pointer < kPointers.size()) return static_cast<Symbol>(kFormKeywords + pointer);
        return static_cast<Symbol>(kTerminals + index(kRules, &Rule::name));
    }

    static std::vector<Body> bodies_of(std::string_view text) {
        std::vector<Body> bodies;
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t bar = std::min(text.find('|', begin), text.size());
            add_body(text.substr(begin, bar - begin), bodies);
            begin = bar + 1;
        }
        return bodies;
    }

    static void add_body(std::string_view text, std::vector<Body>& bodies) {
        Body body;
        const Group* group = nullptr;
        for (std::size_t at = text.find_first_not_of(' '); at != std::string_view::npos;) {
            const std::size_t end = std::min(text.find(' ', at), text.size());
            const std::string_view name = text.substr(at, end - at);
            if (name.front() == '@') {
                group = std::ranges::find(kGroups, name, &Group::name);
                body.push_back(static_cast<Symbol>(group->first));
            } else {
                body.push_back(symbol_of(name));
            }
            at = text.find_first_not_of(' ', end);
        }
        bodies.push_back(body);
        if (group == nullptr) return;
        while (++body.front() < static_cast<Symbol>(group->after)) bodies.push_back(body);
    }

    /// One round towards the fixed point; false once nothing changes.
    bool grow() {
        bool has_changed = false;
        for (std::size_t rule = 0; rule < kRules.size(); ++rule) {
            const std::size_t symbol = kTerminals + rule;
            const Terminals before = first_[symbol];
            for (const Body& body : bodies_[rule]) {
                const auto solid = std::ranges::find_if(body, [this](Symbol part) { return !may_be_empty_[part]; });
                for (auto part = body.begin(); part != solid; ++part) first_[symbol] |= first_[*part];
                if (solid != body.end()) first_[symbol] |= first_[*solid];
                if (solid == body.end() && !may_be_empty_[symbol]) may_be_empty_[symbol] = has_changed = true;
            }
            has_changed = has_changed || first_[symbol] != before;
        }
        return has_changed;
    }

    std::array<std::vector<Body>, kRules.size()> bodies_;
    std::array<Terminals, kSymbols> first_{};
    std::array<bool, kSymbols> may_be_empty_{};
};

const Grammar& grammar() {
    static const Grammar instance;
    return instance;
}

Terminals next_terminals(const std::vector<Symbol>& stack) {
    Terminals next;
    for (auto symbol = stack.rbegin(); symbol != stack.rend(); ++symbol) {
        next |= grammar().first(*symbol);
        if (!grammar().may_be_empty(*symbol)) break;
    }
    return next;
}

/// What a token is where `next` may come; kTerminals when it is nothing.
std::size_t terminal_of(const FormToken& token, const Terminals& next) {
    switch (token.kind) {
        case FormToken::Kind::keyword:
            return token.value >= 0 && token.value < static_cast<int>(kFormKeywords)
                       ? static_cast<std::size_t>(token.value)
                       : kTerminals;
        case FormToken::Kind::column:
            return next.test(kKey) ? kKey : kColumn;
        case FormToken::Kind::table:
            return kTable;
        case FormToken::Kind::word:
            return next.test(kEnd) ? kEnd : kWord;
    }
    return kTerminals;
}

}  // namespace

GrammarState::GrammarState() : stack_{kStart} {}

GrammarState::Allowed GrammarState::allowed() const {
    const Terminals next = next_terminals(stack_);
    Allowed allowed{.columns = next.test(kColumn),
                    .keys = next.test(kKey),
                    .tables = next.test(kTable),
                    .words = next.test(kWord),
                    .word_ends = next.test(kEnd)};
    for (std::size_t at = 0; at < kFormKeywords; ++at) allowed.keywords.set(at, next.test(at));
    return allowed;
}

bool GrammarState::step(const FormToken& token) {
    const Terminals next = next_terminals(stack_);
    const std::size_t terminal = terminal_of(token, next);
    if (terminal >= kTerminals || !next.test(terminal)) return false;
    while (true) {
        const Symbol top = stack_.back();
        stack_.pop_back();
        if (top == terminal) return true;
        if (const Body* body = grammar().body(top, static_cast<Symbol>(terminal))) {
            stack_.insert(stack_.end(), body->rbegin(), body->rend());
        }
    }
}

}  // namespace quaestor::native
