// Private to retrieval/: the documents that paths stand for.
// Plain values.
// Threads: reads the disk in the caller's thread.
#pragma once

#include "base/error.hpp"
#include "retrieval/ingest.hpp"

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace quaestor::retrieval {

struct ListedFile {
    std::filesystem::path path;  ///< absolute
    std::string name;            ///< below the folder that was named
    Format format = Format::text;
    std::uint64_t size = 0;
};

struct FileList {
    std::vector<ListedFile> files;     ///< in order of their paths, each once
    std::vector<std::string> roots;    ///< what was named, absolute
    std::vector<SkippedFile> skipped;  ///< what was named and cannot be read

    /// True for a file that lay below one of the roots and is not there any more.
    [[nodiscard]] bool is_gone(const std::string& source) const;
};

/// Code::not_found for a path that is not there, Code::limit_exceeded beyond kFilesMax.
[[nodiscard]] Result<FileList> list_files(const std::vector<std::filesystem::path>& paths);

}  // namespace quaestor::retrieval
