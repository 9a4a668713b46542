// Namespace foo and its functions.
#include <vector>
#include "foo.h"

namespace foo {

int bar(int n) {
  return n << 2;
}

bool operator==(const Box& a, const Box& b) {
  return a.id == b.id;
}

int twice(int n) {
  // calls foo::bar( once more
  return 2 * foo::bar(n);
}

}
