#include "data/sqlite/functions.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace quaestor::data::sqlite {

namespace {

bool any_null(int count, sqlite3_value** values) {
    return std::any_of(values, values + count,
                       [](sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_NULL; });
}

std::string_view bytes_of(sqlite3_value* value) {
    const bool is_blob = sqlite3_value_type(value) == SQLITE_BLOB;
    const void* data = is_blob ? sqlite3_value_blob(value) : sqlite3_value_text(value);
    const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
    return data == nullptr ? std::string_view() : std::string_view(static_cast<const char*>(data), size);
}

std::string_view text_of(sqlite3_value* value) {
    const void* data = sqlite3_value_text(value);
    const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
    return data == nullptr ? std::string_view() : std::string_view(static_cast<const char*>(data), size);
}

void give_text(sqlite3_context* context, std::string_view text) {
    sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

bool continues_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// memmem() is linear; std::string_view::find() is not.
std::optional<std::size_t> find_part(std::string_view text, std::string_view part, std::size_t from) {
    const void* found = memmem(text.data() + from, text.size() - from, part.data(), part.size());
    if (found == nullptr) return std::nullopt;
    return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

/// Counts in characters, or in bytes when both are blobs.
void instr(sqlite3_context* context, int count, sqlite3_value** values) {
    if (any_null(count, values)) return;
    const bool is_blob = sqlite3_value_type(values[0]) == SQLITE_BLOB && sqlite3_value_type(values[1]) == SQLITE_BLOB;
    const std::string_view text = is_blob ? bytes_of(values[0]) : text_of(values[0]);
    const std::string_view part = is_blob ? bytes_of(values[1]) : text_of(values[1]);
    if (part.empty()) return sqlite3_result_int(context, 1);
    const auto at = text.empty() ? std::nullopt : find_part(text, part, 0);
    if (!at) return sqlite3_result_int(context, 0);
    const auto before = text.substr(0, *at);
    const auto place = is_blob ? static_cast<std::ptrdiff_t>(before.size())
                               : std::ranges::count_if(before, [](char c) { return !continues_character(c); });
    sqlite3_result_int64(context, place + 1);
}

void replace(sqlite3_context* context, int count, sqlite3_value** values) {
    if (any_null(count, values)) return;
    const std::string_view text = text_of(values[0]);
    const std::string_view part = text_of(values[1]);
    const std::string_view instead = text_of(values[2]);
    if (part.empty() || text.empty()) return give_text(context, text);
    const auto longest =
        static_cast<std::size_t>(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1));
    std::string result;
    std::size_t from = 0;
    for (auto at = find_part(text, part, 0); at; at = find_part(text, part, from)) {
        result += text.substr(from, *at - from);
        result += instead;
        from = *at + part.size();
        if (result.size() > longest) return sqlite3_result_error_toobig(context);
    }
    give_text(context, result += text.substr(from));
}

/// The length of the character that `text` begins with, or ends with.
std::size_t first_length(std::string_view text) {
    std::size_t length = 1;
    while (length < text.size() && continues_character(text[length])) ++length;
    return length;
}

std::size_t last_length(std::string_view text) {
    std::size_t length = 1;
    while (length < text.size() && continues_character(text[text.size() - length])) ++length;
    return length;
}

template <bool kLeft, bool kRight>
void trim(sqlite3_context* context, int count, sqlite3_value** values) {
    if (any_null(count, values)) return;
    std::string_view text = text_of(values[0]);
    std::unordered_set<std::string_view> characters;
    for (std::string_view rest = count == 1 ? " " : text_of(values[1]); !rest.empty();) {
        characters.insert(rest.substr(0, first_length(rest)));
        rest.remove_prefix(first_length(rest));
    }
    while (kLeft && !text.empty() && characters.contains(text.substr(0, first_length(text)))) {
        text.remove_prefix(first_length(text));
    }
    while (kRight && !text.empty() && characters.contains(text.substr(text.size() - last_length(text)))) {
        text.remove_suffix(last_length(text));
    }
    give_text(context, text);
}

}  // namespace

void replace_slow_functions(sqlite3* handle) {
    constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    const auto put = [&](const char* name, int arguments, void (*function)(sqlite3_context*, int, sqlite3_value**)) {
        sqlite3_create_function_v2(handle, name, arguments, kFlags, nullptr, function, nullptr, nullptr, nullptr);
    };
    put("instr", 2, instr);
    put("replace", 3, replace);
    for (const int arguments : {1, 2}) {
        put("trim", arguments, trim<true, true>);
        put("ltrim", arguments, trim<true, false>);
        put("rtrim", arguments, trim<false, true>);
    }
}

}  // namespace quaestor::data::sqlite
