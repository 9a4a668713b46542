// SPDX-License-Identifier: GPL-2.0-or-later
// Any text is a configuration file of a tree or of a person: it is taken or refused, and what a
// tree may not set is never taken from one. Any text is TOML of a front matter, too.
#include <algorithm>

#include "schema/cli/config.h"
#include "schema/text/front_matter.h"
#include "tests/fuzz/expect.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kw;
  using test::expect;
  const std::string_view text = test::text_of_input(data, size);
  for (const char* program : {"kwindex", "kwsearch", "kwexport"}) {
    const auto of_tree = cli::parse_config(text, "f", program, cli::ConfigTrust::Tree);
    const auto of_person = cli::parse_config(text, "f", program, cli::ConfigTrust::Person);
    if (!of_tree) expect(!of_tree.error().message.empty(), "a refusal says why");
    expect(!of_tree || of_person, "a person may set what a tree may");
    for (const auto& setting : of_tree ? *of_tree : std::vector<cli::ConfigSetting>())
      expect(std::any_of(cli::kConfigKeys.begin(), cli::kConfigKeys.end(),
                         [&](const cli::ConfigKey& key) {
                           return key.name == setting.name && key.trust == cli::ConfigTrust::Tree;
                         }),
             "a tree sets what it may");
  }
  const FrontMatter front = front_matter_of(text);
  expect(front.bytes <= text.size(), "a front matter lies in its text");
  return 0;
}
