"""Progress as bars of tqdm; without tqdm, none."""


class ProgressBars:
    def __init__(self):
        try:
            from tqdm.auto import tqdm
        except ImportError:
            tqdm = None
        self._tqdm, self._bar = tqdm, None

    def __call__(self, event):
        if self._tqdm is None:
            return
        if event.kind == "begin":
            self._bar = self._tqdm(total=event.total or None, unit=f" {event.unit}", desc=event.stage)
        elif event.kind in ("note", "rejected", "remark"):
            self._tqdm.write(f"{event.where}: {event.text}" if event.where else event.text)
        elif self._bar is not None:
            self._bar.update(event.done - self._bar.n)
            if event.kind == "end":
                self._bar.close()
                self._bar = None
