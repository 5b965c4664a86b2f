"""The class that Serve deploys; only a replica imports PyTorch."""

import importlib
from typing import Any

from ..limits import Limits
from ..process.patience import Patience
from .words import Letter, Reply


class Seat:
    """A replica's place in the deployment; see ``replica.Replica``."""

    def __init__(self, loader: str, device: str, limits: Limits, patience: Patience) -> None:
        module = importlib.import_module(".replica", __package__)
        self._replica: Any = module.Replica(loader, device, limits, patience)

    async def answer(self, letter: Letter) -> Reply:
        """See ``Replica``."""
        reply: Reply = await self._replica.answer(letter)
        return reply

    def check_health(self) -> None:
        """Raise an error if Serve has to replace this replica.

        Serve calls this every few seconds, and replaces a replica that does not answer, too.
        """
        self._replica.check()
