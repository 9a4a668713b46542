# Tests of the stack.
from src.stack import Stack, ViewAndMutationMeta

def test_push():
    stack = Stack([])
    stack.push(1)
    assert stack.pop_frame() == 1

def test_meta():
    assert ViewAndMutationMeta().view_count() == 0
