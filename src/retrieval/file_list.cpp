#include "retrieval/file_list.hpp"

#include "retrieval/readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace quaestor::retrieval {

namespace {

namespace fs = std::filesystem;

std::unexpected<Error> too_many() {
    return fail(Code::limit_exceeded, fmt::format("there are more than {} files", kFilesMax), "name fewer folders");
}

fs::path absolute_path(const fs::path& path) {
    std::error_code error;
    fs::path absolute = fs::weakly_canonical(fs::absolute(path, error), error);
    return error ? path : absolute;
}

void add_file(FileList& list, const fs::path& path, std::string name) {
    const auto format = format_of(path);
    if (!format) return;
    std::error_code error;
    const auto size = fs::file_size(path, error);
    list.files.push_back({path, std::move(name), *format, error ? 0 : size});
}

Result<> add_folder(FileList& list, const fs::path& folder) {
    std::error_code error;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
    for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
        if (at->path().filename().string().starts_with('.')) {
            if (at->is_directory(error)) at.disable_recursion_pending();
            continue;
        }
        if (!at->is_regular_file(error)) continue;
        add_file(list, at->path(), at->path().lexically_relative(folder).string());
        if (list.files.size() > kFilesMax) return too_many();
    }
    if (!error) return {};
    return fail(Code::unavailable, fmt::format("cannot read the folder {}: {}", folder.string(), error.message()),
                "look whether it may be read");
}

}  // namespace

bool FileList::is_gone(const std::string& source) const {
    const bool is_below = std::ranges::any_of(roots, [&](const std::string& root) {
        return source == root || (source.starts_with(root) && source[root.size()] == '/');
    });
    if (!is_below) return false;
    const auto found = std::ranges::lower_bound(files, fs::path(source), {}, &ListedFile::path);
    return found == files.end() || found->path != fs::path(source);
}

Result<FileList> list_files(const std::vector<fs::path>& paths) {
    FileList list;
    for (const fs::path& given : paths) {
        const fs::path path = absolute_path(given);
        std::error_code error;
        const auto status = fs::status(path, error);
        if (!fs::exists(status)) {
            return fail(Code::not_found, fmt::format("there is no file or folder {}", given.string()),
                        "look whether the path is right");
        }
        list.roots.push_back(path.string());
        if (fs::is_directory(status)) {
            if (auto added = add_folder(list, path); !added) return fail(added.error());
        } else if (format_of(path)) {
            add_file(list, path, path.filename().string());
        } else {
            list.skipped.push_back({given.string(),
                                    {Code::unsupported, "it is of a kind that is not read",
                                     "give text (.txt), Markdown (.md), HTML (.html) or PDF (.pdf) files", nullptr}});
        }
    }
    std::ranges::sort(list.files, {}, &ListedFile::path);
    const auto repeated = std::ranges::unique(list.files, {}, &ListedFile::path);
    list.files.erase(repeated.begin(), repeated.end());
    if (list.files.size() > kFilesMax) return too_many();
    return list;
}

}  // namespace quaestor::retrieval
