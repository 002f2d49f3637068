#include "demo/documents.hpp"

#include <fmt/format.h>

#include <vector>

namespace quaestor::demo {

Result<std::filesystem::path> documents_path(std::string_view name) {
    std::error_code unknown;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", unknown);
    const auto installed = program.parent_path().parent_path() / "share" / "quaestor" / "demo";
    for (const auto& folder : {installed, std::filesystem::path(QUAESTOR_DEMO_DOCUMENTS)}) {
        std::error_code unreadable;
        if (std::filesystem::is_directory(folder / name, unreadable)) return folder / name;
    }
    return fail(Code::not_found, fmt::format("the demo documents {} are not in {}", name, installed.string()),
                "install them again, or ask documents of your own: quaestor ask --corpus FOLDER");
}

}  // namespace quaestor::demo
