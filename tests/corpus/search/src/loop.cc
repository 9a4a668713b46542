#include <vector>

struct Node {
  Node* next;
};

int walk(Node* x) {
  int i = 0;
  while (x) {
    x = x->next;
    i++;
  }
  return i;
}

int flags(int a) {
  int b = a<<2;
  return b != 3 ? b : a.b.c;
}
