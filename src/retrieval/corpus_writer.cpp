#include "retrieval/corpus_writer.hpp"

#include "retrieval/segment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace quaestor::retrieval {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWaiting = std::numeric_limits<std::size_t>::max();
/// More segments than this are merged: each is one more scan in every search.
constexpr std::size_t kSegmentsWanted = 4;
/// A segment of whose documents so many are gone is written anew.
constexpr std::size_t kRemovedPercentMax = 25;

Result<> make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (!error) return {};
    return fail(Code::unavailable, fmt::format("cannot make the folder {}: {}", folder.string(), error.message()),
                "choose another with --data-dir");
}

Error other_settings(const fs::path& folder, const std::string& what) {
    return {Code::conflict, fmt::format("corpus {} was made with {}", folder.filename().string(), what),
            fmt::format("set it back, or build it again: quaestor ingest --corpus {} --rebuild",
                        folder.filename().string()),
            nullptr};
}

}  // namespace

Result<CorpusWriter> CorpusWriter::open(const fs::path& folder, const WriterSettings& settings) {
    if (auto made = make_folder(folder); !made) return fail(made.error());
    auto lock = lock_folder(folder);
    if (!lock) return fail(lock.error());
    CorpusWriter writer(folder, std::move(*lock));
    if (auto loaded = writer.load(settings); !loaded) return fail(loaded.error());
    return writer;
}

Result<> CorpusWriter::load(const WriterSettings& settings) {
    auto manifest = read_manifest(folder_);
    if (!manifest && manifest.error().code != Code::not_found && !settings.rebuild) return fail(manifest.error());
    if (manifest && settings.rebuild) {
        Manifest fresh;
        fresh.roots = manifest->roots;
        fresh.relevance = manifest->relevance;
        // Names of files are not used again: a search may have the old ones open.
        fresh.next_segment = manifest->next_segment;
        manifest_ = std::move(fresh);
    } else if (manifest) {
        manifest_ = std::move(*manifest);
        if (manifest_.embedder != settings.embedder) {
            return fail(other_settings(
                folder_, fmt::format("the embedder {}, and {} is configured", manifest_.embedder, settings.embedder)));
        }
        if (manifest_.chunking != settings.chunking) {
            return fail(other_settings(folder_, fmt::format("chunks of {} tokens", manifest_.chunking.tokens)));
        }
    }
    manifest_.embedder = settings.embedder;
    manifest_.chunking = settings.chunking;
    if (settings.rebuild) {
        // First the list without them, then the files: a search never sees a list of files that are gone.
        if (auto written = write_manifest(folder_, manifest_); !written) return written;
    }
    auto indexed = index_segments();
    if (!indexed) return fail(with_rebuild_hint(indexed.error(), folder_));
    drop_unlisted_files();
    return {};
}

Result<> CorpusWriter::index_segments() {
    for (std::size_t number = 0; number < manifest_.segments.size(); ++number) {
        const auto segment = Segment::open(folder_ / manifest_.segments[number].file);
        if (!segment) return fail(segment.error());
        const auto& removed = manifest_.segments[number].removed;
        const std::set<std::uint32_t> gone(removed.begin(), removed.end());
        rows_.push_back((*segment)->rows().size());
        documents_.push_back((*segment)->documents().size());
        for (std::uint32_t i = 0; i < documents_.back(); ++i) {
            if (gone.contains(i)) continue;
            const DocumentRecord& document = (*segment)->documents()[i];
            const std::string source((*segment)->string(document.source));
            const std::string name((*segment)->string(document.name));
            by_source_[source] = {number, i, {document.hash_high, document.hash_low}, name};
            source_of_name_[name] = source;
        }
    }
    return {};
}

std::optional<ContentHash> CorpusWriter::hash_of(const std::string& source) const {
    const auto found = by_source_.find(source);
    return found == by_source_.end() ? std::nullopt : std::optional(found->second.hash);
}

std::vector<std::string> CorpusWriter::sources() const {
    std::vector<std::string> all;
    for (const auto& [source, place] : by_source_) all.push_back(source);
    std::ranges::sort(all);
    return all;
}

std::string CorpusWriter::free_name(const std::string& wanted, const std::string& source) const {
    const auto is_free = [&](const std::string& name) {
        const auto found = source_of_name_.find(name);
        return found == source_of_name_.end() || found->second == source;
    };
    // As many of the folders above it as are needed.
    const fs::path path(source);
    std::string name = wanted;
    const auto parts = std::distance(path.begin(), path.end());
    for (auto kept = std::distance(fs::path(wanted).begin(), fs::path(wanted).end()) + 1;
         !is_free(name) && kept < parts; ++kept) {
        fs::path longer;
        for (auto part = std::next(path.begin(), parts - kept); part != path.end(); ++part) longer /= *part;
        name = longer.string();
    }
    return is_free(name) ? name : source;
}

void CorpusWriter::add_root(const std::string& root) {
    if (std::ranges::find(manifest_.roots, root) != manifest_.roots.end()) return;
    manifest_.roots.push_back(root);
    is_changed_ = true;
}

void CorpusWriter::add(const NewDocument& document) {
    remove(document.source);
    if (!document.chunks.empty() && manifest_.dimensions == 0) {
        std::size_t windows = 0;
        for (const Chunk& chunk : document.chunks) windows += chunk.windows.size();
        manifest_.dimensions = document.vectors.size() / windows;
    }
    if (!builder_) builder_.emplace(manifest_.dimensions);
    by_source_[document.source] = {kWaiting, static_cast<std::uint32_t>(builder_->documents()), document.hash,
                                   document.name};
    source_of_name_[document.name] = document.source;
    builder_->add(document);
    is_changed_ = true;
}

void CorpusWriter::remove(const std::string& source) {
    const auto found = by_source_.find(source);
    if (found == by_source_.end()) return;
    const Place& place = found->second;
    auto& removed = place.segment == kWaiting ? removed_waiting_ : manifest_.segments[place.segment].removed;
    removed.push_back(place.document);
    source_of_name_.erase(place.name);
    by_source_.erase(found);
    is_changed_ = true;
}

std::string CorpusWriter::take_segment_name() {
    return fmt::format("segment-{:06}.index", manifest_.next_segment++);
}

Result<> CorpusWriter::commit() {
    if (!is_changed_) return {};
    if (builder_) {
        const std::string name = take_segment_name();
        if (auto written = builder_->write(folder_ / name); !written) return written;
        for (auto& [source, place] : by_source_) {
            if (place.segment == kWaiting) place.segment = manifest_.segments.size();
        }
        manifest_.segments.push_back({name, std::exchange(removed_waiting_, {})});
        rows_.push_back(builder_->rows());
        documents_.push_back(builder_->documents());
        builder_.reset();
    }
    if (auto written = write_manifest(folder_, manifest_); !written) return written;
    is_changed_ = false;
    drop_unlisted_files();
    return {};
}

Result<> CorpusWriter::compact() {
    if (auto done = commit(); !done) return done;
    std::vector<std::size_t> small;
    std::size_t together = 0;
    bool is_worn = false;
    for (std::size_t i = 0; i < manifest_.segments.size(); ++i) {
        const bool is_mostly_gone = manifest_.segments[i].removed.size() * 100 > documents_[i] * kRemovedPercentMax;
        if (rows_[i] >= kSegmentRowsMax / 2 && !is_mostly_gone) continue;
        if (together + rows_[i] > kSegmentRowsMax) continue;
        together += rows_[i];
        small.push_back(i);
        is_worn = is_worn || is_mostly_gone;
    }
    if (small.empty() || (small.size() <= kSegmentsWanted && !is_worn)) return {};
    return merge(small);
}

Result<> CorpusWriter::merge(const std::vector<std::size_t>& chosen) {
    SegmentBuilder merged(manifest_.dimensions);
    for (const std::size_t number : chosen) {
        const auto segment = Segment::open(folder_ / manifest_.segments[number].file);
        if (!segment) return fail(with_rebuild_hint(segment.error(), folder_));
        std::vector<bool> removed((*segment)->documents().size());
        for (const std::uint32_t document : manifest_.segments[number].removed) removed[document] = true;
        merged.add(**segment, removed);
    }
    Manifest next = manifest_;
    const std::string name = take_segment_name();
    next.next_segment = manifest_.next_segment;
    for (auto number = chosen.rbegin(); number != chosen.rend(); ++number) {
        next.segments.erase(next.segments.begin() + static_cast<std::ptrdiff_t>(*number));
    }
    if (merged.documents() > 0) {
        if (auto written = merged.write(folder_ / name); !written) return written;
        next.segments.push_back({name, {}});
    }
    if (auto written = write_manifest(folder_, next); !written) return written;
    manifest_ = std::move(next);
    rows_.clear();
    documents_.clear();
    by_source_.clear();
    source_of_name_.clear();
    drop_unlisted_files();
    return index_segments();
}

/// What an interrupted commit or an older one left behind. A search that has a file open keeps it.
void CorpusWriter::drop_unlisted_files() const {
    std::error_code error;
    std::vector<fs::path> unlisted;
    for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        const bool is_ours = name.starts_with("segment-") || name.ends_with(".new");
        if (is_ours &&
            std::ranges::find(manifest_.segments, name, &ManifestSegment::file) == manifest_.segments.end()) {
            unlisted.push_back(at->path());
        }
    }
    for (const fs::path& file : unlisted) fs::remove(file, error);
}

}  // namespace quaestor::retrieval
