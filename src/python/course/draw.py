"""Numbers for one student and one exercise, the same on every machine and in every version of Python."""
import hashlib
import hmac

# Anyone can draw the numbers of this key, and check answers to them.
PRACTICE_KEY = hashlib.sha256(b"Articulate: the key of the practice sheet, which is no secret").digest()

# Axes whose direction cosines are fractions: (x, y, z, length).
AXES = [(1, 2, 2, 3), (2, 3, 6, 7), (1, 4, 8, 9), (4, 4, 7, 9), (2, 6, 9, 11), (6, 6, 7, 11)]


def seed(key, student, exercise):
    """32 bytes that no one can compute without the key."""
    return hmac.new(key, f"{student}/{exercise}".encode("utf-8"), hashlib.sha256).digest()


def course(key):
    """A name for the key, from which no one finds it: sheets bear it, so that no answer is held against other numbers."""
    return "practice" if key == PRACTICE_KEY else hmac.new(key, b"course", hashlib.sha256).hexdigest()[:8]


class Source:
    """A stream of numbers with few digits: SHA-256 of the seed and a counter."""

    def __init__(self, seed_of_32_bytes):
        self.seed, self.counter = seed_of_32_bytes, 0

    def below(self, n):
        """A whole number from 0 to n - 1."""
        block = hashlib.sha256(self.seed + self.counter.to_bytes(8, "big")).digest()
        self.counter += 1
        return int.from_bytes(block[:16], "big") * n >> 128

    def integer(self, low, high):
        """A whole number, both ends included."""
        return low + self.below(high - low + 1)

    def number(self, low, high, digits=2):
        """A number with so many digits after the point, both ends included: what is printed is what is meant."""
        first, last = round(low * 10**digits), round(high * 10**digits)
        return self.integer(first, last) / 10**digits  # correctly rounded, as a decimal that is read

    def signed(self, low, high, digits=2):
        """A number whose magnitude lies between the two, with either sign."""
        return self.choice([1, -1]) * self.number(low, high, digits)

    def vector(self, low, high, digits=2, length=3):
        """Components whose magnitudes lie between the two and differ, so that no two can be confused."""
        while True:
            drawn = [self.signed(low, high, digits) for _ in range(length)]
            if len({abs(x) for x in drawn}) == length:
                return drawn

    def choice(self, things):
        return things[self.below(len(things))]

    def shuffled(self, things):
        """The same things in another order."""
        left, drawn = list(things), []
        while left:
            drawn.append(left.pop(self.below(len(left))))
        return drawn

    def axis(self):
        """Three whole numbers with signs, and the length of the vector that they make: a whole number too."""
        *components, length = self.choice(AXES)
        return [self.choice([1, -1]) * x for x in self.shuffled(components)], length
