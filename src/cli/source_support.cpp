#include "cli/source_support.hpp"

#include "data/sql_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <poll.h>
#include <unistd.h>

namespace quaestor::cli {

namespace {

constexpr std::string_view kStandardInput = "-";
/// How often a wait for standard input looks whether it was cancelled.
constexpr int kInputPollMs = 100;

/// Reads as much as the guard looks at, and a byte more, so that it refuses what is cut off.
Result<std::string> read_input(const CancelToken& cancel) {
    std::string text;
    std::array<char, 4096> buffer{};
    while (text.size() <= data::kSqlBytesMax) {
        if (!wait_for_input(cancel)) return fail(cancel.error());
        const ssize_t count = read(STDIN_FILENO, buffer.data(), buffer.size());
        if (count == 0) return text;
        if (count < 0 && errno != EINTR) {
            return fail(Code::invalid_argument, fmt::format("cannot read standard input: {}", std::strerror(errno)),
                        "give the statement as an argument");
        }
        if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return text;
}

}  // namespace

bool wait_for_input(const CancelToken& cancel) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    while (!cancel.cancelled()) {
        if (poll(&input, 1, kInputPollMs) > 0) return true;
    }
    return false;
}

std::optional<std::string> find_annotations(const std::string& source, const std::optional<std::string>& given) {
    if (given) return given;
    std::string path = source;
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    path += ".quaestor.yaml";
    std::error_code ignored;
    return std::filesystem::exists(path, ignored) ? std::optional(path) : std::nullopt;
}

data::SourceSettings source_settings(const Invocation& invocation, ProgressBar& progress) {
    const Settings& settings = invocation.settings();
    data::SourceSettings source;
    source.cache_dir = settings.data_dir + "/cache";
    source.memory_limit = memory_limit_bytes(settings.data);
    source.progress = [&progress](std::string_view what, double done) { progress.show(what, done); };
    source.cancel = invocation.cancel;
    return source;
}

Result<std::unique_ptr<data::Source>> open_named_source(const std::string& uri, data::SourceSettings settings) {
    auto source = run_to_end(data::open_source(uri, std::move(settings)));
    if (!source) return fail(opening_error(source.error()));
    return source;
}

/// One that somebody else holds is no mistake in the command: the same one may work later.
Error opening_error(Error error) {
    if (error.code == Code::conflict) error.code = Code::unavailable;
    return error;
}

Result<std::string> read_statement(const std::string& given, const CancelToken& cancel) {
    if (given != kStandardInput) return given;
    return read_input(cancel);
}

ExitCode exit_code_for_statement(const Error& error) {
    const ExitCode code = exit_code_for(error);
    return code == ExitCode::wrong_usage ? ExitCode::not_answered : code;
}

}  // namespace quaestor::cli
