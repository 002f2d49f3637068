#include "base/tape.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace quaestor {

namespace {

constexpr int kOwnerOnly = 0600;
/// Largest tape that is played: it is held in memory.
constexpr std::uintmax_t kTapeBytesMax = std::uintmax_t{1} << 30;

/// The members of an object in the order of their names, so that the same request has the same key however it was
/// built.
json::value in_order(const json::value& value) {
    if (const auto* array = value.if_array()) {
        json::array result;
        for (const json::value& item : *array) result.push_back(in_order(item));
        return result;
    }
    const auto* object = value.if_object();
    if (object == nullptr) return value;
    std::map<std::string_view, const json::value*> members;
    for (const auto& member : *object) members.emplace(std::string_view(member.key()), &member.value());
    json::object result;
    for (const auto& [name, member] : members) result.emplace(name, in_order(*member));
    return result;
}

std::string key_of(std::string_view kind, const json::value& request) {
    return fmt::format("{} {}", kind, to_text(in_order(request)));
}

std::unexpected<Error> no_tape(const std::string& path, std::size_t line, std::string why) {
    return fail(Code::corrupt, fmt::format("{}:{} is no line of a tape: {}", path, line, why),
                "record the run again, or take the line out");
}

/// Makes the file, and fails when somebody was there before: a recording must not write over another.
Result<> make_file(const std::string& path) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kOwnerOnly);
    if (file >= 0) {
        ::close(file);
        return {};
    }
    if (errno == EEXIST) {
        return fail(Code::already_exists, fmt::format("there is a file {} already", path),
                    "name another file for the recording, or move that one away");
    }
    return fail(Code::unavailable, fmt::format("the tape {} cannot be made: {}", path, std::strerror(errno)),
                "check that the folder exists and may be written to");
}

}  // namespace

Result<std::shared_ptr<Tape>> Tape::record(const std::string& path) {
    if (auto made = make_file(path); !made) return fail(std::move(made.error()));
    std::shared_ptr<Tape> tape(new Tape());
    tape->path_ = path;
    tape->file_.open(path, std::ios::binary | std::ios::app);
    if (!tape->file_) return fail(Code::unavailable, fmt::format("the tape {} cannot be written", path));
    return tape;
}

Result<std::shared_ptr<Tape>> Tape::replay(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return fail(Code::not_found, fmt::format("the tape {} cannot be read: {}", path, std::strerror(errno)),
                    "check the path");
    }
    std::error_code no_size;
    if (std::filesystem::file_size(path, no_size) > kTapeBytesMax && !no_size) {
        return fail(Code::limit_exceeded, fmt::format("the tape {} is larger than {} bytes", path, kTapeBytesMax),
                    "record a shorter run");
    }
    std::shared_ptr<Tape> tape(new Tape());
    tape->path_ = path;
    tape->is_replay_ = true;
    std::string line;
    for (std::size_t number = 1; std::getline(file, line); ++number) {
        auto call = parse_json(line);
        if (!call) return no_tape(path, number, call.error().message);
        auto* const members = call->if_object();
        const auto* const kind = members == nullptr ? nullptr : members->if_contains("kind");
        const bool is_call =
            kind != nullptr && kind->is_string() && members->contains("request") && members->contains("answer");
        if (!is_call) return no_tape(path, number, "it has no kind, request and answer");
        const std::string key = key_of(std::string_view(kind->get_string()), members->at("request"));
        tape->answers_[key].push_back(std::move(members->at("answer")));
    }
    if (file.bad()) return fail(Code::unavailable, fmt::format("the tape {} cannot be read to its end", path));
    return tape;
}

Result<> Tape::keep(std::string_view kind, const json::value& request, const json::value& answer) {
    if (is_replay_) return fail(Code::internal, "a tape that is being played cannot be written");
    const std::string line = to_text(json::object{{"kind", kind}, {"request", request}, {"answer", answer}}) + "\n";
    const std::lock_guard lock(mutex_);
    file_ << line << std::flush;
    if (file_) return {};
    return fail(Code::unavailable, fmt::format("the tape {} cannot be written any further", path_),
                "check that the disk has room");
}

Result<json::value> Tape::take(std::string_view kind, const json::value& request) {
    const std::string key = key_of(kind, request);
    const std::lock_guard lock(mutex_);
    const auto found = answers_.find(key);
    if (found == answers_.end()) {
        return fail(Code::not_found, fmt::format("the tape {} has no (further) answer to this {} call", path_, kind),
                    "the run has changed since it was recorded; record it again");
    }
    json::value answer = std::move(found->second.front());
    found->second.pop_front();
    if (found->second.empty()) answers_.erase(found);
    return answer;
}

std::size_t Tape::left() const {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const auto& [key, answers] : answers_) count += answers.size();
    return count;
}

}  // namespace quaestor
