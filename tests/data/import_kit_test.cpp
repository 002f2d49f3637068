#include "data/import_kit.hpp"

#include "data/dialect.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace quaestor::data {

namespace fs = std::filesystem;

ImportTest::ImportTest() {
    const bool has_memory = fs::is_directory("/dev/shm");  // no test waits for a disk there
    std::string name =
        ((has_memory ? fs::path("/dev/shm") : fs::temp_directory_path()) / "quaestor-import-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
}

ImportTest::~ImportTest() {
    close();
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

std::string ImportTest::write(const std::string& name, std::string_view content) const {
    const fs::path file = folder_ / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
    return file.string();
}

std::vector<ImportedTable> ImportTest::import(const std::vector<std::string>& files,
                                              const ImportOptions& options) const {
    close();
    auto tables = import_files(files, target(), options);
    if (!tables) throw std::runtime_error(tables.error().describe());
    return *tables;
}

ImportedTable ImportTest::import_one(const std::string& name, std::string_view content) const {
    return import({write(name, content)}).front();
}

Error ImportTest::import_error(const std::vector<std::string>& given, const ImportOptions& options) const {
    close();
    const auto before = files();
    auto tables = import_files(given, target(), options);
    EXPECT_EQ(files(), before);
    if (tables) throw std::runtime_error("the import worked");
    return tables.error();
}

std::vector<std::string> ImportTest::files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

void ImportTest::close() const {
    asked_.reset();
}

std::vector<std::string> ImportTest::ask_file(const std::string& file, const std::string& sql) const {
    if (!asked_ || asked_->file != file) {
        close();
        auto database = duck::Database::open(file, {{"access_mode", "READ_ONLY"}, {"threads", "2"}}).value();
        auto made = database.connect().value();
        asked_.emplace(Asked{file, std::move(database), std::move(made)});
    }
    const duck::Connection& connection = asked_->connection;
    auto plain = connection.query("SET TimeZone = 'UTC'; " + sql);
    if (!plain) throw std::runtime_error(plain.error().describe());
    std::vector<std::string> casts;
    std::vector<std::string> names;
    for (std::size_t column = 0; column < plain->column_count(); ++column) {
        names.push_back(fmt::format("c{}", column));
        casts.push_back(fmt::format("c{}::VARCHAR", column));
    }
    auto rows =
        connection
            .query(fmt::format("SELECT {} FROM ({}) AS t({})", fmt::join(casts, ", "), sql, fmt::join(names, ", ")))
            .value();
    std::vector<std::string> answer;
    while (const auto chunk = rows.next().value()) {
        for (std::size_t row = 0; row < chunk->size(); ++row) {
            std::string line;
            for (std::size_t column = 0; column < names.size(); ++column) {
                if (column > 0) line += '|';
                line += chunk->is_null(column, row) ? "NULL" : chunk->text(column, row);
            }
            answer.push_back(std::move(line));
        }
    }
    return answer;
}

std::string ImportTest::columns(const std::string& table) const {
    return fmt::format("{}", fmt::join(ask(fmt::format("SELECT column_name || ' ' || data_type FROM duckdb_columns() "
                                                       "WHERE table_name = {} ORDER BY column_index",
                                                       quote_text(table))),
                                       ", "));
}

std::string read_whole(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace quaestor::data
