#include "data/import/names.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "data/ascii.hpp"

#include <fmt/format.h>
#include <unicode/uchar.h>

#include <algorithm>

namespace quaestor::data {

std::string UniqueNames::add(std::string_view name) {
    std::string unique(name);
    for (int number = 2; !taken_.insert(lower_ascii(unique)).second; ++number) {
        unique = fmt::format("{}_{}", name, number);
    }
    return unique;
}

std::string plain_name(std::string_view text) {
    std::string name;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        const UChar32 point = utf8::next(text, at);
        // A combining mark belongs to the letter before it.
        const bool is_mark = point >= 0 && (U_GET_GC_MASK(point) & U_GC_M_MASK) != 0;
        if (point >= 0 && (u_isalnum(point) != 0 || is_mark)) {
            name += lower_ascii(text.substr(begin, at - begin));
        } else if (!name.empty() && name.back() != '_') {
            name += '_';
        }
    }
    if (name.ends_with('_')) name.pop_back();
    if (name.empty()) return "table";
    return name.front() >= '0' && name.front() <= '9' ? "t_" + name : name;
}

std::string_view stem_of(std::string_view path) {
    path = path.substr(path.rfind('/') + 1);
    if (lower_ascii(path).ends_with(".gz")) path.remove_suffix(3);
    const std::size_t point = path.rfind('.');
    return point == 0 ? path : path.substr(0, point);
}

std::vector<std::string> column_names(const std::vector<std::string>& header) {
    UniqueNames unique;
    std::vector<std::string> names;
    for (const auto& written : header) {
        std::string name(text::trim(written));
        std::ranges::replace_if(name, [](char byte) { return (byte >= 0 && byte < ' ') || byte == '\x7f'; }, ' ');
        if (name.empty()) name = fmt::format("column_{}", names.size() + 1);
        names.push_back(unique.add(name));
    }
    return names;
}

}  // namespace quaestor::data
