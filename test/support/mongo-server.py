"""Starts the test server of MongoDB as its command does, with bounds on what it looks through at each statement.

It keeps the transactions of ended sessions for ever, and the outcomes of 10,000 retryable writes, all of which it visits for each write. In a
run of all tests that takes more processor time than the writes. A driver repeats a write at once or not at all.
"""

import sys

from secantus import transactions
from secantus.cli import main

transactions._RETRYABLE_RECORD_MAX = 200

abort_for_session = transactions.TransactionRegistry.abort_for_session


def forget_session(registry, session):
    """Ends a session: aborts its transaction, and forgets it."""
    abort_for_session(registry, session)
    with registry._lock:
        registry._txns.pop(session, None)
        registry._last_number.pop(session, None)


transactions.TransactionRegistry.abort_for_session = forget_session

if __name__ == "__main__":
    sys.exit(main())
