#include "native/reading/facts/mention_collector.hpp"

#include <algorithm>
#include <charconv>

namespace quaestor::native::facts {

/// "out of stock": none of what is on stock.
void Collector::add_stock() {
    for (std::size_t at = 2; at < folded_.size(); ++at) {
        if (!says(at, {"stock"}) || !says(at - 1, {"of"}) || !says(at - 2, {"out"})) continue;
        out_.explained[at - 1] = out_.explained[at - 2] = true;
        out_.numbers.push_back({.first = at, .last = at, .number = "0", .is_said = true});
    }
}

/// "more than the league average".
void Collector::add_average() {
    for (const Link& link : question_.links) {
        if (link.kind != LinkKind::comparison || (link.text != ">" && link.text != "<")) continue;
        for (std::size_t at = link.last + 1; at <= link.last + 3; ++at) {
            if (says(at, {"average", "mean", "avg"})) {
                out_.beats_average = link.text == ">" ? Comparison::greater : Comparison::less;
                out_.aggregate.reset();
            }
        }
    }
}

void Collector::add_numbers() {
    for (const Link& link : question_.links) {
        if (link.kind == LinkKind::limit && !link.text.empty() && out_.limit == 0) set_limit(link);
    }
    for (const Link& link : question_.links) {
        if (link.kind != LinkKind::number || link.score < 1 || !is_free(link.first, link.last)) continue;
        if (link.first > 0 && says(link.first - 1, {"top", "first", "best", "bottom", "last"})) {
            set_limit(link);
            continue;
        }
        if (out_.descending && link.first < folded_.size() && link.last + 1 <= out_.order_at + 1 &&
            link.last < out_.order_at) {
            set_limit(link);
            continue;
        }
        if (link.first > 0 && says(link.first - 1, {"in"}) && is_scale(link.first)) {
            add_unit(link.first);
        } else {
            add_number(link);
        }
    }
    for (std::size_t at = 1; at < folded_.size(); ++at) {
        if (says(at - 1, {"in", "many"}) && !out_.taken[at] && is_unit(at)) add_unit(at);
    }
}

bool Collector::is_scale(std::size_t at) const {
    return says(at, {"thousands", "millions", "billions", "thousand", "million", "billion"});
}

bool Collector::is_unit(std::size_t at) const {
    return says(at, {"dollars",     "euros",       "usd",   "metres",  "meters",    "feet", "inches",
                     "centimetres", "centimeters", "cm",    "pounds",  "kilograms", "kg",   "kilometres",
                     "kilometers",  "km",          "miles", "percent", "minutes",   "hours"});
}

/// "in millions of dollars": how it is to be shown.
void Collector::add_unit(std::size_t at) {
    while (at < folded_.size() && (is_scale(at) || is_unit(at) || says(at, {"of", "us"}))) out_.explained[at++] = true;
}

void Collector::set_limit(const Link& link) {
    const auto [end, problem] = std::from_chars(link.text.data(), link.text.data() + link.text.size(), out_.limit);
    if (problem != std::errc() || end != link.text.data() + link.text.size()) out_.limit = 0;
    if (out_.limit > 0) take(link.first, link.last);
}

void Collector::add_number(const Link& link) {
    NumberMention mention{.first = link.first, .last = link.last, .number = link.text};
    for (const Link& comparison : question_.links) {
        if (comparison.kind != LinkKind::comparison || comparison.score < 0.8) continue;
        const bool is_before = comparison.last + 1 == link.first;
        const bool is_after = comparison.first == link.last + 1 && (comparison.text == ">=" || comparison.text == "<=");
        if (!is_before && !is_after) continue;
        mention.comparison = comparison.text == ">"    ? Comparison::greater
                             : comparison.text == ">=" ? Comparison::greater_equal
                             : comparison.text == "<"  ? Comparison::less
                             : comparison.text == "<=" ? Comparison::less_equal
                                                       : Comparison::equal;
        mention.is_said = true;
        for (std::size_t at = comparison.first; at <= comparison.last; ++at) out_.explained[at] = true;
    }
    take(link.first, link.last);
    if (says(link.last + 1, {"dollars", "dollar", "euros", "usd", "percent", "%"}))
        out_.explained[link.last + 1] = true;
    out_.numbers.push_back(std::move(mention));
}

}  // namespace quaestor::native::facts
