// SPDX-License-Identifier: GPL-2.0-or-later
// Result<T>: a value or an Error. It is tl::expected, which stands in for std::expected: g++ 12 has
// that in C++23 only, and clang 14 cannot read it.
#pragma once

#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

#include "schema/base/error.h"

namespace kw {

/// tl::expected of an Error, and two things more: the compiler warns where a Result is ignored, and
/// an Error is returned as it is.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
  Result() = default;
  Result(Error error) : tl::expected<T, Error>(tl::unexpect, std::move(error)) {}
};

/// The value of a result that has one.
template <class T>
T take_value(Result<T>& result) {
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace kw

/// The value of a Result (nothing of a Result<void>); where it is an Error, the function that this
/// stands in returns it:
///
///   const std::string text = KW_TRY(read_file(name, kMaxBytes));
///   KW_TRY(writer.commit());
#define KW_TRY(...)                                      \
  __extension__({                                        \
    auto kw_result = (__VA_ARGS__);                      \
    if (!kw_result) return std::move(kw_result).error(); \
    ::kw::take_value(kw_result);                         \
  })
