// SPDX-License-Identifier: GPL-2.0-or-later
// What lies in a database folder, or in its metadata, may come from anywhere: stub, status.json,
// stored options, manifest; and stub files that list databases. The first byte chooses.
#include <filesystem>

#include "schema/index/database_dir.h"
#include "schema/index/database_location.h"
#include "schema/index/index_options.h"
#include "schema/index/manifest.h"
#include "schema/index/status.h"
#include "tests/fuzz/expect.h"
#include "tests/support/temp_dir.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kw;
  using test::expect;
  static const test::TempDir dir;
  static const DatabaseFolder folder = [] {
    std::filesystem::create_directory(dir / "gen-1");
    return DatabaseFolder(dir.str());
  }();
  if (size == 0) return 0;
  const std::string bytes(test::text_of_input(data + 1, size - 1));
  switch (data[0] % 4) {
    case 0: {
      test::write_file(folder.stub(), bytes);
      const auto live = folder.live_generation();
      expect(!live || (*live == 1 && (bytes == "auto gen-1" || bytes == "auto gen-1\n")),
             "a stub names a folder that is there");
      const auto number = parse_generation_name(bytes);
      expect(!number || generation_name(*number) == bytes, "one name a generation");
      const auto places = parse_stub(bytes, dir.str() + "/list");
      expect(!places || !places->empty(), "a stub file lists a place");
      for (const DatabaseLocation& place : places ? *places : std::vector<DatabaseLocation>())
        expect(place.is_remote() ? !place.host.empty() && place.port > 0 : place.folder[0] == '/',
               "a place is a server, or a folder seen from the file");
      break;
    }
    case 1: {
      const auto status = parse_status(bytes);
      if (status) {
        const auto again = parse_status(to_json(*status));
        expect(again && *again == *status, "a status comes back as it was");
      }
      test::write_file(folder.status(), bytes);
      read_unsearched(folder);
      break;
    }
    case 2: {
      const auto options = parse_index_options(bytes);
      if (options) {
        const auto again = parse_index_options(to_json(*options));
        expect(again && to_json(*again) == to_json(*options), "options come back as they were");
      }
      break;
    }
    default: {
      const auto manifest = parse_manifest(bytes);
      if (!manifest) break;
      for (const std::string& file : manifest->files)
        expect(stays_inside(file), "a manifest names nothing outside");
      const auto again = parse_manifest(format_manifest(*manifest));
      expect(again && *again == *manifest, "a manifest comes back as it was");
    }
  }
  return 0;
}
