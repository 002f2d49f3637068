#include "store/store.hpp"

#include "store/memory.hpp"
#include "store/postgres.hpp"
#include "store/sqlite.hpp"

namespace quaestor::store {

Result<std::unique_ptr<Store>> open_store(const StoreSettings& settings) {
    switch (settings.backend) {
        case Backend::memory:
            return open_memory();
        case Backend::sqlite:
            return open_sqlite(settings);
        case Backend::postgres:
            return open_postgres(settings);
    }
    return fail(Code::invalid_argument, "there is no such kind of store", "choose memory, sqlite or postgres");
}

}  // namespace quaestor::store
