#include "data/conformance_sqlite.hpp"

namespace quaestor::data {

INSTANTIATE_TEST_SUITE_P(Sqlite, EngineConformance, testing::Values(sqlite_home()), name_of_home);

}  // namespace quaestor::data
