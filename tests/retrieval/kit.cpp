#include "kit.hpp"

#include "base/task.hpp"

#include <fmt/format.h>

#include <fstream>

namespace quaestor::retrieval {

namespace {

std::string page_content(const std::vector<std::string>& lines) {
    std::string content = "BT /F1 12 Tf 14 TL 72 720 Td\n";
    for (const auto& line : lines) content += fmt::format("({}) Tj T*\n", line);
    return content + "ET";
}

}  // namespace

std::string make_pdf(const std::vector<std::vector<std::string>>& pages) {
    std::vector<std::string> objects{"<< /Type /Catalog /Pages 2 0 R >>", "",
                                     "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"};
    std::string kids;
    for (const auto& lines : pages) {
        const std::string content = page_content(lines);
        objects.push_back(fmt::format("<< /Length {} >>\nstream\n{}\nendstream", content.size(), content));
        objects.push_back(
            fmt::format("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R "
                        "/Resources << /Font << /F1 3 0 R >> >> >>",
                        objects.size()));
        kids += fmt::format("{} 0 R ", objects.size());
    }
    objects[1] = fmt::format("<< /Type /Pages /Kids [{}] /Count {} >>", kids, pages.size());
    std::string pdf = "%PDF-1.4\n";
    std::string table = fmt::format("xref\n0 {}\n0000000000 65535 f \n", objects.size() + 1);
    for (std::size_t i = 0; i < objects.size(); ++i) {
        table += fmt::format("{:010} 00000 n \n", pdf.size());
        pdf += fmt::format("{} 0 obj\n{}\nendobj\n", i + 1, objects[i]);
    }
    return fmt::format("{}{}trailer << /Size {} /Root 1 0 R >>\nstartxref\n{}\n%%EOF\n", pdf, table, objects.size() + 1,
                       pdf.size());
}

void CorpusFolder::write(const std::string& name, std::string_view text) const {
    const auto file = files() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
}

void CorpusFolder::erase(const std::string& name) const {
    std::filesystem::remove(files() / name);
}

Result<IngestReport> CorpusFolder::ingest(IngestOptions options) const {
    std::filesystem::create_directories(files());
    return run_to_end(retrieval::ingest({files()}, corpus(), *embedder_, std::move(options)));
}

std::shared_ptr<const Corpus> CorpusFolder::open() const {
    auto corpus_now = Corpus::open(corpus());
    if (!corpus_now) throw std::runtime_error(corpus_now.error().describe());
    return *corpus_now;
}

std::vector<ChunkResult> CorpusFolder::search(const std::string& query, Filter filter) const {
    const auto corpus_now = open();
    auto report = run_to_end(
        retrieval::search(*corpus_now, *embedder_, {.query = query, .filter = std::move(filter), .explain = true}));
    if (!report) throw std::runtime_error(report.error().describe());
    return report->chunks;
}

std::vector<std::string> CorpusFolder::found(const std::string& query, Filter filter) const {
    std::vector<std::string> names;
    for (const auto& chunk : search(query, std::move(filter))) names.push_back(chunk.document);
    return names;
}

}  // namespace quaestor::retrieval
