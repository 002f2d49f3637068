#include "retrieval/ingest.hpp"

#include "base/clock.hpp"
#include "base/worker_pool.hpp"
#include "retrieval/corpus_writer.hpp"
#include "retrieval/file_list.hpp"
#include "retrieval/readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace quaestor::retrieval {

namespace {

/// Windows that are embedded in one call: enough for all threads, few enough for a quick end when it is cancelled.
constexpr std::size_t kWindowsOfCall = 64;
/// What is embedded is committed after so many vectors or so long, so that little is lost when the power goes.
constexpr std::size_t kRowsOfCommit = 8'192;
constexpr std::chrono::seconds kCommitAfter{30};
/// Segments that may add up before they are merged, so that searches stay quick while an ingest takes hours.
constexpr std::size_t kSegmentsMeanwhile = 16;
/// Tokens of a window that are left for the context before its text, and bytes that surely fit into them.
constexpr std::size_t kContextTokens = 40;
constexpr std::size_t kContextBytesMax = 120;

/// Vectors see the context and then the window.
ChunkingOptions fitted(ChunkingOptions options, const llm::Embedder& embedder) {
    const std::size_t seen = embedder.text_tokens();
    const std::size_t room = seen > 2 * kContextTokens ? seen - kContextTokens : seen;
    options.window = std::min(options.tokens, room);
    return options;
}

std::string embedded_text(const Document& document, const Chunk& chunk, Span window) {
    std::string context = context_of(document.metadata, chunk.section);
    if (context.size() > kContextBytesMax) {
        std::size_t end = kContextBytesMax;
        while (end > 0 && (static_cast<unsigned char>(context[end]) & 0xc0) == 0x80) --end;
        context.resize(end);
    }
    return fmt::format("{}\n{}", context, window.of(document.text));
}

double seconds_since(Instant began) {
    return std::chrono::duration<double>(system_clock().now() - began).count();
}

class Ingest {
public:
    Ingest(CorpusWriter writer, FileList files, llm::Embedder& embedder, const IngestOptions& options)
        : writer_(std::move(writer)),
          files_(std::move(files)),
          embedder_(embedder),
          options_(options),
          chunking_(fitted(options.chunking, embedder)) {
        for (const ListedFile& file : files_.files) bytes_ += file.size;
        report_.files = files_.files.size();
    }

    Task<Result<IngestReport>> run(WorkerPool& worker) {
        auto done = co_await take_all(worker);
        // What is complete is kept, however this ends.
        const auto ended = co_await worker.run([&] { return done ? finish() : writer_.commit(); });
        if (!done) co_return fail(std::move(done.error()));
        if (!ended) co_return fail(ended.error());
        report_.seconds = seconds_since(began_);
        co_return std::move(report_);
    }

private:
    Task<Result<>> take_all(WorkerPool& worker) {
        for (const ListedFile& file : files_.files) {
            if (options_.cancel.cancelled()) co_return fail(options_.cancel.error());
            auto read = co_await worker.run([&] { return read_one(file); });
            if (!read) {
                report_.skipped.push_back({file.path.string(), read.error()});
            } else if (*read) {
                for (const Chunk& chunk : (*read)->chunks) windows_waiting_ += chunk.windows.size();
                waiting_.push_back(std::move(**read));
            }
            if (windows_waiting_ >= kWindowsOfCall) {
                if (auto taken = co_await take_waiting(worker); !taken) co_return taken;
            }
            ++files_done_;
            bytes_done_ += file.size;
            last_file_ = file.name;
            tell();
        }
        co_return co_await take_waiting(worker);
    }

    /// Several documents at a time: a small one alone would keep one thread busy and no other.
    Task<Result<>> take_waiting(WorkerPool& worker) {
        if (auto embedded = co_await embed_waiting(); !embedded) co_return embedded;
        windows_waiting_ = 0;
        co_return co_await worker.run([this]() -> Result<> {
            for (const NewDocument& incoming : std::exchange(waiting_, {})) {
                if (auto added = add(incoming); !added) return added;
            }
            return {};
        });
    }

    /// Nothing when the document is in the corpus as it is.
    Result<std::optional<NewDocument>> read_one(const ListedFile& file) {
        const std::string source = file.path.string();
        auto bytes = read_bytes(file.path);
        if (!bytes) return fail(bytes.error());
        const ContentHash hash = hash_of_content(*bytes);
        if (writer_.hash_of(source) == hash) {
            ++report_.unchanged;
            return std::nullopt;
        }
        auto document = read_document(*bytes, file.format, file.path.filename().string());
        if (!document) return fail(document.error());
        NewDocument incoming{.name = writer_.free_name(file.name, source),
                             .source = source,
                             .hash = hash,
                             .document = std::move(*document),
                             .chunks = {},
                             .vectors = {}};
        incoming.chunks = chunk_document(
            incoming.document, [this](std::string_view text) { return embedder_.count_tokens(text); }, chunking_);
        return incoming;
    }

    /// Whose vector it is that a text becomes.
    struct Owner {
        NewDocument* document = nullptr;
        bool ends_chunk = false;
    };

    Task<Result<>> embed_waiting() {
        std::vector<std::string> texts;
        std::vector<Owner> owners;
        for (NewDocument& incoming : waiting_) {
            for (const Chunk& chunk : incoming.chunks) {
                for (const Span window : chunk.windows) {
                    texts.push_back(embedded_text(incoming.document, chunk, window));
                    owners.push_back({&incoming, window == chunk.windows.back()});
                }
            }
        }
        for (std::size_t first = 0; first < texts.size(); first += kWindowsOfCall) {
            const std::size_t end = std::min(first + kWindowsOfCall, texts.size());
            const auto at = [&](std::size_t i) { return texts.begin() + static_cast<std::ptrdiff_t>(i); };
            const Instant began = system_clock().now();
            const auto rows = co_await embedder_.embed({at(first), at(end)}, options_.cancel);
            report_.embedding_seconds += seconds_since(began);
            if (!rows) co_return fail(rows.error());
            for (std::size_t row = 0; row < rows->size(); ++row) {
                const Owner& owner = owners[first + row];
                owner.document->vectors.insert(owner.document->vectors.end(), (*rows)[row].begin(), (*rows)[row].end());
                chunks_embedded_ += owner.ends_chunk ? 1 : 0;
            }
            tell();
        }
        co_return Result<>();
    }

    Result<> add(const NewDocument& incoming) {
        const bool is_known = writer_.hash_of(incoming.source).has_value();
        ++(is_known ? report_.replaced : report_.added);
        report_.chunks += incoming.chunks.size();
        writer_.add(incoming);
        if (writer_.rows_waiting() < kRowsOfCommit && system_clock().now() - committed_at_ < kCommitAfter) return {};
        committed_at_ = system_clock().now();
        return writer_.segments() < kSegmentsMeanwhile ? writer_.commit() : writer_.compact();
    }

    /// Documents whose files are gone from the folders that were read go too.
    Result<> finish() {
        for (const std::string& source : writer_.sources()) {
            if (!files_.is_gone(source)) continue;
            writer_.remove(source);
            ++report_.removed;
        }
        for (const std::string& root : files_.roots) writer_.add_root(root);
        return writer_.compact();
    }

    void tell() const {
        if (!options_.on_progress) return;
        const double seconds = seconds_since(began_);
        const double done = static_cast<double>(bytes_done_) / static_cast<double>(std::max<std::uint64_t>(bytes_, 1));
        options_.on_progress({.file = last_file_,
                              .files_done = files_done_,
                              .files_total = files_.files.size(),
                              .done = done,
                              .chunks = chunks_embedded_,
                              .chunks_per_second = seconds > 0 ? static_cast<double>(chunks_embedded_) / seconds : 0,
                              .seconds_left = done > 0 ? seconds * (1 - done) / done : 0});
    }

    CorpusWriter writer_;
    const FileList files_;
    llm::Embedder& embedder_;
    const IngestOptions& options_;
    const ChunkingOptions chunking_;
    IngestReport report_;
    std::vector<NewDocument> waiting_;  ///< read and cut, not embedded
    std::size_t windows_waiting_ = 0;
    std::size_t files_done_ = 0;
    std::size_t chunks_embedded_ = 0;
    std::string last_file_;
    std::uint64_t bytes_ = 0;
    std::uint64_t bytes_done_ = 0;
    const Instant began_ = system_clock().now();
    Instant committed_at_ = began_;
};

struct Beginning {
    CorpusWriter writer;
    FileList files;
};

std::unexpected<Error> nothing_to_ingest() {
    return fail(Code::invalid_argument, "there is nothing to ingest", "name files or folders");
}

Result<Beginning> begin(const std::vector<std::filesystem::path>& paths, const std::filesystem::path& corpus,
                        const llm::Embedder& embedder, const IngestOptions& options) {
    // Before the corpus, so that a mistyped path makes none.
    auto files = list_files(paths);
    if (!files) return fail(files.error());
    std::error_code error;
    if (paths.empty() && !std::filesystem::exists(corpus, error)) return nothing_to_ingest();
    auto writer = CorpusWriter::open(
        corpus,
        {.embedder = embedder.name(), .chunking = fitted(options.chunking, embedder), .rebuild = options.rebuild});
    if (!writer) return fail(writer.error());
    if (paths.empty()) {
        files = list_files({writer->roots().begin(), writer->roots().end()});
        if (!files) return fail(files.error());
    }
    if (files->roots.empty()) return nothing_to_ingest();
    return Beginning{std::move(*writer), std::move(*files)};
}

}  // namespace

Task<Result<IngestReport>> ingest(std::vector<std::filesystem::path> paths, const std::filesystem::path& corpus,
                                  llm::Embedder& embedder, IngestOptions options) {
    const std::filesystem::path folder = corpus;
    WorkerPool worker(1);
    auto begun = co_await worker.run([&] { return begin(paths, folder, embedder, options); });
    if (!begun) co_return fail(begun.error());
    std::vector<SkippedFile> unreadable = std::move(begun->files.skipped);
    Ingest ingest(std::move(begun->writer), std::move(begun->files), embedder, options);
    auto report = co_await ingest.run(worker);
    if (!report) co_return report;
    report->skipped.insert(report->skipped.begin(), unreadable.begin(), unreadable.end());
    const auto after = co_await worker.run([&] { return Corpus::open(folder); });
    if (!after) co_return fail(after.error());
    report->corpus = (*after)->size();
    co_return report;
}

}  // namespace quaestor::retrieval
