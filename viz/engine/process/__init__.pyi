from .patience import Patience
from .process_engine import ProcessEngine
from .settings import patience_from, processes_from

__all__ = ["Patience", "ProcessEngine", "patience_from", "processes_from"]
