// SPDX-License-Identifier: GPL-2.0-or-later
// What is shown of results: their records, and where these match. Reading and looking through the
// texts of a page of results takes longer than finding it, so cores share the work.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "schema/base/result.h"
#include "searcher/engine/hit.h"
#include "searcher/engine/result_list.h"
#include "searcher/engine/session.h"

namespace kw::search {

/// One result whose lines are wanted.
struct WantedHit {
  const Group* group = nullptr;
  Xapian::docid id = 0;  ///< the file whose lines are shown
  Hit* hit = nullptr;
};

/// Its functions throw Xapian::Error; call under guard().
class HitReader {
 public:
  /// All must outlive it. `present` may be empty, and is called by several threads.
  HitReader(Session& session, ResultList& results, const Presenter& present);
  ~HitReader();
  HitReader(const HitReader&) = delete;
  HitReader& operator=(const HitReader&) = delete;

  /// Reads records and lines of some of the wanted, from the first on, and returns of how many: at
  /// least one, and no more than a bounded memory holds. Of a hit that is presented only what is
  /// shown remains.
  Result<std::size_t> read(std::span<const WantedHit> wanted);

 private:
  struct Stored;
  struct Worker;

  Result<Stored> fetch(const WantedHit& wanted, const Xapian::Document* fetched) const;
  Result<void> look_through(Worker& worker, const WantedHit& wanted, Stored& stored) const;

  void put_back(const WantedHit& wanted);

  Session& session_;
  ResultList& results_;
  const Presenter& present_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace kw::search
