#include "temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

namespace quaestor::cli {

namespace {

using testing::HasSubstr;

constexpr std::chrono::seconds kPatience{120};

/// The program on a terminal, with a person who types.
class TypedTalk {
public:
    explicit TypedTalk(const std::filesystem::path& folder) {
        winsize size{.ws_row = 40, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
        process_ = forkpty(&terminal_, nullptr, nullptr, &size);
        if (process_ == 0) be_program(folder);
    }
    ~TypedTalk() {
        if (process_ > 0) {
            kill(process_, SIGKILL);
            waitpid(process_, nullptr, 0);
        }
        close(terminal_);
    }
    TypedTalk(const TypedTalk&) = delete;
    TypedTalk& operator=(const TypedTalk&) = delete;

    /// Keys that come between the prompt and the editor's taking over of the terminal would be lost.
    void type(std::string_view keys) const {
        const auto latest = std::chrono::steady_clock::now() + kPatience;
        termios modes{};
        while (tcgetattr(terminal_, &modes) == 0 && (modes.c_lflag & ICANON) != 0) {
            ASSERT_LT(std::chrono::steady_clock::now(), latest) << "the editor never took the terminal";
            poll(nullptr, 0, 1);
        }
        EXPECT_EQ(write(terminal_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
    }
    /// What was shown up to and with `text`; what comes behind it is looked at next time.
    std::string wait_for(std::string_view text) {
        while (!unread_.contains(text) && read_more(unread_)) {
        }
        EXPECT_THAT(unread_, HasSubstr(std::string(text)));
        const std::string shown = unread_.substr(0, unread_.find(text));
        unread_.erase(0, std::min(shown.size() + text.size(), unread_.size()));
        return shown;
    }
    int exit_code() {
        std::string rest;
        while (read_more(rest)) {
        }
        int status = 0;
        waitpid(process_, &status, 0);
        process_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

private:
    [[noreturn]] static void be_program(const std::filesystem::path& folder) {
        const std::string home = "HOME=" + folder.string();
        const std::string data = "XDG_DATA_HOME=" + folder.string();
        std::array<const char*, 6> environment{home.c_str(), data.c_str(),   "TERM=xterm",
                                               "NO_COLOR=1", "LANG=C.UTF-8", nullptr};
        std::array<const char*, 5> words{QUAESTOR_PROGRAM, "chat", "--source", "music", nullptr};
        if (chdir(folder.c_str()) != 0) _exit(127);
        execve(QUAESTOR_PROGRAM, const_cast<char* const*>(words.data()), const_cast<char* const*>(environment.data()));
        _exit(127);
    }
    bool read_more(std::string& shown) const {
        pollfd waiting{terminal_, POLLIN, 0};
        if (poll(&waiting, 1, static_cast<int>(std::chrono::milliseconds(kPatience).count())) <= 0) return false;
        std::array<char, 4096> buffer{};
        const ssize_t count = read(terminal_, buffer.data(), buffer.size());
        if (count > 0) shown.append(buffer.data(), static_cast<std::size_t>(count));
        return count > 0;
    }

    int terminal_ = -1;
    pid_t process_ = 0;
    std::string unread_;
};

class ChatOnATerminal : public testing::Test {
protected:
    ChatOnATerminal() {
        std::filesystem::create_directory(folder_.file("music"));
        std::ofstream(folder_.file("music/singers.csv")) << "singer_id,name,age\n1,Ada,31\n2,Bo,27\n";
    }
    store::TemporaryFolder folder_;
};

TEST_F(ChatOnATerminal, HasStepsEditingAHistoryAndOutlivesCtrlC) {
    TypedTalk talk(folder_.path());
    EXPECT_THAT(talk.wait_for("> "), HasSubstr("/help lists"));
    talk.type("How many singers are therx\x7f");  // a slip, and the key that takes it back
    talk.type("e?\n");
    const auto answer = talk.wait_for("Checked: ");
    EXPECT_THAT(answer, HasSubstr("grade_response"));
    talk.wait_for("> ");
    talk.type("half a lin\x03");
    talk.wait_for("> ");
    talk.type("/new\n");
    talk.wait_for("A new conversation.");
    talk.wait_for("> ");
    talk.type("\x10\x10");  // back in the history, to the question
    talk.wait_for("How many singers are there?");
    talk.type("\n");
    talk.wait_for("Checked: ");
    talk.wait_for("> ");
    talk.type("\x04");
    EXPECT_EQ(talk.exit_code(), 0);
    std::ifstream history(folder_.file("quaestor/chat_history"));
    EXPECT_THAT(std::string(std::istreambuf_iterator<char>(history), {}), HasSubstr("singers"));
}

}  // namespace

}  // namespace quaestor::cli
