#ifndef FOO_H
#define FOO_H

namespace foo {

struct Box {
  int id;
};

int bar(int n);
bool operator==(const Box& a, const Box& b);

}

#endif
