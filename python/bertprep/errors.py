"""The exceptions of bertprep. Each message says what is wrong, where, and what to do."""

import re


class Error(Exception):
    """The base of all: `where` is the file, line or row, `hint` what to do; either may be empty."""

    where = ""
    hint = ""

    @classmethod
    def _of(cls, text, where, hint):
        error = cls(_in_python(text))
        error.where, error.hint = where, _in_python(hint)
        return error


class IoError(Error, OSError):
    """The operating system or a server refused: a full disk, no permission."""


class MissingError(IoError, FileNotFoundError):
    """A file or folder does not exist."""


class OfflineError(IoError):
    """With offline=True: something would have to be downloaded. Nothing was written."""


class FormatError(Error, ValueError):
    """The data can't be used: it breaks the rules of its format, or there is too little of it."""


class ConfigError(Error, ValueError):
    """An option is invalid, whatever the data."""


class Cancelled(Error):
    """The call was stopped. The same call resumes."""


_SWITCH = re.compile(r"`([a-z_]+)` (true|false)\b")


def _in_python(text):
    """Messages name options in backticks: `lower_case` false. Here lower_case=False, and `for` is trainer."""
    text = _SWITCH.sub(lambda match: f"{match[1]}={match[2].title()}", text)
    return text.replace("`for`", "trainer").replace("`", "")
