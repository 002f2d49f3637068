#include "retrieval/readers.hpp"

#include "retrieval/encoding.hpp"
#include "retrieval/headings.hpp"
#include "retrieval/metadata.hpp"
#include "retrieval/plain_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace quaestor::retrieval {

namespace {

struct KnownEnding {
    std::string_view ending;
    Format format;
};
constexpr std::array kEndings{KnownEnding{".txt", Format::text},    KnownEnding{".text", Format::text},
                              KnownEnding{".md", Format::markdown}, KnownEnding{".markdown", Format::markdown},
                              KnownEnding{".html", Format::html},   KnownEnding{".htm", Format::html},
                              KnownEnding{".xhtml", Format::html},  KnownEnding{".pdf", Format::pdf}};

std::string megabytes(std::size_t bytes) {
    return fmt::format("{} MB", bytes >> 20);
}

Error cannot_read(const std::filesystem::path& file, int error) {
    const Code code = error == ENOENT ? Code::not_found : error == EACCES ? Code::permission_denied : Code::unavailable;
    return {code, fmt::format("{} cannot be read: {}", file.string(), std::strerror(error)),
            "look whether the file is there and may be read", nullptr};
}

using Reader = Result<Document> (*)(std::string_view);

Reader reader_for(Format format) {
    switch (format) {
        case Format::text:
            return read_text;
        case Format::markdown:
            return read_markdown;
        case Format::html:
            return read_html;
        case Format::pdf:
            return read_pdf;
    }
    return read_text;
}

bool has_words(std::string_view text) {
    return std::ranges::any_of(text, [](char byte) { return is_letter(byte) || is_digit(byte); });
}

}  // namespace

std::optional<Format> format_of(const std::filesystem::path& file) {
    const std::string ending = lower_ascii(file.extension().string());
    const auto* known = std::ranges::find(kEndings, std::string_view(ending), &KnownEnding::ending);
    return known == kEndings.end() ? std::nullopt : std::optional(known->format);
}

Result<std::string> read_bytes(const std::filesystem::path& file) {
    const std::unique_ptr<std::FILE, decltype(&std::fclose)> stream(std::fopen(file.c_str(), "rbe"), std::fclose);
    if (!stream) return fail(cannot_read(file, errno));
    std::error_code unknown;
    const auto size = std::filesystem::file_size(file, unknown);
    if (unknown) return fail(cannot_read(file, unknown.value()));
    if (size > kFileBytesMax) {
        return fail(Code::limit_exceeded,
                    fmt::format("it has {}, and a document may have {}", megabytes(size), megabytes(kFileBytesMax)),
                    "split it into parts");
    }
    std::string bytes(size, '\0');
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), stream.get()));
    if (std::ferror(stream.get()) != 0) return fail(cannot_read(file, errno));
    return bytes;
}

Result<Document> read_document(std::string_view bytes, Format format, const std::string& name) {
    auto document = reader_for(format)(bytes);
    if (!document) return document;
    document->format = format;
    if (!has_words(document->text)) {
        return fail(Code::unsupported, bytes.empty() ? "it is empty" : "there is no text in it");
    }
    if (document->text.size() > kTextBytesMax) {
        return fail(Code::limit_exceeded,
                    fmt::format("its text has {}, and that of a document may have {}", megabytes(document->text.size()),
                                megabytes(kTextBytesMax)),
                    "split it into parts");
    }
    complete_metadata(*document, name);
    complete_headings(*document);
    return document;
}

Result<Document> read_text(std::string_view bytes) {
    auto text = to_utf8(bytes);
    if (!text) return fail(text.error());
    Document document;
    document.text = tidy(*text);
    return document;
}

std::string tidy(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char character : text) {
        if (character == '\n') {
            while (out.ends_with(' ')) out.pop_back();
            if (out.empty() || out.ends_with("\n\n")) continue;
            out += '\n';
        } else if (character != ' ' && character != '\t') {
            out += character;
        } else if (!out.empty() && out.back() != ' ' && out.back() != '\n') {
            out += ' ';
        }
    }
    while (!out.empty() && is_blank(out.back())) out.pop_back();
    return out;
}

}  // namespace quaestor::retrieval
