#include "retrieval/files.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace quaestor::retrieval {

namespace {

constexpr std::size_t kWriteBufferBytes = std::size_t{1} << 20;
constexpr const char* kLockName = "lock";

std::atomic<void (*)(const char*)> disk_step_hook = nullptr;

void before(const char* step) {
    if (const auto hook = disk_step_hook.load()) hook(step);
}

std::unexpected<Error> disk_error(const char* what, const std::filesystem::path& file) {
    const int error = errno;
    const Code code = error == ENOENT ? Code::not_found : error == EACCES ? Code::permission_denied : Code::unavailable;
    return fail(code, fmt::format("cannot {} {}: {}", what, file.string(), std::strerror(error)),
                error == ENOSPC ? "make room on the disk" : "look whether the folder is there and may be written");
}

Result<> sync_folder(const std::filesystem::path& folder) {
    const FileHandle handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!handle || ::fsync(handle.get()) != 0) return disk_error("save", folder);
    return {};
}

}  // namespace

void set_disk_step_hook_for_test(void (*hook)(const char*)) {
    disk_step_hook = hook;
}

FileHandle::~FileHandle() {
    if (handle_ >= 0) ::close(handle_);
}

std::filesystem::path NewFile::beside() const {
    return place_.string() + ".new";
}

Result<NewFile> NewFile::create(std::filesystem::path place) {
    before("create");
    NewFile file(std::move(place), FileHandle());
    file.handle_ = FileHandle(::open(file.beside().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (!file.handle_) return disk_error("write", file.beside());
    return file;
}

Result<> NewFile::write_at(std::size_t offset, std::string_view bytes) {
    before("write");
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(handle_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return disk_error("write", beside());
        bytes.remove_prefix(static_cast<std::size_t>(written));
        offset += static_cast<std::size_t>(written);
    }
    return {};
}

Result<> NewFile::flush() {
    auto written = write_at(size_ - buffer_.size(), buffer_);
    buffer_.clear();
    return written;
}

Result<> NewFile::append(std::string_view bytes) {
    if (bytes.size() >= kWriteBufferBytes) {
        if (auto flushed = flush(); !flushed) return flushed;
        auto written = write_at(size_, bytes);
        size_ += bytes.size();
        return written;
    }
    buffer_ += bytes;
    size_ += bytes.size();
    return buffer_.size() >= kWriteBufferBytes ? flush() : Result<>();
}

Result<> NewFile::overwrite(std::size_t offset, std::string_view bytes) {
    if (auto flushed = flush(); !flushed) return flushed;
    return write_at(offset, bytes);
}

Result<> NewFile::commit() {
    if (auto flushed = flush(); !flushed) return flushed;
    before("sync");
    if (::fsync(handle_.get()) != 0) return disk_error("save", beside());
    before("rename");
    if (::rename(beside().c_str(), place_.c_str()) != 0) return disk_error("put in place", place_);
    before("sync folder");
    return sync_folder(place_.parent_path());
}

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
    const FileHandle handle(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!handle) return disk_error("read", path);
    struct stat facts{};
    if (::fstat(handle.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return disk_error("read", path);
    MappedFile file;
    file.size_ = static_cast<std::size_t>(facts.st_size);
    if (file.size_ == 0) return file;
    void* data = ::mmap(nullptr, file.size_, PROT_READ, MAP_SHARED, handle.get(), 0);
    if (data == MAP_FAILED) {
        file.size_ = 0;
        return disk_error("map", path);
    }
    file.data_ = static_cast<const char*>(data);
    return file;
}

MappedFile::~MappedFile() {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): what mmap() gave.
    if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

Result<FileHandle> lock_folder(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / kLockName;
    FileHandle handle(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (!handle) return disk_error("write", file);
    if (::flock(handle.get(), LOCK_EX | LOCK_NB) != 0) {
        return fail(Code::conflict, fmt::format("another program is changing {}", folder.string()),
                    "wait until it is done and try again");
    }
    return handle;
}

}  // namespace quaestor::retrieval
