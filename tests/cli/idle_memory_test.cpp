#include "cli/idle_memory.hpp"

#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace quaestor::cli {

namespace {

TEST(IdleMemory, IsThatOfModelFilesThatAreOnlyRead) {
    const auto model = mapped_model("1000-3000 r--s 00000000 fe:00 12    /home/ann/my models/minilm.gguf");
    EXPECT_EQ(model.start, reinterpret_cast<std::byte*>(0x1000));
    EXPECT_EQ(model.size, 0x2000u);
    for (const auto* other :
         {"1000-3000 rw-p 00000000 fe:00 12    /models/minilm.gguf", "1000-3000 r--p 00000000 fe:00 12    /lib/libc.so",
          "1000-3000 r--s 00000000 fe:00 12    /models/minilm.gguf (deleted)", "1000 r--s .gguf",
          "3000-1000 r--s .gguf", "zz-3000 r--s .gguf", ".gguf", ""}) {
        EXPECT_EQ(mapped_model(other).size, 0u) << other;
    }
}

TEST(IdleMemory, OfAMappedModelIsThereAgainWhenItIsRead) {
    const store::TemporaryFolder folder;
    const std::string path = folder.file("tiny.gguf");
    constexpr std::size_t kSize = 1 << 16;
    std::ofstream(path) << std::string(kSize, 'x');
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    void* const mapped = ::mmap(nullptr, kSize, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    ASSERT_NE(mapped, MAP_FAILED);
    let_go_of_idle_memory();
    EXPECT_EQ(std::string(static_cast<const char*>(mapped), kSize), std::string(kSize, 'x'));
    ::munmap(mapped, kSize);
    ::close(file);
}

}  // namespace

}  // namespace quaestor::cli
