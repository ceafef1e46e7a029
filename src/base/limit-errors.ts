/**
 * Functions that build the errors of limits, of time, number and size.
 */
import { DomainError, type ErrorDetails } from './domain-error.ts';
import { count, quote } from './problems.ts';

export const tooManyAttempts = (retryAfterSeconds: number, attempts = 'attempts to sign in') =>
  new DomainError(
    'too_many_attempts',
    `There were too many ${attempts}; try again in ${count(retryAfterSeconds, 'second')}`,
    { retryAfterSeconds },
  );

/** A release whose drafts would be more, or larger, than it may have. */
export const releaseFull = (release: string, { drafts, bytes }: { drafts: number; bytes: number }) =>
  new DomainError(
    'release_full',
    `The release ${quote(release)} would have more than ${count(drafts, 'draft')} or ${bytes / 1_048_576} MiB`,
    { release, drafts, bytes },
  );

export const rateLimited = (
  retryAfterSeconds: number,
  reason = 'These credentials or this address have caused too much work',
) =>
  new DomainError('rate_limited', `${reason}; try again in ${count(retryAfterSeconds, 'second')}`, {
    retryAfterSeconds,
  });

export const tooManyRequests = () =>
  new DomainError('too_many_requests', 'Too many requests are running', {});

/** A process checks one change of content types at a time. */
export const checkRunning = () =>
  new DomainError(
    'check_running',
    'Another change of content types is being checked; try again when that has ended',
    {},
  );

/** A batch that has used up what it may write, or the time that it may have the writer. */
export const batchTooCostly = () =>
  new DomainError(
    'batch_too_costly',
    'The batch writes too much, or takes too long: send it in several parts',
    {},
  );

export const tooManyStreams = (max: number) =>
  new DomainError('too_many_streams', `This client has its limit of ${count(max, 'live feed')} open`, {
    max,
  });

export const bodyTooLarge = (maxBodyBytes: number) =>
  new DomainError('body_too_large', `The body is larger than ${maxBodyBytes} bytes`, { maxBodyBytes });

export const tooManyValues = ({ maxValues, maxMembers }: ErrorDetails['too_many_values']) =>
  new DomainError(
    'too_many_values',
    `The body has more than ${maxValues} JSON values, or an object in it more than ${maxMembers} members`,
    { maxValues, maxMembers },
  );

export const bodyTooSlow = () =>
  new DomainError(
    'body_too_slow',
    'The body arrives too slowly: it has 10 s, and 1 s more for each 64 KiB',
    {},
  );
