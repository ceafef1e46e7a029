/**
 * Slows down those who guess the credentials of API clients: counts wrong ones by network address and client ID together, so that no
 * stranger at another address can lock a client out.
 *
 * The counts are in memory, because a write for each wrong request would give strangers a way to load the store. The workers of one
 * server tell each other every change. The number of counts is bounded; those that changed last are kept.
 */
import { LRUCache } from 'lru-cache';
import { tooManyAttempts } from '../base/errors.ts';
import { networkOf } from '../base/network-of.ts';

/** What attempts are counted under. */
export interface CredentialAttempt {
  /** Absent for API keys, which are sent without an ID. */
  readonly clientId?: string;
  /** The network address of the sender, if known. */
  readonly address: string | undefined;
}

/** A change of a count: one more wrong attempt, or the first right one after wrong ones. */
export interface AttemptChange {
  readonly name: string;
  readonly isWrong: boolean;
}

/** The wrong credentials of a process. */
export interface WrongCredentials {
  /** Errors: too_many_attempts while attempts with this ID from this network must wait, whether right or wrong. */
  assertMayTry(attempt: CredentialAttempt): void;
  /** Counts a wrong attempt. */
  wrong(attempt: CredentialAttempt): void;
  /** Forgets the wrong attempts before a right one. */
  right(attempt: CredentialAttempt): void;
  /** Applies a change in another process. */
  apply(change: AttemptChange): void;
  /** Calls `listener` with each change in this process. */
  onChange(listener: (change: AttemptChange) => void): void;
}

interface Count {
  wrong: number;
  lastAtMs: number;
}

/** How many attempts may be wrong before the next one has to wait. */
export const freeAttempts = 20;
/** How long the first attempt beyond the limit must wait; each further wrong one doubles the time. */
const firstWaitMs = 1_000;
const longestWaitMs = 60_000;
/** How long after the last wrong attempt a count is forgotten. */
const memoryMs = 15 * 60_000;
const maxCounts = 10_000;

/** Creates the counts. `now` is a monotonic clock in milliseconds. */
export function createWrongCredentials(now: () => number = () => performance.now()): WrongCredentials {
  const counts = new LRUCache<string, Count>({ max: maxCounts });
  let report: (change: AttemptChange) => void = () => {};

  function find(name: string): Count | undefined {
    const count = counts.get(name);
    if (!count || now() - count.lastAtMs < memoryMs) return count;
    counts.delete(name);
    return undefined;
  }

  function apply({ name, isWrong }: AttemptChange): void {
    if (isWrong) counts.set(name, { wrong: (find(name)?.wrong ?? 0) + 1, lastAtMs: now() });
    else counts.delete(name);
  }

  function change(name: string, isWrong: boolean): void {
    apply({ name, isWrong });
    report({ name, isWrong });
  }

  return {
    assertMayTry(attempt) {
      if (counts.size === 0) return;
      const count = find(nameOf(attempt));
      if (!count) return;
      const waitMs = waitAfter(count) - (now() - count.lastAtMs);
      if (waitMs > 0) throw tooManyAttempts(Math.ceil(waitMs / 1000), 'attempts with wrong credentials');
    },
    wrong: (attempt) => change(nameOf(attempt), true),
    right(attempt) {
      if (counts.size === 0) return;
      const name = nameOf(attempt);
      if (counts.has(name)) change(name, false);
    },
    apply,
    onChange(listener) {
      report = listener;
    },
  };
}

/** Returns how long the next attempt has to wait, in milliseconds from the last one. */
function waitAfter({ wrong }: Count): number {
  return wrong < freeAttempts ? 0 : Math.min(firstWaitMs * 2 ** (wrong - freeAttempts), longestWaitMs);
}

/** Names the count of an attempt; a network has no blanks. */
const nameOf = ({ clientId, address }: CredentialAttempt) =>
  `${address === undefined ? '' : networkOf(address)}${clientId === undefined ? '' : ` ${clientId}`}`;
