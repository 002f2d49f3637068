#include "cli/settings.hpp"

#include "temporary_folder.hpp"

#include <boost/describe/members.hpp>
#include <boost/mp11/algorithm.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace quaestor::cli {

namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

/// The dotted names of all fields that hold a value, found by reflection.
template <class T>
void collect_names(const std::string& prefix, std::vector<std::string>& names) {
    boost::mp11::mp_for_each<boost::describe::describe_members<T, boost::describe::mod_public>>([&](auto member) {
        using Field = std::remove_cvref_t<decltype(std::declval<T>().*member.pointer)>;
        if constexpr (boost::describe::has_describe_members<Field>::value) {
            collect_names<Field>(prefix + member.name + ".", names);
        } else {
            names.push_back(prefix + member.name);
        }
    });
}

std::vector<std::string> field_names() {
    std::vector<std::string> names;
    collect_names<Settings>("", names);
    return names;
}

/// The cells of the row of docs/configuration.md that begins with the setting's name.
std::vector<std::string> documented(std::string_view name) {
    std::ifstream file(std::string(QUAESTOR_SOURCE_DIR) + "/docs/configuration.md");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(fmt::format("| `{}` |", name))) continue;
        std::vector<std::string> cells;
        for (std::size_t begin = 1; begin < line.size();) {
            const auto end = line.find(" |", begin);
            if (end == std::string::npos) break;
            cells.push_back(line.substr(begin + 1, end - begin - 1));
            begin = end + 2;
        }
        return cells;
    }
    return {};
}

/// An environment variable that is as it was again at the end of the test.
class Variable {
public:
    explicit Variable(const char* name) : name_(name) {
        if (const char* value = std::getenv(name)) before_ = value;
    }
    Variable(const char* name, const char* value) : Variable(name) { setenv(name, value, 1); }
    ~Variable() {
        if (before_) {
            setenv(name_, before_->c_str(), 1);
        } else {
            unsetenv(name_);
        }
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

    void unset() const { unsetenv(name_); }

private:
    const char* name_;
    std::optional<std::string> before_;
};

/// Loads a configuration file with this text.
Result<LoadedSettings> load(const std::string& text) {
    const store::TemporaryFolder folder;
    std::ofstream(folder.file("given.yaml")) << text;
    return load_settings({.config_file = folder.file("given.yaml"), .data_dir = {}});
}

TEST(SettingDocs, ThereIsExactlyOneForEachField) {
    std::vector<std::string> documented;
    for (const auto& doc : setting_docs()) documented.emplace_back(doc.name);
    EXPECT_THAT(documented, UnorderedElementsAreArray(field_names()));
}

TEST(SettingDocs, AreSentences) {
    for (const auto& doc : setting_docs()) {
        EXPECT_TRUE(doc.sentence.ends_with('.')) << doc.name;
        EXPECT_GT(doc.sentence.size(), 20U) << doc.name;
    }
}

TEST(SettingDocs, TheConfigurationPageHasEachWithItsDefault) {
    const auto defaults = encode(Settings{});
    for (const auto& name : field_names()) {
        const auto cells = documented(name);
        ASSERT_EQ(cells.size(), 3U) << name << " has no row in docs/configuration.md";
        EXPECT_THAT(cells[2], testing::Not(IsEmpty())) << name;
        std::string pointer = "/" + name;
        std::ranges::replace(pointer, '.', '/');
        const auto& value = defaults.at_pointer(pointer);
        const std::string shown = value.is_string() ? std::string(value.get_string()) : to_text(value);
        if (!shown.empty()) EXPECT_EQ(cells[1], "`" + shown + "`") << name;
    }
}

/// The YAML examples of a page of docs/.
std::vector<std::string> yaml_examples(const std::string& page) {
    std::ifstream file(std::string(QUAESTOR_SOURCE_DIR) + "/docs/" + page);
    std::vector<std::string> examples;
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("```")) {
            inside = line == "```yaml";
            if (inside) examples.emplace_back();
        } else if (inside) {
            examples.back() += line + "\n";
        }
    }
    return examples;
}

TEST(SettingDocs, ExamplesInThePagesAreRight) {
    const Variable store("QUAESTOR_STORE_URL", "postgres://db/quaestor");
    const Variable trade("TRADE_DB_URL", "postgres://db/trade");
    std::size_t count = 0;
    for (const char* page : {"configuration.md", "models.md"}) {
        for (const auto& example : yaml_examples(page)) {
            const auto loaded = load(example);
            EXPECT_TRUE(loaded) << example << (loaded ? "" : loaded.error().describe());
            ++count;
        }
    }
    EXPECT_EQ(count, 5U);
}

TEST(ExpandVariables, ReplacesEachByItsValue) {
    const Variable host("QUAESTOR_TEST_HOST", "db");
    const Variable empty("QUAESTOR_TEST_EMPTY", "");
    EXPECT_EQ(expand_variables("postgres://${QUAESTOR_TEST_HOST}/${QUAESTOR_TEST_HOST}${QUAESTOR_TEST_EMPTY}!").value(),
              "postgres://db/db!");
}

TEST(ExpandVariables, LeavesEverythingElseAlone) {
    for (const auto* text : {"", "plain", "$HOME", "5 $", "{HOME}", "${", "open ${HOME", "}"}) {
        EXPECT_EQ(expand_variables(text).value(), text);
    }
}

TEST(ExpandVariables, DoesNotExpandWhatAValueHolds) {
    const Variable tricky("QUAESTOR_TEST_TRICKY", "${HOME}");
    EXPECT_EQ(expand_variables("${QUAESTOR_TEST_TRICKY}").value(), "${HOME}");
}

TEST(ExpandVariables, NamesTheOneThatIsNotSet) {
    const Variable missing("QUAESTOR_TEST_MISSING");
    missing.unset();
    const auto expanded = expand_variables("${QUAESTOR_TEST_MISSING}");
    ASSERT_FALSE(expanded);
    EXPECT_EQ(expanded.error().code, Code::invalid_argument);
    EXPECT_THAT(expanded.error().message, HasSubstr("QUAESTOR_TEST_MISSING is not set"));
    EXPECT_FALSE(expand_variables("${}"));
}

TEST(LoadSettings, WithoutAFileGivesTheDefaults) {
    const Variable data_home("XDG_DATA_HOME", "/somewhere");
    const auto loaded = load_settings({}).value();
    EXPECT_EQ(loaded.file, "");
    EXPECT_EQ(loaded.settings.data_dir, "/somewhere/quaestor");
    EXPECT_EQ(loaded.settings.store.path, "/somewhere/quaestor/store.sqlite");
    EXPECT_EQ(loaded.settings.run.step_limit, RunConfig{}.step_limit);
}

TEST(LoadSettings, KeepsDataUnderHomeWhereThereIsNoDataHome) {
    const Variable data_home("XDG_DATA_HOME", "");
    const Variable home("HOME", "/home/me");
    EXPECT_EQ(load_settings({}).value().settings.data_dir, "/home/me/.local/share/quaestor");
}

TEST(LoadSettings, TheOptionWinsOverTheFile) {
    const store::TemporaryFolder folder;
    std::ofstream(folder.file("given.yaml")) << "data_dir: /from/file\nstore: {path: /elsewhere/runs.db}\n";
    const auto loaded = load_settings({.config_file = folder.file("given.yaml"), .data_dir = "/from/option"}).value();
    EXPECT_EQ(loaded.settings.data_dir, "/from/option");
    EXPECT_EQ(loaded.settings.store.path, "/elsewhere/runs.db");
}

TEST(LoadSettings, ReadsEveryKindOfValue) {
    const auto settings = load(
                              "store: {backend: postgres, url: 'postgres://u:pass-word@h/d', fsync: false}\n"
                              "run: {durability: exit, step_limit: 7, parallel_limit: 2, deadline_ms: 1500}\n"
                              "log: {level: debug, file: log.txt}\n")
                              .value()
                              .settings;
    EXPECT_EQ(settings.store.backend, store::Backend::postgres);
    EXPECT_EQ(settings.store.url.reveal(), "postgres://u:pass-word@h/d");
    EXPECT_FALSE(settings.store.fsync);
    EXPECT_EQ(settings.run.durability, graph::Durability::exit);
    EXPECT_EQ(settings.run.step_limit, 7);
    EXPECT_EQ(settings.run.parallel_limit, 2);
    EXPECT_EQ(settings.run.deadline_ms, std::chrono::milliseconds(1500));
    EXPECT_EQ(settings.log.level, LogLevel::debug);
    EXPECT_EQ(settings.log.file, "log.txt");
}

TEST(LoadSettings, RefusesWhatIsNoFile) {
    const store::TemporaryFolder folder;
    for (const auto& path : {folder.path().string(), folder.file("missing.yaml")}) {
        const auto loaded = load_settings({.config_file = path, .data_dir = {}});
        ASSERT_FALSE(loaded) << path;
        EXPECT_EQ(loaded.error().code, Code::invalid_argument);
        EXPECT_THAT(loaded.error().message, HasSubstr(path));
    }
}

TEST(LoadSettings, RefusesAnEndlessFile) {
    const auto loaded = load_settings({.config_file = "/dev/zero", .data_dir = {}});
    ASSERT_FALSE(loaded);
    EXPECT_THAT(loaded.error().describe(), HasSubstr("bytes of text"));
}

TEST(LoadSettings, NamesTheFileAndTheSettingThatIsWrong) {
    for (const auto* text : {"run: {step_limit: 0}", "run: {step_limit: -1}", "run: {parallel_limit: 0}",
                             "run: {deadline_ms: -5}", "store: {backend: postgres}"}) {
        const auto loaded = load(text);
        ASSERT_FALSE(loaded) << text;
        EXPECT_EQ(loaded.error().code, Code::invalid_argument);
        EXPECT_THAT(loaded.error().describe(), HasSubstr("given.yaml is not right: ")) << text;
        EXPECT_THAT(std::string(loaded.error().advice()), testing::Not(IsEmpty())) << text;
    }
}

TEST(StoreSettings, AreTheConfiguredOnes) {
    Settings settings;
    settings.store = {.backend = store::Backend::postgres, .path = "p", .url = Secret("url of it"), .fsync = false};
    const auto given = store_settings(settings);
    EXPECT_EQ(given.backend, store::Backend::postgres);
    EXPECT_EQ(given.path, "p");
    EXPECT_EQ(given.url.reveal(), "url of it");
    EXPECT_FALSE(given.fsync);
}

}  // namespace

}  // namespace quaestor::cli
