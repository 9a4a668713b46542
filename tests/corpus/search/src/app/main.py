import os
from src.stack import Stack

HOME = os.environ["HOME"]

def run_app(argv):
    stack = Stack([])
    if "--dry-run" in argv:
        return 0
    stack.push(argv)
    return 1

def run_once(argv):
    return run_app(argv[1:])
