// Private to retrieval/: files that are there as a whole or not at all, files read by memory map, and a lock.
// Each object owns its file.
// Threads: one object belongs to one thread; a MappedFile, once open, to any.
#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace quaestor::retrieval {

/// A file handle that closes itself.
class FileHandle {
public:
    explicit FileHandle(int handle = -1) : handle_(handle) {}
    ~FileHandle();
    FileHandle(FileHandle&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}
    FileHandle& operator=(FileHandle&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    [[nodiscard]] int get() const { return handle_; }
    explicit operator bool() const { return handle_ >= 0; }

private:
    int handle_;
};

/// Writes a file beside its place, and puts it there when it is complete and on the disk. Until commit() the old file
/// stays; without it nothing is left but a name that ends in ".new".
class NewFile {
public:
    [[nodiscard]] static Result<NewFile> create(std::filesystem::path place);
    [[nodiscard]] Result<> append(std::string_view bytes);
    /// Over what was appended before.
    [[nodiscard]] Result<> overwrite(std::size_t offset, std::string_view bytes);
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] Result<> commit();

private:
    NewFile(std::filesystem::path place, FileHandle handle) : place_(std::move(place)), handle_(std::move(handle)) {}
    [[nodiscard]] Result<> flush();
    [[nodiscard]] Result<> write_at(std::size_t offset, std::string_view bytes);
    [[nodiscard]] std::filesystem::path beside() const;

    std::filesystem::path place_;
    FileHandle handle_;
    std::string buffer_;
    std::size_t size_ = 0;  ///< with what is in the buffer
};

/// For tests of crashes: called before each step that reaches the disk, with its name.
void set_disk_step_hook_for_test(void (*hook)(const char* step));

class MappedFile {
public:
    MappedFile() = default;
    /// Code::not_found, Code::unavailable. An empty file has no bytes.
    [[nodiscard]] static Result<MappedFile> open(const std::filesystem::path& file);
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    MappedFile& operator=(MappedFile&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    [[nodiscard]] std::string_view bytes() const { return {data_, size_}; }

private:
    const char* data_ = nullptr;
    std::size_t size_ = 0;
};

/// Held until the object goes; Code::conflict when another process or thread holds it.
[[nodiscard]] Result<FileHandle> lock_folder(const std::filesystem::path& folder);

}  // namespace quaestor::retrieval
