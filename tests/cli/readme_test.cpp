#include "program.hpp"
#include "temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <unistd.h>

namespace quaestor::cli {

namespace {

using testing::SizeIs;

constexpr std::string_view kRun = "script/run";

std::string in_source_tree(std::string_view name) {
    return std::string(QUAESTOR_SOURCE_DIR) + "/" + std::string(name);
}

/// The commands in the ```sh and ```console blocks of a document, with their comments.
std::vector<std::string> commands_in(std::string_view document) {
    std::ifstream file(in_source_tree(document));
    EXPECT_TRUE(file) << document << " cannot be read";
    std::vector<std::string> commands;
    bool is_inside = false;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("```")) {
            is_inside = line == "```sh" || line == "```console";
        } else if (is_inside && line.starts_with("$ ")) {
            commands.push_back(line.substr(2));
        } else if (is_inside && line.starts_with("script/")) {
            commands.push_back(line);
        }
    }
    return commands;
}

/// A command that stands for the program, and how it is to end: 0, or as its comment says, "# exits 2".
struct Promise {
    std::vector<std::string> arguments;
    int exit_code = 0;
};

std::optional<Promise> read_promise(const std::string& command) {
    constexpr std::string_view kExits = "# exits ";
    auto words = split_words(command.substr(0, command.find(" #")));
    if (words.front() != kRun) return std::nullopt;
    words.erase(words.begin());
    if (words.empty()) return std::nullopt;  // it serves, until somebody stops it
    const auto note = command.find(kExits);
    return Promise{std::move(words), note == std::string::npos ? 0 : std::stoi(command.substr(note + kExits.size()))};
}

/// A command that makes something for the ones behind it to read.
bool writes_file(const std::string& command) {
    return command.starts_with("printf ");
}

void run_in_shell(const std::string& command, const std::filesystem::path& folder) {
    const std::string line = "cd '" + folder.string() + "' && " + command;
    EXPECT_EQ(std::system(line.c_str()), 0) << command;
}

class Document : public testing::TestWithParam<const char*> {};

TEST_P(Document, KeepsWhatItsCommandsPromise) {
    const store::TemporaryFolder folder;
    for (const auto& command : commands_in(GetParam())) {
        if (writes_file(command)) run_in_shell(command, folder.path());
        const auto promise = read_promise(command);
        if (!promise) continue;
        ProgramCall call;
        call.arguments = promise->arguments;
        call.folder = folder.path();
        const auto end = run_program(call);
        ASSERT_TRUE(end) << end.error().describe();
        EXPECT_EQ(end->exit_code, promise->exit_code) << command << "\n" << end->output << end->errors;
    }
}

TEST_P(Document, NamesOnlyScriptsThatAreThere) {
    for (const auto& command : commands_in(GetParam())) {
        const auto script = split_words(command).front();
        if (!script.starts_with("script/")) continue;
        EXPECT_EQ(access(in_source_tree(script).c_str(), X_OK), 0) << script << " is not there, or cannot be run";
    }
}

INSTANTIATE_TEST_SUITE_P(InTheRoot, Document, testing::Values("README.md", "CONTRIBUTING.md"), [](const auto& info) {
    const std::string name = info.param;
    return name.substr(0, name.find('.'));
});

TEST(Readme, BeginsWithTheTwoCommandsThatRunAndTest) {
    const auto commands = commands_in("README.md");
    ASSERT_THAT(commands, SizeIs(testing::Ge(2U)));
    EXPECT_EQ(split_words(commands[0]).front(), "script/run");
    EXPECT_EQ(split_words(commands[1]).front(), "script/test");
}

TEST(Readme, ShowsMoreThanOneCommandOfTheProgram) {
    const auto commands = commands_in("README.md");
    EXPECT_GT(std::ranges::count_if(commands, [](const auto& c) { return read_promise(c).has_value(); }), 1);
}

}  // namespace

}  // namespace quaestor::cli
