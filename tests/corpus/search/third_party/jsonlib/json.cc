// A vendored parser.
#include <vector>

struct JsonNode {
  int kind;
};

int parse_json(const char* text) {
  return text[0] == '{';
}
