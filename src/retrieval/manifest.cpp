#include "retrieval/manifest.hpp"

#include "base/json.hpp"
#include "retrieval/checksum.hpp"
#include "retrieval/files.hpp"

#include <fmt/format.h>

namespace quaestor::retrieval {

namespace {

constexpr const char* kManifestName = "corpus.json";

std::string name_of(const std::filesystem::path& folder) {
    return folder.filename().string();
}

std::string checksum_text(std::string_view text) {
    return fmt::format("{:016x}", checksum_of(text));
}

}  // namespace

Error with_rebuild_hint(Error error, const std::filesystem::path& folder) {
    error.message = fmt::format("corpus {}: {}", name_of(folder), error.message);
    if (error.code == Code::corrupt || error.code == Code::unsupported) {
        error.hint = fmt::format("build it again: quaestor ingest --corpus {} --rebuild PATH…", name_of(folder));
    }
    return error;
}

Result<Manifest> read_manifest(const std::filesystem::path& folder) {
    const auto file = MappedFile::open(folder / kManifestName);
    if (!file && file.error().code == Code::not_found) {
        return fail(Code::not_found, fmt::format("there is no corpus {}", name_of(folder)),
                    fmt::format("make it: quaestor ingest PATH… --corpus {}", name_of(folder)));
    }
    if (!file) return fail(file.error());
    const std::string_view bytes = file->bytes();
    const std::size_t end = bytes.find('\n');
    const auto damaged = [&](std::string_view why) {
        return fail(
            with_rebuild_hint({Code::corrupt, fmt::format("its index is damaged: {}", why), {}, nullptr}, folder));
    };
    const auto document = parse_json(bytes.substr(0, end));
    if (!document || !document->is_object()) return damaged(fmt::format("{} is no list of contents", kManifestName));
    // Another version may keep its sum elsewhere, so the version is looked at first.
    const auto* format = document->get_object().if_contains("format");
    if (format == nullptr || !format->is_int64()) return damaged(fmt::format("{} has no format", kManifestName));
    if (format->get_int64() != kCorpusFormat) {
        return fail(with_rebuild_hint({Code::unsupported,
                                       fmt::format("its index has format {}, and this program reads format {}",
                                                   format->get_int64(), kCorpusFormat),
                                       {},
                                       nullptr},
                                      folder));
    }
    if (end == std::string_view::npos || bytes.substr(end + 1) != checksum_text(bytes.substr(0, end)) + "\n") {
        return damaged(fmt::format("the checksum of {} differs", kManifestName));
    }
    auto manifest = decode<Manifest>(*document);
    if (!manifest) return damaged(manifest.error().message);
    return manifest;
}

Result<> write_manifest(const std::filesystem::path& folder, const Manifest& manifest) {
    auto file = NewFile::create(folder / kManifestName);
    if (!file) return fail(file.error());
    const std::string text = to_text(encode(manifest));
    if (auto written = file->append(fmt::format("{}\n{}\n", text, checksum_text(text))); !written) return written;
    return file->commit();
}

}  // namespace quaestor::retrieval
