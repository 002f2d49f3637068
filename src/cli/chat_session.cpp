#include "cli/chat_session.hpp"

#include "base/text.hpp"
#include "cli/answer_view.hpp"
#include "cli/sql_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace quaestor::cli {

namespace {

using workflows::Answer;
using workflows::AskedQuery;

constexpr std::string_view kHowToReply = "Answer with a number, or in your own words.";
/// Of a question that is refused, as much is told back.
constexpr std::size_t kRefusedShown = 200;

/// A question that cannot be asked still gets its answer, so that programs count one for each line.
Answer refusal(std::string_view question, const Error& error) {
    Answer answer;
    answer.status = workflows::AnswerStatus::refused;
    answer.question = text::shorten(visible(question.substr(0, 4 * kRefusedShown)), kRefusedShown);
    answer.answer = fmt::format("{}: {}", error.describe(), error.advice());
    return answer;
}

/// The whole result: the rows that were kept or, where there were more, those that the database gives again.
Result<data::ResultSet> whole_result(const AskedQuery& query, const OpenAgent& agent, const CancelToken& cancel) {
    const bool is_whole = query.result.row_count <= static_cast<std::int64_t>(query.result.rows.size());
    if (is_whole) return workflows::result_of(query.result);
    if (!agent.analyst) return workflows::result_of(query.result);
    return run_to_end(agent.analyst->source().query(query.text, agent.analyst->limits(), cancel));
}

Result<> write_new_file(const std::string& file, std::string_view text) {
    std::error_code unknown;
    if (std::filesystem::exists(file, unknown)) {
        return fail(Code::already_exists, fmt::format("there is a file {} already", file), "choose another name");
    }
    std::ofstream out(file, std::ios::binary);
    out << text;
    out.flush();
    if (out) return {};
    return fail(Code::permission_denied, fmt::format("cannot write {}: {}", file, std::strerror(errno)),
                "choose another place");
}

}  // namespace

struct ChatSession::Command {
    std::string_view name;
    std::string_view argument;
    std::string_view sentence;
    bool is_for_programs;  ///< makes sense also where answers are printed as JSON
    Result<Next> (ChatSession::*run)(std::string_view argument, const CancelToken& cancel);
};

std::span<const ChatSession::Command> ChatSession::commands() {
    static constexpr std::array kCommands{
        Command{"/sql", "", "the SQL behind the last answer", false, &ChatSession::show_sql},
        Command{"/table", "", "its rows", false, &ChatSession::show_table},
        Command{"/chart", "", "its chart", false, &ChatSession::show_chart},
        Command{"/sources", "", "the places that it cites, with their words", false, &ChatSession::show_sources},
        Command{"/why", "", "how it was understood, found and checked", false, &ChatSession::show_reasons},
        Command{"/csv", "FILE", "write its rows to a new file", true, &ChatSession::write_csv},
        Command{"/new", "", "begin a new conversation", true, &ChatSession::begin_anew},
        Command{"/help", "", "this list", false, &ChatSession::show_help},
        Command{"/quit", "", "end; so does Ctrl-D", true, &ChatSession::quit},
    };
    return kCommands;
}

Result<ChatSession::Next> ChatSession::take(std::string_view line, const CancelToken& cancel) {
    const auto trimmed = text::trim(line);
    if (trimmed.empty()) return Next::go_on;
    return trimmed.starts_with('/') ? command(trimmed, cancel) : question(trimmed, cancel);
}

Result<ChatSession::Next> ChatSession::command(std::string_view line, const CancelToken& cancel) {
    const auto end = std::min(line.find(' '), line.size());
    const auto name = line.substr(0, end);
    const auto all = commands();
    const auto found = std::ranges::find(all, name, &Command::name);
    if (found == all.end()) {
        std::vector<std::string> names;
        for (const auto& known : all) names.emplace_back(known.name);
        const auto meant = text::nearest(name, names);
        return fail(Code::invalid_argument, fmt::format("there is no command {}", text::shorten(visible(name), 40)),
                    meant ? fmt::format("did you mean {}?", *meant) : "/help lists them");
    }
    if (invocation_.json && !found->is_for_programs) {
        return fail(Code::unsupported, fmt::format("{} is for people", name), "the answers hold it: leave out --json");
    }
    return (this->*found->run)(text::trim(line.substr(end)), cancel);
}

Result<ChatSession::Next> ChatSession::question(std::string_view line, const CancelToken& cancel) {
    auto answer = asker_.ask(std::string(line), thread_id_, cancel);
    const bool is_refused = !answer && answer.error().code == Code::invalid_argument;
    if (!answer && !(is_refused && invocation_.json)) return fail(answer.error());
    if (is_refused) {
        print_data(to_text(to_json(refusal(line, answer.error()))) + "\n");
        return Next::go_on;
    }
    thread_id_ = answer->thread_id;
    answer_ = std::move(*answer);
    if (invocation_.json) {
        print_data(to_text(to_json(*answer_)) + "\n");
    } else {
        print_text(draw(*answer_, {terminal_width(), uses_unicode()}, kHowToReply) + "\n");
    }
    return Next::go_on;
}

Result<const Answer*> ChatSession::last_answer() const {
    if (answer_) return &*answer_;
    return fail(Code::not_found, "nothing has been answered yet", "ask something first");
}

Result<const Answer*> ChatSession::last_answer_with_rows() const {
    const auto answer = last_answer();
    if (answer && (*answer)->queries.empty()) {
        return fail(Code::not_found, "the last answer was found without a query", "ask about the data first");
    }
    return answer;
}

Result<ChatSession::Next> ChatSession::show_sql(std::string_view /*argument*/, const CancelToken& /*cancel*/) {
    const auto answer = last_answer_with_rows();
    if (!answer) return fail(answer.error());
    print_text(draw_queries(**answer));
    return Next::go_on;
}

Result<ChatSession::Next> ChatSession::show_table(std::string_view /*argument*/, const CancelToken& /*cancel*/) {
    const auto answer = last_answer_with_rows();
    if (!answer) return fail(answer.error());
    for (const auto& query : (*answer)->queries) print_text(draw_rows(query, terminal_width()));
    return Next::go_on;
}

Result<ChatSession::Next> ChatSession::show_chart(std::string_view /*argument*/, const CancelToken& /*cancel*/) {
    const auto answer = last_answer();
    if (!answer) return fail(answer.error());
    const std::string chart = draw_chart((*answer)->chart, {terminal_width(), uses_unicode()});
    if (chart.empty()) return fail(Code::not_found, "the last answer has no chart", "/table shows its rows");
    print_text(chart);
    return Next::go_on;
}

Result<ChatSession::Next> ChatSession::show_sources(std::string_view /*argument*/, const CancelToken& /*cancel*/) {
    const auto answer = last_answer();
    if (!answer) return fail(answer.error());
    const std::string citations = draw_citations(**answer, terminal_width());
    if (citations.empty())
        return fail(Code::not_found, "the last answer cites no documents", "/why says how it was found");
    print_text(citations);
    return Next::go_on;
}

Result<ChatSession::Next> ChatSession::show_reasons(std::string_view /*argument*/, const CancelToken& /*cancel*/) {
    const auto answer = last_answer();
    if (!answer) return fail(answer.error());
    print_text(draw_reasons(**answer, terminal_width()));
    return Next::go_on;
}

Result<ChatSession::Next> ChatSession::write_csv(std::string_view file, const CancelToken& cancel) {
    if (file.empty()) return fail(Code::invalid_argument, "/csv needs the name of a file", "/csv result.csv");
    const auto answer = last_answer_with_rows();
    if (!answer) return fail(answer.error());
    const auto result = whole_result((*answer)->queries.back(), *asker_.last_agent(), cancel);
    if (!result) return fail(result.error());
    if (auto written = write_new_file(std::string(file), to_csv(*result)); !written) return fail(written.error());
    if (!invocation_.quiet) {
        say(fmt::format("{} in {}", counted(static_cast<std::int64_t>(result->row_count), "row"), visible(file)));
    }
    return Next::go_on;
}

Result<ChatSession::Next> ChatSession::begin_anew(std::string_view /*argument*/, const CancelToken& /*cancel*/) {
    thread_id_.clear();
    answer_.reset();
    if (!invocation_.quiet) say("A new conversation.");
    return Next::go_on;
}

Result<ChatSession::Next> ChatSession::show_help(std::string_view /*argument*/, const CancelToken& /*cancel*/) {
    for (const auto& known : commands()) {
        print_text(fmt::format("  {:<12}{}\n", fmt::format("{} {}", known.name, known.argument), known.sentence));
    }
    return Next::go_on;
}

Result<ChatSession::Next> ChatSession::quit(std::string_view /*argument*/, const CancelToken& /*cancel*/) {
    return Next::end;
}

}  // namespace quaestor::cli
