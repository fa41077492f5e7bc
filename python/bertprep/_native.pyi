# The module of C++: its functions are for the package, which describes them.
from typing import Any

def __getattr__(name: str) -> Any: ...
