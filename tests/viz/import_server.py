"""A program that runs imports once, and then each script in a copy of itself; see ``copied.py``."""

import json
import os
import runpy
import sys
import warnings


def serve() -> None:
    """Answer each line of the input, which names a script, with what the script's process returned."""
    sys.path.pop(0)  # the folder of this file
    asked, answers = os.fdopen(os.dup(0)), os.dup(1)
    exec(compile(json.loads(asked.readline()), "imports", "exec"), {"__name__": "imports"})
    os.write(answers, b"ready\n")
    for line in iter(asked.readline, ""):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads, which wait for work
            child = os.fork()
        if not child:
            asked.close()
            os.close(answers)
            become(**json.loads(line))
            return  # and end as every process does
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.write(answers, f"{code}\n".encode())


def become(name: str, folder: str, settings: dict[str, str], out: str, err: str) -> None:
    """Run a script as ``python name`` does in its folder, with these settings as well."""
    os.environ.update(settings)
    os.chdir(folder)
    for number, path in enumerate((os.devnull, out, err)):
        opened = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    sys.path.insert(0, folder)
    sys.argv[:] = [name]
    runpy.run_path(name, run_name="__main__")


if __name__ == "__main__":
    serve()
