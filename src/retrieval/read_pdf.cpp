#include "retrieval/encoding.hpp"
#include "retrieval/pdf_pages.hpp"
#include "retrieval/plain_text.hpp"
#include "retrieval/readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <poppler-document.h>
#include <poppler-page.h>

namespace quaestor::retrieval {

namespace {

/// What poppler would print about a damaged file is for its authors.
void pass_over(const std::string&, void*) {}

std::string utf8_of(const poppler::ustring& text) {
    const poppler::byte_array bytes = text.to_utf8();
    return {bytes.begin(), bytes.end()};
}

/// Programs that print documents leave names of files where the title should be.
bool is_real_title(std::string_view title) {
    return title.size() > 3 && title.contains(' ') && !title.starts_with("Microsoft Word") && !title.contains(".doc") &&
           !title.contains(".indd");
}

Result<std::vector<std::string>> pages_of(const poppler::document& pdf) {
    std::vector<std::string> pages;
    std::size_t bytes = 0;
    for (int i = 0; i < pdf.pages(); ++i) {
        const std::unique_ptr<poppler::page> page(pdf.create_page(i));
        std::string text = page ? utf8_of(page->text({}, poppler::page::raw_order_layout)) : std::string();
        bytes += text.size();
        if (bytes > kTextBytesMax) {
            return fail(Code::limit_exceeded, fmt::format("it has more than {} MB of text", kTextBytesMax >> 20),
                        "split it into parts");
        }
        auto clean = to_utf8(text);
        pages.push_back(clean ? std::move(*clean) : std::string());
    }
    return pages;
}

}  // namespace

Result<Document> read_pdf(std::string_view bytes) {
    static std::once_flag is_quiet;
    std::call_once(is_quiet, [] { poppler::set_debug_error_function(pass_over, nullptr); });
    const std::unique_ptr<poppler::document> pdf(
        poppler::document::load_from_raw_data(bytes.data(), static_cast<int>(bytes.size())));
    if (!pdf) return fail(Code::corrupt, "it is no PDF, or a damaged one", "look whether the file is complete");
    if (pdf->is_locked()) {
        return fail(Code::unsupported, "it is locked with a password", "save it without one and give that");
    }
    if (pdf->pages() > kPdfPagesMax) {
        return fail(Code::limit_exceeded, fmt::format("it has {} pages, and may have {}", pdf->pages(), kPdfPagesMax),
                    "split it into parts");
    }
    const auto pages = pages_of(*pdf);
    if (!pages) return fail(pages.error());
    Document document;
    join_pages(*pages, document);
    if (document.text.empty()) {
        return fail(Code::unsupported, "its pages are pictures without text",
                    "let a program read them first, such as ocrmypdf");
    }
    if (auto title = to_utf8(utf8_of(pdf->get_title())); title && is_real_title(*title))
        document.metadata.title = *title;
    return document;
}

}  // namespace quaestor::retrieval
