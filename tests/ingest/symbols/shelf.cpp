// Lends books.
#include <vector>
#include "shelf.hpp"

using namespace std;
using Id = unsigned;

#define SHELF_CHECK(x) if (!(x)) throw Error(#x)

namespace lib::shelf {

/// How it is.
enum class State : unsigned char { Open, Closed };

namespace {
int counter = 0;

/// Only here.
int next() {
    return ++counter;
}
}  // namespace

/**
 * @brief A shelf of books.
 *
 * Not copyable.
 */
template <typename T, int N = 3>
class Shelf final : public Base<T>, private Lock {
public:
    using value_type = T;
    enum { Small = 1 };

    /// Makes an empty one.
    explicit Shelf(string name) : Base<T>(name), name_(std::move(name)) {}
    Shelf(const Shelf&) = delete;
    ~Shelf() override;

    /// Lends one.
    T* lend(int id) const noexcept;
    virtual void sort() = 0;

    Shelf& operator=(const Shelf& other) = default;

    bool operator==(const Shelf& other) const {
        return name_ == other.name_;
    }

    operator bool() const { return true; }

    /// Applies it.
    template <class F>
    auto apply(F&& f) -> decltype(f()) {
        return f();
    }

    /// An entry.
    struct Entry {
        int a;
        void reset() { a = 0; }
    };

    friend void swap(Shelf& a, Shelf& b) {
        std::swap(a.name_, b.name_);
    }

private:
    string name_;
};

// Ends it.
template <typename T, int N>
Shelf<T, N>::~Shelf() {
}

template <typename T, int N>
T* Shelf<T, N>::lend(int id) const noexcept {
    auto f = [&](int x) {
        return x + id;
    };
    return nullptr;
}

template <>
int total<int>(const vector<int>& all) { return 1; }

template <typename T>
concept Book = requires(T t) { t.title(); };

union Bits { int i; float f; };

}  // namespace lib::shelf

std::ostream& lib::shelf::operator<<(std::ostream& out, const State& s) {
    return out;
}

extern "C" {
/// For C.
int shelf_open(const char* name) {
    return 0;
}
}

extern "C" void shelf_close(void) {}

const std::vector<int>& lib::all() {
    static std::vector<int> v;
    return v;
}

[[nodiscard]] static constexpr auto twice(int x) -> int
{
    return 2 * x;
}

int main() try {
    return lib::shelf::next();
} catch (...) {
    return 1;
}
