/**
 * Functions that build Colophon's errors, one for each code, so that each message is defined in one place. The class and the
 * list of codes are in `domain-error.ts`.
 */

import { suggest } from '../text/suggest.ts';
import { DomainError, type ErrorDetails } from './domain-error.ts';
import {
  count,
  describeProblems,
  type EditConflict,
  firstProblems,
  type Kind,
  type Problem,
  type PublicationFinding,
  quote,
  type Referrers,
  type SourceProblem,
  shorten,
} from './problems.ts';

export {
  DomainError,
  type ErrorCode,
  type ErrorDetails,
  isDomainError,
  unlessError,
} from './domain-error.ts';
export { type ErrorLocation, locateError } from './locate-error.ts';
export type { EditConflict, Kind, Problem, PublicationFinding, SourceProblem } from './problems.ts';
export {
  damagedFile,
  damagedStore,
  isDamagedFile,
  isDamagedStore,
  isStoreError,
  storeBusy,
  storeFailure,
  storeFull,
  storeGone,
} from './store-errors.ts';

export const invalidJson = (reason: string) =>
  new DomainError('invalid_json', `The body is not valid JSON: ${reason}`, { reason });

export const invalidBody = (problems: readonly Problem[]) =>
  new DomainError('invalid_body', describeProblems(problems), { problems: firstProblems(problems) });

/** A body that is none of the `accepted` media types; without any, one whose bytes are not those that are sent. */
export const unsupportedMediaType = (
  received: string | undefined,
  accepted: readonly string[] = ['application/json'],
) =>
  new DomainError(
    'unsupported_media_type',
    `The body must be ${accepted.length > 0 ? `${accepted.join(' or ')} in UTF-8` : 'sent as it is'}, not ${received === undefined ? 'of no stated type' : quote(received)}`,
    { received, accepted },
  );

export const unauthorized = (reason: string) => new DomainError('unauthorized', reason, { reason });

export const forbidden = (reason: string) => new DomainError('forbidden', reason, { reason });

export const notFound = (id: string, kind: Kind = 'asset') =>
  new DomainError('not_found', `There is no ${kind} ${quote(id)}`, { id });

export const routeNotFound = (url: string) =>
  new DomainError('route_not_found', `Nothing is served at ${quote(url)}`, { url });

export const methodNotAllowed = (
  method: string,
  allowed: readonly string[],
  patchTypes?: readonly string[],
) =>
  new DomainError('method_not_allowed', `${method} is not allowed here; allowed: ${allowed.join(', ')}`, {
    method,
    allowed,
    ...(patchTypes && { patchTypes }),
  });

export const invalidParameter = (parameter: string, reason: string, at?: readonly (string | number)[]) =>
  new DomainError('invalid_parameter', `${quote(parameter)} ${reason}`, {
    parameter: shorten(parameter),
    reason,
    ...(at && { at }),
  });

/** `path` is the name of the parameter or member that names the type; `known` are the class names that there are. */
export const unknownType = (type: string, path: string, known: Iterable<string>) =>
  new DomainError('unknown_type', `There is no content type ${quote(type)}${suggest([type], known)}`, {
    type,
    path,
  });

/** `hint` ends the message. */
export const unknownField = (path: string, type: string, hint: string) =>
  new DomainError('unknown_field', `${type} has no field ${quote(path)}${hint}`, { path, type });

/** `column` counts the predicate's characters from 1. */
export const predicateSyntax = (column: number, expected: string, found: string) =>
  new DomainError('predicate_syntax', `Column ${column}: expected ${expected}, found ${found}`, {
    column,
    expected,
  });

/** `column` counts the predicate's characters from 1; `value` is the index of the wrong value among those of the placeholders. */
export const predicateType = (column: number, expected: string, value?: number) =>
  new DomainError('predicate_type', `Column ${column}: ${expected}`, {
    column,
    expected,
    ...(value !== undefined && { value }),
  });

export const valuesMismatch = (placeholders: number, values: number) =>
  new DomainError(
    'values_mismatch',
    `The predicate has ${count(placeholders, 'placeholder')}, but the request has ${count(values, 'value')}`,
    { placeholders, values },
  );

/** A cursor that another query has returned, or the same one for a client restricted to other sites. `parts` are those of the query. */
export const cursorMismatch = (parts: string) => {
  const message = `The cursor belongs to another query: send it with the same ${parts}, and as the same client`;
  return new DomainError('cursor_mismatch', message, {});
};

/** A cursor of a feed that cannot be continued; `reason` completes "The cursor …". */
export const cursorExpired = (reason: string) => {
  const advice = 'begin again without a cursor, and drop what the snapshot does not contain';
  return new DomainError('cursor_expired', `The cursor ${reason}: ${advice}`, { reason });
};

export const idInUse = (id: string) =>
  new DomainError('id_in_use', `An asset ${quote(id)} already exists`, { id });

export const preconditionFailed = (id: string) =>
  new DomainError('precondition_failed', `${quote(id)} has changed in the meantime`, {
    id,
  });

/** An operation `test` of a JSON Patch that the asset does not meet; `index` counts the operations from 0. */
export const testFailed = (index: number) =>
  new DomainError('test_failed', `The asset does not have the value that operation [${index}] tests`, {
    path: `[${index}]`,
  });

/** Fields that others have changed since the version that an update is based on, and that the update changes to other values. */
export const editConflict = (id: string, conflicts: readonly EditConflict[]) =>
  new DomainError(
    'edit_conflict',
    `Others have changed ${count(conflicts.length, 'field')} of ${quote(id)} that this update changes, too`,
    { id, conflicts: firstProblems(conflicts) },
  );

/** A deletion of what others refer to by fields with `@onDelete(action: RESTRICT)`; without `referrers`, as a store finds it. */
export const referenced = (id: string, found: ErrorDetails['referenced']['found'], referrers?: Referrers) =>
  new DomainError(
    'referenced',
    `${quote(id)} is referred to by ${describeReferrers(referrers ?? { count: found.length, items: [] })}: remove these references first`,
    { id, found, ...(referrers && { referrers }) },
  );

const describeReferrers = ({ count: number, others }: Referrers) =>
  [...(number > 0 ? [count(number, 'asset')] : []), ...(others ? ['assets that you may not see'] : [])].join(
    ' and ',
  ) || 'assets of the same request';

export const runForeign = (run: string) =>
  new DomainError('run_foreign', `The run ${quote(run)} belongs to another client`, { run });

export const runClosed = (run: string) =>
  new DomainError('run_closed', `The run ${quote(run)} is closed; use another name`, { run });

export const runIrreversible = (run: string) =>
  new DomainError('run_irreversible', `The run ${quote(run)} cannot be reverted: it has erased assets`, {
    run,
  });

/** `why` says what the run is busy with. */
export const runActive = (run: string, why = 'has written within the last minute') =>
  new DomainError('run_active', `The run ${quote(run)} ${why}`, { run });

/** A past state of an asset that there never was: a version it did not have, or a time when it did not exist. */
export const stateNotFound = (id: string) => notFound(id, 'such past state of the asset');

/** A past state that the change log does not have, any more or at all. */
export const historyRemoved = (id: string) =>
  new DomainError('history_removed', `The history of ${quote(id)} does not go back that far`, { id });

/** A function that this installation does not have; `reason` says why. */
export const notSupported = (reason: string) => new DomainError('not_supported', reason, { reason });

export const idempotencyKeyReused = (key: string) =>
  new DomainError('idempotency_key_reused', 'The Idempotency-Key was used for another request', { key });

export const atomicUnsupported = () =>
  new DomainError('atomic_unsupported', 'This store has no transactions, so a batch cannot be atomic', {});

/** A query that would read too many assets; `path` is one of its field paths without an index, and absent when all have one. */
export const queryTooCostly = (path?: string) =>
  new DomainError(
    'query_too_costly',
    `The query is too costly: ${path === undefined ? 'it has to look at too many assets' : `no index of ${quote(path)} can be used for it`}`,
    path === undefined ? {} : { path },
  );

/** `what` names the record that cannot be deleted, such as `GraphQL endpoint "delivery"`; `users` name the records that use it. */
export const inUse = (what: string, { id, users }: ErrorDetails['in_use']) =>
  new DomainError('in_use', `${what} is used by ${users.map(quote).join(', ')}`, { id, users });

/** A query that exceeds a limit; `limit` names it, such as `depth`. */
export const limitExceeded = (limit: string, { max, actual }: { max: number; actual: number }) =>
  new DomainError('limit_exceeded', `The query's ${limit} is ${actual}; the limit is ${max}`, {
    limit,
    max,
    actual,
  });

/** A response beyond the size limit; `written` names the fields of a mutation whose writes are already done. */
export const responseTooLarge = ({ maxAnswerBytes, written }: ErrorDetails['answer_too_large']) =>
  new DomainError(
    'answer_too_large',
    `The response would be larger than ${maxAnswerBytes} bytes: ask for fewer assets or fields at once${written ? `. These fields of the mutation were executed, and their writes stay: ${written.map(quote).join(', ')}` : ''}`,
    { maxAnswerBytes, ...(written && { written }) },
  );

/** A published mapping whose query no longer fits the content types. */
export const brokenMapping = (mapping: string) =>
  new DomainError(
    'broken_mapping',
    `The route ${quote(mapping)} is broken: its query no longer fits the content types`,
    { mapping },
  );

export const badTypes = (problems: readonly SourceProblem[]) =>
  new DomainError(
    'bad_types',
    problems.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`).join('\n'),
    { problems },
  );

export const badConfig = (problems: readonly Problem[]) =>
  new DomainError('bad_config', describeProblems(problems), { problems });

/** A failed check; the command that ran it has already printed the details. */
export const checkFailed = (reason: string) => new DomainError('check_failed', reason, { reason });

/** A client package that a command could not generate. */
export const cannotGenerate = (reason: string) =>
  new DomainError('cannot_generate', `The client was not generated: ${reason}`, { reason });

/** An import or export that failed or is incomplete; assets already written stay. */
export const transferFailed = (reason: string, cause?: unknown) =>
  new DomainError('transfer_failed', reason, { reason }, { cause });

export const usage = (reason: string) => new DomainError('usage', reason, { reason });

/** `problems` are all those of the body's files, one at least that the file was not uploaded. */
export const missingFile = (problems: readonly Problem[]) =>
  new DomainError('missing_file', describeProblems(problems), { problems: firstProblems(problems) });

/** A release whose drafts cannot go live. `findings` has one at least. */
export const publicationRefused = (release: string, findings: readonly PublicationFinding[]) => {
  const assets = new Set(findings.map(({ asset }) => asset)).size;
  return new DomainError(
    'publication_refused',
    `${count(assets, 'draft')} of the release ${quote(release)} cannot be published, so none was`,
    { findings },
  );
};

/** A unique value that another asset has. */
export const valueInUse = (field: string, value: string) =>
  takenValue(`${quote(value)} is already in use: ${quote(field)} is unique`, { field, value });

/** A unique value at `path` that leads to no single asset: several assets of a release have it. */
export const ambiguousValue = ({ path, field, value }: { path: string; field: string; value: string }) =>
  takenValue(
    `${quote(value)} is the ${quote(field)} of several assets of the release, so it names none of them`,
    {
      field: path,
      value,
      reason: 'names several assets of the release',
    },
  );

const takenValue = (message: string, details: { field: string; value: string; reason?: string }) =>
  new DomainError('value_in_use', message, details);

/** A change after which no user could administer the installation without an OpenID Connect provider. */
export const lastAdmin = (email: string) =>
  new DomainError(
    'last_admin',
    `${quote(email)} is the last user with the role admin who can sign in with a password: give another such user this role first`,
    { email },
  );

export const userDisabled = (email: string) =>
  new DomainError('user_disabled', `${quote(email)} is disabled: enable the user first`, { email });

/** A link that was used, replaced or withdrawn, has expired, or never existed. */
export const invitationEnded = () =>
  new DomainError(
    'invitation_ended',
    'This invitation is not valid: it has been used, replaced or withdrawn, or has expired. Ask an administrator for a new link',
    {},
  );

/** What cannot be done with a user who signs in by OpenID Connect; `why` says what the provider has instead. */
export const openidUser = (email: string, why: string) =>
  new DomainError('openid_user', `${quote(email)} signs in by OpenID Connect: ${why}`, { email });

/** `reason` says what the provider did; it has no secret, since the person who signs in reads it. */
export const providerFailed = (reason: string, cause?: unknown) =>
  new DomainError('provider_failed', `The OpenID Connect provider failed: ${reason}`, { reason }, { cause });

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
