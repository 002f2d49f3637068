#include "native/reading/same_things.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace quaestor::native {

namespace {

using Nouns = std::pair<std::string_view, std::string_view>;

/// Nouns for the same things, by which tables go; each pair both ways.
constexpr auto kSameThings = std::to_array<Nouns>(
    {{"article", "product"},   {"border", "frontier"},    {"car", "vehicle"},    {"city", "town"},
     {"client", "customer"},   {"company", "firm"},       {"country", "nation"}, {"doctor", "physician"},
     {"doctor", "provider"},   {"employee", "person"},    {"employee", "staff"}, {"employee", "worker"},
     {"club", "team"},         {"franchise", "team"},     {"squad", "team"},     {"guy", "player"},
     {"official", "referee"},  {"official", "umpire"},    {"side", "team"},      {"arena", "building"},
     {"arena", "stadium"},     {"arena", "venue"},        {"film", "movie"},     {"game", "match"},
     {"item", "product"},      {"language", "tongue"},    {"order", "purchase"}, {"person", "staff"},
     {"professor", "teacher"}, {"instructor", "teacher"}, {"pupil", "student"},  {"shop", "store"},
     {"song", "track"},        {"supplier", "vendor"}});

}  // namespace

bool are_same_things(std::string_view one, std::string_view other) {
    return std::ranges::any_of(
        kSameThings, [&](const Nouns& pair) { return pair == Nouns(one, other) || pair == Nouns(other, one); });
}

}  // namespace quaestor::native
