#include "cli/line_editor.hpp"

#include "cli/source_support.hpp"

#include <array>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cwchar>
#include <filesystem>
#include <histedit.h>
#include <unistd.h>

namespace quaestor::cli {

namespace {

struct EndEditLine {
    void operator()(EditLine* editor) const { el_end(editor); }
};
struct EndHistory {
    void operator()(History* lines) const { history_end(lines); }
};

char* prompt_text(EditLine* /*editor*/) {
    static std::array<char, 3> text{'>', ' ', '\0'};
    return text.data();
}

/// libedit takes letters beyond ASCII only in a locale that has them.
void use_utf8() {
    const char* chosen = std::setlocale(LC_CTYPE, "");
    if (chosen == nullptr || MB_CUR_MAX == 1) std::setlocale(LC_CTYPE, "C.UTF-8");
}

/// One character of standard input: 1, 0 at its end, -1 when the wait was cancelled or it is no text.
int read_character(const CancelToken& cancel, wchar_t* character) {
    std::mbstate_t state{};
    for (;;) {
        if (!wait_for_input(cancel)) return -1;
        char byte = 0;
        const ssize_t count = read(STDIN_FILENO, &byte, 1);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return static_cast<int>(count);
        constexpr auto kIncomplete = static_cast<std::size_t>(-2);
        constexpr auto kMalformed = static_cast<std::size_t>(-1);
        const std::size_t taken = std::mbrtowc(character, &byte, 1, &state);
        if (taken == kIncomplete) continue;
        if (taken != kMalformed) return 1;
        state = {};  // what is no text is passed over
    }
}

}  // namespace

struct LineEditor::Inside {
    std::string history_file;
    std::unique_ptr<History, EndHistory> lines;
    std::unique_ptr<EditLine, EndEditLine> editor;
    CancelToken cancel;

    static int get_character(EditLine* editor, wchar_t* character) {
        void* data = nullptr;
        el_get(editor, EL_CLIENTDATA, &data);
        return read_character(static_cast<Inside*>(data)->cancel, character);
    }
    void remember(const char* line) {
        HistEvent event{};
        history(lines.get(), &event, H_ENTER, line);
    }
};

LineEditor::LineEditor(std::string history_file) : inside_(std::make_unique<Inside>()) {
    use_utf8();
    inside_->history_file = std::move(history_file);
    inside_->lines.reset(history_init());
    inside_->editor.reset(el_init("quaestor", stdin, stdout, stderr));
    EditLine* editor = inside_->editor.get();
    HistEvent event{};
    history(inside_->lines.get(), &event, H_SETSIZE, kHistoryLinesMax);
    history(inside_->lines.get(), &event, H_SETUNIQUE, 1);
    history(inside_->lines.get(), &event, H_LOAD, inside_->history_file.c_str());
    el_set(editor, EL_CLIENTDATA, inside_.get());
    el_set(editor, EL_PROMPT, prompt_text);
    el_set(editor, EL_EDITOR, "emacs");
    el_set(editor, EL_SIGNAL, 0);
    el_set(editor, EL_HIST, history, inside_->lines.get());
    el_set(editor, EL_GETCFN, Inside::get_character);
}

LineEditor::~LineEditor() {
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(inside_->history_file).parent_path(), ignored);
    HistEvent event{};
    history(inside_->lines.get(), &event, H_SAVE, inside_->history_file.c_str());
}

Result<std::optional<std::string>> LineEditor::next(const CancelToken& cancel) {
    inside_->cancel = cancel;
    int count = 0;
    const char* typed = el_gets(inside_->editor.get(), &count);
    if (typed == nullptr || count <= 0) {
        std::fputc('\n', stdout);
        if (cancel.cancelled()) return fail(cancel.error());
        return std::nullopt;
    }
    std::string line(typed, static_cast<std::size_t>(count));
    if (line.find_first_not_of(" \t\n") != std::string::npos) inside_->remember(line.c_str());
    if (line.ends_with('\n')) line.pop_back();
    return line;
}

}  // namespace quaestor::cli
