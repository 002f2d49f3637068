// Layers of a transformer over whole matrices, shared out among a crew of threads. Owns the crew and the scratch space.
// A private header of native/.
// Threads: one at a time.
#pragma once

#include "native/lockstep_crew.hpp"
#include "native/matrices.hpp"
#include "native/text2sql_weights.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace quaestor::native {

/// Rows of a matrix, from a column on.
struct Columns {
    const Matrix& of;
    std::size_t first = 0;
};

/// What attention also knows: for each pair of rows the number of their relation.
struct Relations {
    const RelationLayer* layer = nullptr;  ///< none: it knows nothing
    std::size_t count = 0;
    std::span<const std::uint8_t> pairs;
};

class Workbench {
public:
    explicit Workbench(std::size_t threads) : crew_(threads) {}

    [[nodiscard]] LockstepCrew& crew() { return crew_; }

    enum class Then { store, gelu, add };
    void apply(const Linear& layer, const Matrix& from, Matrix& to, Then then = Then::store);
    /// The two may be the same.
    void apply(const Norm& norm, const Matrix& from, Matrix& to);
    /// Keys as attention reads them: heads lie side by side in `width` columns.
    void pack_keys(const Columns& from, std::size_t width, std::size_t heads, Panels& to);
    void pack_values(const Columns& from, std::size_t width, std::size_t heads, Panels& to);

    /// Every query looks at every key; heads lie side by side in `out`.
    struct Attention {
        Columns queries;
        const Panels& keys;
        const Panels& values;
        std::size_t heads = 1;
        Relations relations{};
    };
    void attend(const Attention& how, Matrix& out);

private:
    LockstepCrew crew_;
    SplitRows split_;
};

}  // namespace quaestor::native
