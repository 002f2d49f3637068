// A librarian over a folder of documents, or over texts that a test gives, with the bundled embedder, a day to ask on
// and, where wanted, a model that says what the test tells it to. What the tests of cited answers share.
// Threads: for the test's thread.
#pragma once

#include "scripted_http.hpp"
#include "temporary_folder.hpp"
#include "workflows/cited/librarian.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace quaestor::workflows::cited {

/// Stands at the beginning of a day.
class DayClock final : public Clock {
public:
    [[nodiscard]] Instant now() const override { return system_clock().now(); }
    [[nodiscard]] WallTime wall() const override { return wall_; }
    Task<bool> slept_until(Instant when) override { return system_clock().slept_until(when); }
    void set(const std::string& day) { wall_ = from_iso8601(day + "T00:00:00Z").value(); }

private:
    WallTime wall_{};
};

using Files = std::map<std::string, std::string>;

class CitedKit {
public:
    explicit CitedKit(const std::filesystem::path& documents, bool with_model = false);
    explicit CitedKit(const Files& files, bool with_model = false);

    void set_today(const std::string& day) { clock_.set(day); }
    /// An empty thread is a new one, and is filled in.
    [[nodiscard]] Answer ask(const std::string& question, std::string& thread);
    [[nodiscard]] Answer ask(const std::string& question);
    /// File names of the first documents that are found for a question.
    [[nodiscard]] std::vector<std::string> first_documents(const std::string& question, std::size_t count);
    [[nodiscard]] Librarian& librarian() { return *librarian_; }
    [[nodiscard]] const Agent& agent() const { return *agent_; }
    /// What the model says, and was asked.
    [[nodiscard]] llm::test::ScriptedHttp& model() { return http_; }

private:
    void open(const std::filesystem::path& documents, bool with_model);

    store::TemporaryFolder folder_;
    DayClock clock_;
    llm::test::ScriptedHttp http_;
    std::unique_ptr<llm::Models> models_;
    std::shared_ptr<Librarian> librarian_;
    std::unique_ptr<Agent> agent_;
    std::unique_ptr<store::Store> store_;
};

}  // namespace quaestor::workflows::cited
