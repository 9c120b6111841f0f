"""Products of matrices by one thread each.

The products here are small. Shared between threads they wait for each other, and OpenBLAS waits by
counting: on a busy machine a batch of sentences took five times as long. Batches run side by side
instead.
"""

from functools import cache
from importlib import import_module


@cache
def calm() -> None:
    """Let numpy's library use one thread from now on, in the whole process."""
    import numpy as np  # noqa: F401 - the library must be there to be limited

    import_module("threadpoolctl").threadpool_limits(1, user_api="blas")
