# A stack of frames. Mutations are logged.
import logging

@decorator
class Stack:
    LIMIT = 1 << 31

    def __init__(self, frames):
        self.frames = frames

    def push(self, frame):
        self.frames.append(frame)
        logging.info("pushed")

    def pop_frame(self):
        return self.frames.pop()


class ViewAndMutationMeta:
    # What a graph knows of its views.
    def view_count(self):
        return len(self.views)


def count_mutations(meta):
    return meta.mutation_total
