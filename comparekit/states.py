"""What one side did with one topic."""

import numpy as np
import numpy.typing as npt

STATES = ("answered", "empty", "failed", "missing")
"""`empty` ran and found nothing; `failed` ran and gave no answer; `missing` has no receipt."""

ANSWERED, EMPTY, FAILED, MISSING = range(4)

States = npt.NDArray[np.int8]
"""One position in `STATES` a topic."""
