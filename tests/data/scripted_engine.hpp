// An engine that does what a test tells it: the database that a Source has to live with.
#pragma once

#include "data/engine.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <string>

namespace quaestor::data {

class ScriptedEngine final : public Engine {
public:
    /// What the test holds on to.
    struct Script {
        std::function<Result<ResultSet>(const CancelToken& stop)> run = [](const CancelToken&) { return ResultSet(); };
        std::function<Catalog()> schema = [] {
            return Catalog{.default_schema = "main", .tables = {{.schema = "main", .name = "orders"}}};
        };
        std::atomic<int> version = 1;       ///< of the data; part of the fingerprint
        std::atomic<int> runs = 0;          ///< how often run() was called
        std::atomic<int> reads = 0;         ///< how often read() was called
        std::atomic<int> schema_reads = 0;  ///< how often read_schema() was called
    };

    explicit ScriptedEngine(std::shared_ptr<Script> script) : script_(std::move(script)) {}

    [[nodiscard]] Dialect dialect() const override { return Dialect::duckdb; }
    [[nodiscard]] Result<Catalog> read_schema(const CancelToken&) override {
        ++script_->schema_reads;
        return script_->schema();
    }
    [[nodiscard]] Result<std::string> fingerprint() override { return std::to_string(script_->version.load()); }
    [[nodiscard]] Reading read(std::string_view sql) override {
        ++script_->reads;
        return read_duckdb(sql);
    }
    [[nodiscard]] Result<std::optional<Problem>> bind(const std::string&, const CancelToken&) override {
        return std::nullopt;
    }
    [[nodiscard]] Result<ResultSet> run(const std::string&, const QueryLimits&, const CancelToken& stop) override {
        ++script_->runs;
        return script_->run(stop);
    }

private:
    std::shared_ptr<Script> script_;
};

}  // namespace quaestor::data
