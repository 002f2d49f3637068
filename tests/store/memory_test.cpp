#include "store/memory.hpp"

#include "conformance.hpp"

namespace quaestor::store {

namespace {

class MemoryHome final : public StoreHome {
public:
    std::unique_ptr<Store> open() override { return open_memory(); }
};

const TestBackend kMemory{
    .name = "memory", .durable = false, .make_home = [] { return std::make_unique<MemoryHome>(); }};

INSTANTIATE_TEST_SUITE_P(Memory, StoreConformance, testing::Values(kMemory), backend_name);

}  // namespace

}  // namespace quaestor::store
