#include "base/text.hpp"
#include "cli/input_lines.hpp"
#include "cli/parse_view.hpp"
#include "cli/reader_support.hpp"
#include "cli/source_support.hpp"
#include "native/reading/reader.hpp"

namespace quaestor::cli {

namespace {

/// Reads questions and prints what became of each.
class QuestionPrinter {
public:
    QuestionPrinter(const Invocation& invocation, const ParseOptions& options, native::QuestionReader& reader)
        : invocation_(invocation), options_(options), reader_(reader) {}

    CommandResult one(const std::string& question) {
        const Instant began = system_clock().now();
        const auto understood = run_to_end(reader_.read(question, {}, invocation_.cancel));
        if (!understood) return fail(understood.error());
        if (invocation_.json) {
            auto shown = to_json(*understood, reader_.knowledge(), options_.explain);
            shown["timing_ms"] = std::chrono::duration<double, std::milli>(system_clock().now() - began).count();
            print_line(shown);
        } else {
            print_text(describe(*understood, reader_.knowledge(), options_.explain, terminal_width()));
        }
        return understood->decision == native::Decision::decline ? ExitCode::not_answered : ExitCode::done;
    }

    /// A question that makes no sense does not keep the others from being read.
    CommandResult all() {
        InputLines lines(invocation_.cancel);
        for (auto line = lines.next();; line = lines.next()) {
            if (!line) return fail(line.error());
            if (!*line) return ExitCode::done;
            if (text::trim(**line).empty()) continue;
            if (!invocation_.json) print_text(styled(visible(**line), Style::bold) + "\n");
            if (const auto done = one(**line); !done) {
                if (done.error().code != Code::invalid_argument) return fail(done.error());
                show_problem(**line, done.error());
            }
            if (!invocation_.json) print_text("\n");
        }
    }

private:
    void print_line(const json::object& shown) const {
        if (options_.batch) {
            print_data(to_text(shown) + "\n");
        } else {
            print_json(shown);
        }
    }
    void show_problem(const std::string& question, const Error& error) const {
        if (invocation_.json) {
            print_line({{"question", question}, {"error", encode(error)}});
        } else {
            print_error(error);
        }
    }

    const Invocation& invocation_;
    const ParseOptions& options_;
    native::QuestionReader& reader_;
};

}  // namespace

CommandResult parse(const Invocation& invocation, const ParseOptions& options) {
    if (!options.question && !options.batch) {
        return fail(Code::invalid_argument, "a question is missing",
                    "give it in quotation marks, or --batch and one question a line on standard input");
    }
    auto parts = open_reader_parts();
    if (!parts) return fail(parts.error());
    ProgressBar progress(invocation.quiet);
    auto settings = source_settings(invocation, progress);
    settings.annotations = find_annotations(options.source, options.annotations);
    auto source = open_named_source(options.source, std::move(settings));
    progress.clear();
    if (!source) return fail(source.error());
    auto knowledge = run_to_end(native::learn(**source, invocation.cancel));
    if (!knowledge) return fail(knowledge.error());

    native::QuestionReader reader(**source, std::move(*knowledge), std::move(*parts));
    QuestionPrinter printer(invocation, options, reader);
    return options.batch ? printer.all() : printer.one(*options.question);
}

}  // namespace quaestor::cli
