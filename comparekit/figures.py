"""A number, or the reason there is none: undefined is never zero and never NaN."""

from dataclasses import dataclass

NO_TOPIC = "no comparable topic"
ONE_TOPIC = "1 topic"
NO_DIFFERENCE = "no difference to test"
NO_SPREAD = "the differences do not vary"


@dataclass(frozen=True, slots=True)
class Figure:
    """A number, or the reason there is none."""

    value: float | None
    reason: str = ""

    def text(self, form: str = "+.3f") -> str:
        """The number in a format of Python's, never as minus zero, or `n/a (reason)`."""
        return f"n/a ({self.reason})" if self.value is None else signed(self.value, form)


def signed(value: float, form: str = "+.3f") -> str:
    """A number in a format of Python's; what rounds to zero is written without a sign."""
    text = format(value, form)
    return text if any(digit in text for digit in "123456789") else text.lstrip("+-")


def too_few(topics: int) -> str:
    """Why fewer than two topics are not enough."""
    return ONE_TOPIC if topics else NO_TOPIC
