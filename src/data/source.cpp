#include "data/source.hpp"

#include "base/worker_pool.hpp"
#include "data/annotations.hpp"
#include "data/catalog_cache.hpp"
#include "data/import.hpp"
#include "data/statistics.hpp"
#include "data/verdict_cache.hpp"
#include "resilience/deadline.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>

namespace quaestor::data {

namespace {

namespace fs = std::filesystem;

/// How often, at most, the tables are read anew because a statement names one that is not there.
constexpr std::chrono::seconds kSchemaAgeMin{2};

/// How often whoever waits for a catalogue looks whether it is there; seldom when it takes long.
constexpr Duration kOutcomePauseMin = std::chrono::milliseconds(1);
constexpr Duration kOutcomePauseMax = std::chrono::milliseconds(50);

/// What became of a look at the values that nobody may be waiting for any more.
class CatalogOutcome {
public:
    void set(Result<std::shared_ptr<const Catalog>> catalog) {
        const std::lock_guard lock(mutex_);
        catalog_ = std::move(catalog);
    }
    [[nodiscard]] std::optional<Result<std::shared_ptr<const Catalog>>> get() {
        const std::lock_guard lock(mutex_);
        return catalog_;
    }

private:
    std::mutex mutex_;
    std::optional<Result<std::shared_ptr<const Catalog>>> catalog_;
};

/// A catalogue, the names in it and what was admitted on them, always changed together.
struct Known {
    std::shared_ptr<const Catalog> catalog;
    TableNames names;
    VerdictCache admitted;
};

std::shared_ptr<Known> known_from(Catalog catalog) {
    auto known = std::make_shared<Known>();
    known->names = names_of(catalog);
    known->catalog = std::make_shared<const Catalog>(std::move(catalog));
    return known;
}

bool is_fault(const Error& error) {
    return error.code == Code::unavailable || error.code == Code::corrupt || error.code == Code::internal;
}

/// A query that was stopped says nothing of the database; a mistake in it says that the database answers.
void tell_outcome(Breaker::Permit& permit, const Result<ResultSet>& result) {
    if (!result && is_fault(result.error())) {
        permit.failed();
    } else if (result || (result.error().code != Code::timeout && result.error().code != Code::cancelled)) {
        permit.succeeded();
    }
}

bool names_unknown_table(const Verdict& verdict) {
    return std::ranges::any_of(verdict.errors,
                               [](const Problem& problem) { return problem.code == Problem::Code::unknown_table; });
}

Task<> cancel_at(Clock& clock, Deadline deadline, CancelSource& stop) {
    if (co_await clock.slept_until(deadline.when())) stop.cancel(CancelReason::deadline);
}

}  // namespace

struct Source::Inside {
    Inside(std::string shown_name, std::string cache_key, std::unique_ptr<Engine> opened, SourceSettings chosen)
        : name(std::move(shown_name)),
          settings(std::move(chosen)),
          engine(std::move(opened)),
          cache(settings.cache_dir, cache_key),
          breaker(name, settings.breaker, *settings.clock),
          given_up(settings.cancel.on_cancel([this] { closing.cancel(settings.cancel.reason()); })),
          workers(settings.threads),
          catalog_worker(1) {}

    ~Inside() { closing.cancel(CancelReason::shutdown); }

    /// Reads what is declared, or takes the complete catalogue from the cache. Blocking.
    Result<> load() {
        const auto fingerprint = engine->fingerprint();
        if (!fingerprint) return fail(fingerprint.error());
        auto cached = cache.load(*fingerprint);
        auto catalog = cached ? Result<Catalog>(std::move(*cached)) : engine->read_schema(closing.token());
        if (!catalog) return fail(catalog.error());
        return publish(std::move(*catalog));
    }

    /// What is known from now on, with the annotations laid over it: these change without the database, so they are
    /// never kept with it.
    Result<> publish(Catalog catalog) {
        catalog.source = name;
        if (settings.annotations) {
            if (auto annotated = annotate_from_file(catalog, *settings.annotations); !annotated) return annotated;
        }
        set(std::move(catalog));
        return {};
    }

    /// Completes the catalogue unless it is. Blocking; called by one thread at a time.
    Result<std::shared_ptr<const Catalog>> complete() {
        if (get()->catalog->is_complete) return get()->catalog;
        const auto fingerprint = engine->fingerprint();
        if (!fingerprint) return fail(fingerprint.error());
        const CancelToken stop = closing.token();
        auto catalog = engine->read_schema(stop);
        if (!catalog) return fail(catalog.error());
        auto looked = add_statistics(*engine, *catalog, stop, [this](const Catalog& so_far) {
            static_cast<void>(publish(so_far));  // what is wrong with the annotations is told at the end
        });
        if (looked) looked = infer_keys(*engine, *catalog, stop);
        if (!looked) return fail(looked.error());
        catalog->is_complete = true;
        catalog->made_at = settings.clock->wall();
        cache.save(*fingerprint, *catalog);
        if (auto published = publish(std::move(*catalog)); !published) return fail(published.error());
        return get()->catalog;
    }

    std::shared_ptr<Known> get() {
        const std::lock_guard lock(mutex);
        return known;
    }

    void set(Catalog catalog) {
        auto fresh = known_from(std::move(catalog));
        const std::lock_guard lock(mutex);
        known = std::move(fresh);
        known_since = settings.clock->now();
    }

    [[nodiscard]] bool may_have_changed() {
        const std::lock_guard lock(mutex);
        return settings.clock->now() - known_since >= kSchemaAgeMin;
    }

    Verdict judge(Known& known_now, const std::string& sql, std::size_t row_limit) {
        if (auto admitted = known_now.admitted.find(sql, row_limit)) return std::move(*admitted);
        const auto reader = [this](std::string_view text) { return engine->read(text); };
        Verdict verdict = Guard(engine->dialect(), known_now.names, row_limit).check(sql, reader);
        known_now.admitted.keep(sql, row_limit, verdict);
        return verdict;
    }

    /// The guard's verdict; tables that came after the catalogue was made are found by reading it again. Blocking.
    Result<Verdict> judge(const std::string& sql, std::size_t row_limit) {
        Verdict verdict = judge(*get(), sql, row_limit);
        if (!names_unknown_table(verdict) || !may_have_changed()) return verdict;
        if (auto loaded = load(); !loaded) return fail(loaded.error());
        return judge(*get(), sql, row_limit);
    }

    /// Blocking.
    Result<ReadOnlySql> admit(const std::string& sql, std::size_t row_limit) {
        auto verdict = judge(sql, row_limit);
        if (!verdict) return fail(verdict.error());
        return Guard(engine->dialect(), get()->names, row_limit).admit(std::move(*verdict));
    }

    Result<Verdict> check(const std::string& sql, std::size_t row_limit) {
        auto verdict = judge(sql, row_limit);
        if (!verdict || !verdict->ok) return verdict;
        auto objection = engine->bind(verdict->sql, closing.token());
        if (!objection) return fail(objection.error());
        if (*objection) {
            verdict->ok = false;
            verdict->sql.clear();
            verdict->errors.push_back(std::move(**objection));
        }
        return verdict;
    }

    using Job = std::function<Result<ResultSet>(const CancelToken& stop)>;
    Task<Result<ResultSet>> run_in_time(Job job, std::chrono::milliseconds timeout, CancelToken cancel);

    const std::string name;
    const SourceSettings settings;
    const std::unique_ptr<Engine> engine;
    const CatalogCache cache;
    Breaker breaker;
    CancelSource closing;
    const std::unique_ptr<CancelToken::Registration> given_up;
    std::mutex mutex;
    std::shared_ptr<Known> known;  ///< under the mutex
    Instant known_since{};         ///< under the mutex
    WorkerPool workers;
    WorkerPool catalog_worker;  ///< last, as the one before: their threads use the rest
};

/// The job runs on a worker; beside it a clock waits for the deadline, and whoever of the two ends first ends the
/// other.
Task<Result<ResultSet>> Source::Inside::run_in_time(Job job, std::chrono::milliseconds timeout, CancelToken cancel) {
    CancelSource stop;
    const auto forward = [&stop](const CancelToken& token) {
        return token.on_cancel([&stop, &token] { stop.cancel(token.reason()); });
    };
    const CancelToken closed = closing.token();
    const auto by_caller = forward(cancel);
    const auto by_closing = forward(closed);
    const Instant began = settings.clock->now();
    const auto executor = co_await asio::this_coro::executor;
    auto query = asio::co_spawn(executor, workers.run([&] { return job(stop.token()); }), asio::deferred);
    auto late = asio::co_spawn(executor, cancel_at(*settings.clock, Deadline::after(*settings.clock, timeout), stop),
                               asio::deferred);
    auto both = asio::experimental::make_parallel_group(std::move(query), std::move(late));
    auto [order, thrown, result, ignored] =
        co_await both.async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
    if (thrown) std::rethrow_exception(thrown);
    if (result) result->execution_time = settings.clock->now() - began;
    if (!result && result.error().code == Code::timeout && !cancel.cancelled()) {
        co_return fail(
            Code::timeout,
            fmt::format("the query did not finish within {} s", std::chrono::duration<double>(timeout).count()),
            "ask for less: a shorter time, fewer tables, an aggregate");
    }
    co_return std::move(result);
}

Source::Source(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Source::~Source() = default;

const std::string& Source::name() const {
    return inside_->name;
}

Dialect Source::dialect() const {
    return inside_->engine->dialect();
}

Task<Result<std::shared_ptr<const Catalog>>> Source::schema() {
    co_return inside_->get()->catalog;
}

Task<Result<std::shared_ptr<const Catalog>>> Source::catalog() {
    co_return co_await inside_->catalog_worker.run([this] { return inside_->complete(); });
}

Task<Result<std::shared_ptr<const Catalog>>> Source::catalog_within(Duration patience) {
    if (const auto known = inside_->get()->catalog; known->is_complete) co_return known;
    Clock& clock = *inside_->settings.clock;
    const Deadline deadline = Deadline::after(clock, patience);
    const auto outcome = std::make_shared<CatalogOutcome>();
    inside_->catalog_worker.start([this, outcome] { outcome->set(inside_->complete()); });
    for (Duration pause = kOutcomePauseMin;; pause = std::min(2 * pause, kOutcomePauseMax)) {
        if (auto catalog = outcome->get()) co_return std::move(*catalog);
        if (deadline.expired(clock)) co_return inside_->get()->catalog;
        co_await clock.sleep_for(std::min(pause, deadline.left(clock)));
    }
}

Task<Result<Verdict>> Source::check(std::string sql, std::size_t row_limit) {
    co_return co_await inside_->workers.run([&] { return inside_->check(sql, row_limit); });
}

Task<Result<ReadOnlySql>> Source::admit(std::string sql, std::size_t row_limit) {
    co_return co_await inside_->workers.run([&] { return inside_->admit(sql, row_limit); });
}

Task<Result<ResultSet>> Source::run(ReadOnlySql sql, QueryLimits limits, CancelToken cancel) {
    if (sql.dialect() != dialect()) {
        co_return fail(Code::invalid_argument, fmt::format("a statement admitted for {} cannot run on {}",
                                                           title_of(sql.dialect()), title_of(dialect())));
    }
    auto permit = inside_->breaker.admit();
    if (!permit) co_return fail(permit.error());
    auto result = co_await inside_->run_in_time(
        [&](const CancelToken& stop) { return inside_->engine->run(sql.text(), limits, stop); }, limits.timeout,
        std::move(cancel));
    tell_outcome(*permit, result);
    co_return result;
}

Task<Result<ResultSet>> Source::query(std::string sql, QueryLimits limits, CancelToken cancel) {
    auto permit = inside_->breaker.admit();
    if (!permit) co_return fail(permit.error());
    bool was_asked = false;
    auto result = co_await inside_->run_in_time(
        [&](const CancelToken& stop) -> Result<ResultSet> {
            const auto admitted = inside_->admit(sql, limits.rows);
            if (!admitted) return fail(admitted.error());
            was_asked = true;
            return inside_->engine->run(admitted->text(), limits, stop);
        },
        limits.timeout, std::move(cancel));
    if (was_asked) tell_outcome(*permit, result);
    co_return result;
}

// ---- Opening

namespace {

constexpr std::string_view kSqliteMagic{"SQLite format 3\0", 16};
constexpr std::string_view kDuckdbMagic = "DUCK";
constexpr std::size_t kDuckdbMagicAt = 8;

bool is_postgres(std::string_view uri) {
    return uri.starts_with("postgres://") || uri.starts_with("postgresql://");
}

/// postgres://user:secret@host/db → postgres://user@host/db
std::string without_password(const std::string& uri) {
    if (!is_postgres(uri)) return uri;
    const auto begin = uri.find("//");
    const auto at = uri.rfind('@');
    if (begin == std::string::npos || at == std::string::npos) return uri;
    const auto colon = uri.find(':', begin);
    return colon < at ? uri.substr(0, colon) + uri.substr(at) : uri;
}

bool has_ending(const fs::path& path, std::initializer_list<std::string_view> endings) {
    const auto ending = path.extension().string();
    return std::ranges::find(endings, std::string_view(ending)) != endings.end();
}

Result<std::unique_ptr<Engine>> open_file(const std::string& path, const SourceSettings& settings) {
    std::array<char, 16> head{};
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return fail(Code::permission_denied, fmt::format("{} cannot be read", path),
                    "give this user leave to read the file");
    }
    file.read(head.data(), head.size());
    const std::string_view bytes(head.data(), static_cast<std::size_t>(file.gcount()));
    if (bytes.starts_with(kSqliteMagic)) return open_sqlite(path, settings.memory_limit);
    if (bytes.size() > kDuckdbMagicAt && bytes.substr(kDuckdbMagicAt).starts_with(kDuckdbMagic)) {
        return open_duckdb(path, settings.memory_limit);
    }
    if (has_ending(path, {".db", ".sqlite", ".sqlite3"})) return open_sqlite(path, settings.memory_limit);
    if (has_ending(path, {".duckdb", ".ddb"})) return open_duckdb(path, settings.memory_limit);
    return fail(Code::invalid_argument, fmt::format("{} is no database that can be opened", path),
                "give a DuckDB or SQLite file, a folder of CSV, Parquet or JSON files, or a postgres:// URL; "
                "one file is read in with: quaestor import csv FILE --into data.duckdb");
}

Result<std::unique_ptr<Engine>> open_engine(const std::string& uri, const SourceSettings& settings) {
    if (is_postgres(uri)) return open_postgres(uri);
    std::error_code problem;
    if (!fs::exists(uri, problem)) {
        return fail(Code::not_found, fmt::format("there is no file or folder {}", uri),
                    "give a DuckDB or SQLite file, a folder of CSV, Parquet or JSON files, or a postgres:// URL");
    }
    if (!fs::is_directory(uri, problem)) return open_file(uri, settings);
    if (settings.cache_dir.empty()) {
        return fail(Code::invalid_argument, "a folder of files needs a data directory to be read into",
                    "give one: --data-dir DIR");
    }
    const auto file =
        cached_folder(uri, (fs::path(settings.cache_dir) / "folders").string(),
                      {.progress = settings.progress, .stop = settings.cancel, .memory_limit = settings.memory_limit});
    if (!file) return fail(file.error());
    return open_duckdb(*file, settings.memory_limit);
}

}  // namespace

Task<Result<std::unique_ptr<Source>>> open_source(std::string uri, SourceSettings settings) {
    WorkerPool opener(1);
    auto engine = co_await opener.run([&] { return open_engine(uri, settings); });
    if (!engine) co_return fail(engine.error());
    co_return co_await open_source(std::move(uri), std::move(*engine), std::move(settings));
}

Task<Result<std::unique_ptr<Source>>> open_source(std::string uri, std::unique_ptr<Engine> engine,
                                                  SourceSettings settings) {
    std::error_code ignored;
    const std::string key = is_postgres(uri) ? uri : fs::absolute(uri, ignored).string();
    auto inside = std::make_unique<Source::Inside>(without_password(uri), key, std::move(engine), std::move(settings));
    auto loaded = co_await inside->workers.run([&] { return inside->load(); });
    if (!loaded) co_return fail(loaded.error());
    co_return std::unique_ptr<Source>(new Source(std::move(inside)));
}

}  // namespace quaestor::data
