// From the bytes of a file to a Document: text, Markdown, HTML, PDF.
// What a file says is data: bounded, never run, never trusted. Nothing is kept between calls.
// Threads: pure functions, but for read_file(), which reads the disk.
#pragma once

#include "base/error.hpp"
#include "retrieval/document.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace quaestor::retrieval {

/// A larger file is refused: what it says would take hours to embed, and most such files are no documents.
inline constexpr std::size_t kFileBytesMax = std::size_t{100} << 20;
/// An HTML page takes about twenty times its size to parse.
inline constexpr std::size_t kHtmlBytesMax = std::size_t{32} << 20;
/// Text of one document; a larger one is refused.
inline constexpr std::size_t kTextBytesMax = std::size_t{32} << 20;
inline constexpr int kPdfPagesMax = 5'000;
/// Elements inside each other; parsers slow down with the square of it.
inline constexpr std::size_t kHtmlDepthMax = 1'000;

/// By the ending of the name; nothing for files that are no documents.
[[nodiscard]] std::optional<Format> format_of(const std::filesystem::path& file);

/// The file's bytes; Code::limit_exceeded beyond kFileBytesMax, Code::not_found, Code::permission_denied.
[[nodiscard]] Result<std::string> read_bytes(const std::filesystem::path& file);

/// Text, headings and metadata of a document. `name` is the file's, which often tells date and type. Fails with a
/// reason for a person: Code::unsupported for what has no text (a scanned PDF, a locked one), Code::corrupt for what
/// is not what its name says, Code::limit_exceeded for what is too large.
[[nodiscard]] Result<Document> read_document(std::string_view bytes, Format format, const std::string& name);

/// The readers of the four formats: text with the headings and the metadata that the format itself marks.
[[nodiscard]] Result<Document> read_text(std::string_view bytes);
[[nodiscard]] Result<Document> read_markdown(std::string_view bytes);
[[nodiscard]] Result<Document> read_html(std::string_view bytes);
[[nodiscard]] Result<Document> read_pdf(std::string_view bytes);

}  // namespace quaestor::retrieval
