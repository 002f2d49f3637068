// An empty folder that lasts as long as a test.
// Removed with everything in it by the destructor.
// Threads: immutable.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace quaestor::store {

class TemporaryFolder {
public:
    TemporaryFolder() {
        const bool has_memory = std::filesystem::is_directory("/dev/shm");  // no test waits for a disk there
        const auto parent = has_memory ? "/dev/shm" : std::filesystem::temp_directory_path();
        std::string name = (parent / "quaestor-store-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

}  // namespace quaestor::store
