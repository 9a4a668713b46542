# Reads the .gitignore and the settings.
DEFAULTS = {"path": "a/b.py", "dry_run": False}

def load_settings(path):
    return parse(path, DEFAULTS)

class Settings:
    def __init__(self):
        self.mutations = 0
