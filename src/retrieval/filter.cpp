#include "retrieval/filter.hpp"

#include "retrieval/metadata.hpp"
#include "retrieval/plain_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace quaestor::retrieval {

namespace {

struct Days {
    std::int32_t first = std::numeric_limits<std::int32_t>::min();
    std::int32_t last = std::numeric_limits<std::int32_t>::max();
};

Result<std::int32_t> day_of(const std::string& date, const char* bound) {
    const auto day = parse_date(date);
    if (day) return day->year * 10'000 + day->month * 100 + day->day;
    return fail(Code::invalid_argument, fmt::format("{} is {}, which is no day", bound, date),
                "write it like 2023-07-26");
}

Result<Days> days_of(const Filter& filter) {
    Days days;
    if (!filter.from.empty()) {
        const auto day = day_of(filter.from, "from");
        if (!day) return fail(day.error());
        days.first = *day;
    }
    if (!filter.to.empty()) {
        const auto day = day_of(filter.to, "to");
        if (!day) return fail(day.error());
        days.last = *day;
    }
    return days;
}

bool has_attributes(const Segment& segment, const DocumentRecord& document, const Filter& filter) {
    if (filter.attributes.empty()) return true;
    const auto attributes = attributes_of(segment, document);
    return std::ranges::all_of(filter.attributes, [&](const auto& wanted) {
        const auto found = attributes.find(wanted.first);
        return found != attributes.end() && found->second == wanted.second;
    });
}

bool lets_all_through(const Filter& filter) {
    return filter.from.empty() && filter.to.empty() && filter.type.empty() && filter.documents.empty() &&
           filter.attributes.empty();
}

bool is_allowed(const Segment& segment, const DocumentRecord& document, const Filter& filter, const Days& days) {
    const bool has_bounds = !filter.from.empty() || !filter.to.empty();
    if (has_bounds && (document.day == kNoDay || document.day < days.first || document.day > days.last)) return false;
    if (!filter.type.empty() && segment.string(document.type) != filter.type) return false;
    if (!filter.documents.empty() && !is_one_of(segment.string(document.name), filter.documents)) return false;
    return has_attributes(segment, document, filter);
}

}  // namespace

Result<std::vector<AllowedChunks>> allowed_chunks(std::span<const LiveSegment> segments, const Filter& filter) {
    const auto days = days_of(filter);
    if (!days) return fail(days.error());
    std::vector<AllowedChunks> allowed(segments.size());
    for (std::size_t i = 0; i < segments.size(); ++i) {
        if (lets_all_through(filter)) {
            allowed[i] = segments[i].live;
            continue;
        }
        const Segment& segment = *segments[i].segment;
        for (std::size_t at = 0; at < segment.documents().size(); ++at) {
            const DocumentRecord& document = segment.documents()[at];
            if (segments[i].removed[at] || !is_allowed(segment, document, filter, *days)) continue;
            add_range(allowed[i], {document.first_chunk, document.first_chunk + document.chunk_count});
        }
    }
    return allowed;
}

}  // namespace quaestor::retrieval
