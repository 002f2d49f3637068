#include "cli/demo_apart.hpp"

#include "cli/agent_config.hpp"
#include "cli/corpus_support.hpp"
#include "demo/league.hpp"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;  // NOLINT: POSIX has no header for it

namespace quaestor::cli {

namespace {

namespace fs = std::filesystem;

bool is_made(const Settings& settings) {
    std::error_code unknown;
    return fs::exists(demo::league_path(settings.data_dir), unknown);
}

/// Both demo agents are served, and neither has its data yet.
bool is_first_start(const Settings& settings) {
    bool wants_league = false;
    bool wants_documents = false;
    for (const auto& spec : agent_specs(settings.sources, settings.agents, settings.corpora)) {
        const bool is_cited = spec.config.workflow == Workflow::cited;
        wants_league |= !is_cited && !spec.source;
        wants_documents |= is_cited && !spec.corpus && spec.config.corpus == kDemoCorpus;
    }
    const auto documents = corpus_folder(settings, std::string(kDemoCorpus));
    std::error_code unknown;
    return wants_league && wants_documents && documents && !is_made(settings) && !fs::exists(*documents, unknown);
}

/// Its figures go nowhere: standard output is for the address alone.
void run_apart(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (auto& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    if (posix_spawn(&child, "/proc/self/exe", &actions, nullptr, arguments.data(), environ) == 0) {
        while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    posix_spawn_file_actions_destroy(&actions);
}

}  // namespace

void make_demo_data_apart(const Invocation& invocation) {
    const Settings& settings = invocation.settings();
    if (!is_first_start(settings)) return;
    if (!invocation.quiet) say("Making the demo league and reading the demo documents, once …");
    std::vector<std::string> common{"--json", "--data-dir", settings.data_dir};
    if (invocation.source.config_file) common.insert(common.end(), {"--config", *invocation.source.config_file});
    if (invocation.quiet) common.emplace_back("--quiet");
    const auto run = [&](std::vector<std::string> words) {
        words.insert(words.begin(), "quaestor");
        words.insert(words.end(), common.begin(), common.end());
        run_apart(std::move(words));
    };
    run({"demo"});
    // Looking through all rows for the catalogue takes as much again; it is kept beside the data.
    if (is_made(settings)) run({"catalog", "show", demo::league_path(settings.data_dir)});
}

}  // namespace quaestor::cli
