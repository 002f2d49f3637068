// A field of characters with two axes, for lines and points.
// Private to cli/.
// Threads: a value.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::cli {

/// From where to where an axis goes.
struct AxisRange {
    double low = 0;
    double high = 0;

    /// Where `value` lies, 0 to 1.
    [[nodiscard]] double part(double value) const { return (value - low) / (high - low); }
};
/// Wide enough for every value; never empty, so that part() makes sense.
[[nodiscard]] AxisRange axis_range(const std::vector<double>& values);

/// "1,234,567", "0.457", "12.5"
[[nodiscard]] std::string short_number(double value);

/// Marks that tell up to eight series apart.
[[nodiscard]] std::string_view series_mark(std::size_t series, bool is_unicode);

class Plot {
public:
    Plot(AxisRange down, std::size_t width, bool is_unicode);

    struct Place {
        double across = 0;  ///< 0 to 1
        double value = 0;   ///< within the range
    };
    void mark(Place place, std::string_view mark);
    /// Dots from one place to another, where nothing is yet.
    void connect(Place from, Place to);

    /// With the axes; `labels` are spread below it, first to last.
    [[nodiscard]] std::string draw(const std::vector<std::string>& labels) const;

private:
    [[nodiscard]] std::size_t column(double across) const;
    [[nodiscard]] std::size_t row(double value) const;
    [[nodiscard]] std::string label_of_row(std::size_t row) const;

    AxisRange down_;
    bool is_unicode_;
    std::size_t label_width_;
    std::vector<std::vector<std::string>> cells_;
};

}  // namespace quaestor::cli
