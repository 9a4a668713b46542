// SPDX-License-Identifier: GPL-2.0-or-later
// guard(): runs Xapian calls and turns each class of Xapian's exceptions into an Error. The only
// way from Xapian's exceptions to ours; there is none from an exception to a default value.
#pragma once

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "schema/base/result.h"
#include "schema/base/xapian_api.h"

namespace kw {

/// The Error for a Xapian exception. `what` names the attempt ("cannot open index 'x'"); Xapian's
/// own words follow in brackets.
inline Error to_error(const Xapian::Error& e, const std::string& what) {
  auto make = [&](ErrorCode code, const char* fact, const char* hint) {
    return Error{code, what + ": " + fact + " (" + e.get_description() + ")", hint};
  };
  const std::string type = e.get_type();
  // Where the system failed, its words stand in the message, or beside it.
  const auto says = [said = e.get_description()](const char* words) {
    return said.find(words) != std::string::npos;
  };
  if (says(std::strerror(ENOSPC)) || says(std::strerror(EDQUOT)))
    return make(ErrorCode::Failed, "there is no space left", "free some space and run it again");
  if (says(std::strerror(EMFILE)) || says(std::strerror(ENFILE)))
    return make(ErrorCode::Failed, "too many files are open", kTooManyFilesHint);
  if (type == "DatabaseLockError" && !says("already locked"))
    return make(ErrorCode::Failed, "it cannot be written", "see that you may write to its files");
  if (says(std::strerror(EACCES)))
    return make(ErrorCode::Failed, "it may not be read", kMayNotReadHint);
  if (type == "DatabaseModifiedError")
    return make(ErrorCode::Modified, "it changed while it was read", "try again");
  if (type == "DatabaseLockError")
    return make(ErrorCode::Locked, "another writer holds it", "wait for it, or use --wait");
  if (type == "DatabaseNotFoundError" || type == "DatabaseOpeningError")
    return make(ErrorCode::NotFound, "it cannot be opened", "rebuild it with: kwindex --rebuild");
  if (type == "DatabaseVersionError")
    return make(ErrorCode::OtherVersion, "its format is another Xapian's",
                "rebuild it with: kwindex --rebuild");
  if (type == "DatabaseCorruptError" || type == "DocNotFoundError" || type == "RangeError" ||
      type == "SerialisationError" || type == "UnimplementedError" || says("EOF reading block"))
    return make(ErrorCode::Corrupt, "it is damaged", "rebuild it with: kwindex --rebuild");
  if (type == "NetworkError" || type == "NetworkTimeoutError")
    return make(ErrorCode::Unreachable, "its server does not answer",
                "see that xapian-tcpsrv runs there");
  // A damaged index may hold numbers that Xapian takes for wrong arguments.
  return make(ErrorCode::Failed, "Xapian failed",
              "if the index may be damaged, rebuild it with: kwindex --rebuild");
}

/// Calls `f`, which may throw Xapian::Error and may return a Result itself.
template <class F>
auto guard(const std::string& what, F&& f) {
  using R = std::invoke_result_t<F>;
  auto run = [&]<class Out>(std::type_identity<Out>) -> Out {
    try {
      if constexpr (std::is_void_v<R>) {
        std::forward<F>(f)();
        return Out();
      } else {
        return Out(std::forward<F>(f)());
      }
    } catch (const Xapian::Error& e) {
      return to_error(e, what);
    } catch (const std::length_error& e) {  // Xapian believes the sizes that a server sends
      return Error{ErrorCode::Corrupt, what + ": it is damaged (" + e.what() + ")",
                   "rebuild it with: kwindex --rebuild"};
    }
  };
  if constexpr (requires { std::declval<R>().error(); })
    return run(std::type_identity<R>());
  else
    return run(std::type_identity<Result<R>>());
}

}  // namespace kw
