/**
 * Requests that may be sent again: the same key gives the same answer, and nothing is done twice.
 *
 * Before anything is written, the names of all that will be are reserved under the key. When a process ends between a write
 * and its answer, the request that comes again runs again, and meets what it has written by those names. An answer is kept
 * for 24 hours, in the same store.
 */
import { hash } from 'node:crypto';
import { idempotencyKeyReused, isDomainError } from '../base/errors.ts';
import type { Clock, IdSource, Logger } from '../base/runtime.ts';
import type { ContentService } from '../content/content-service.ts';
import { type ReservedNames, reserveNames } from '../content/names.ts';
import type { Asset, Json } from '../model/content-type.ts';

/** A request with its key. */
export interface KeyedRequest<Answer extends Json = Json> {
  /** Of its sender's choice. */
  readonly key: string;
  /** Whose key it is: those of different owners have nothing to do with each other. */
  readonly owner: string;
  /** A text that is the same for the same request; see `fingerprintOf`. */
  readonly fingerprint: string;
  /** Whether an answer is the last word; absent means that every one is. After one that is not, the request may be run again. */
  readonly isFinal?: (answer: Answer) => boolean;
}

/** An answer, and whether it is that of an earlier run. */
export interface KeyedAnswer<Answer extends Json> {
  readonly answer: Answer;
  readonly isReplayed: boolean;
}

/** The requests that may be sent again. */
export interface KeyedRequests {
  /**
   * Runs `work` unless the request has been answered already; `work` must give the names reserved to all that it writes.
   *
   * What `work` resolves with is kept, if it is final, and answered again; when it rejects, the request may be run again.
   * Errors: idempotency_key_reused; those of `work`, store_busy, store_failure.
   */
  run<Answer extends Json>(
    request: KeyedRequest<Answer>,
    work: (reserved: ReservedNames) => Promise<Answer>,
  ): Promise<KeyedAnswer<Answer>>;
}

/** How long an answer is kept. */
export const keptMs = 24 * 60 * 60 * 1000;

/** How many expired records go with each request. */
const maxForgotten = 20;

type Stored = Awaited<ReturnType<ContentService['get']>>;

const typeName = 'com.colophon.system.KeyedRequest';

/** A text that is the same for the same operation with the same body. */
export const fingerprintOf = (operation: string, body: Json) =>
  hash('sha256', `${operation} ${JSON.stringify(body)}`, 'hex');

/** Keeps keyed requests in the system's content service. */
export function createKeyedRequests({
  system,
  clock,
  ids,
  logger,
}: {
  system: ContentService;
  clock: Clock;
  ids: IdSource;
  logger: Logger;
}): KeyedRequests {
  /** Of each key the latest run in this process. */
  const underWay = new Map<string, Promise<unknown>>();

  async function run<Answer extends Json>(
    request: KeyedRequest<Answer>,
    work: (reserved: ReservedNames) => Promise<Answer>,
  ): Promise<KeyedAnswer<Answer>> {
    const id = toRecordId(request);
    const running = (underWay.get(id) ?? Promise.resolve()).then(() => runNow(id, request, work));
    const ended = running.then(
      () => undefined,
      () => undefined,
    );
    underWay.set(id, ended);
    try {
      return await running;
    } finally {
      if (underWay.get(id) === ended) underWay.delete(id);
    }
  }

  async function runNow<Answer extends Json>(
    id: string,
    request: KeyedRequest<Answer>,
    work: (reserved: ReservedNames) => Promise<Answer>,
  ): Promise<KeyedAnswer<Answer>> {
    const { record, isNew } = await reserve(id, request);
    if (record.fingerprint !== request.fingerprint) throw idempotencyKeyReused(request.key);
    // It was kept as what `work` gave for the same request.
    if (record.answer !== undefined) return { answer: record.answer as Answer, isReplayed: true };
    const seed = { seed: String(record.seed), reservedAtMs: Number(record.reservedAt) };
    const answer = await work(reserveNames({ ...seed, run: isNew ? 'first' : 'repeat' }, ids));
    if (request.isFinal?.(answer) ?? true) await keep(id, answer);
    return { answer, isReplayed: false };
  }

  /** The record of a request: its own, or the one that is there. */
  async function reserve(
    id: string,
    { fingerprint }: Pick<KeyedRequest, 'fingerprint'>,
  ): Promise<{ record: Asset; isNew: boolean }> {
    const present = await find(id);
    if (present && !isExpired(present)) return { record: present.asset, isNew: false };
    if (present) await forget(present);
    await forgetExpired();
    const reservedAt = clock.nowMs();
    const record = {
      _id: id,
      _type: typeName,
      fingerprint,
      seed: ids.secret(),
      reservedAt,
      expiresAt: reservedAt + keptMs,
    };
    try {
      return { record: (await system.create(record, {})).asset, isNew: true };
    } catch (error) {
      const other = isDomainError(error, 'id_in_use') && (await find(id));
      // Another process was quicker.
      if (other) return { record: other.asset, isNew: false };
      throw error;
    }
  }

  async function find(id: string): Promise<Stored | undefined> {
    try {
      return await system.get(id, {});
    } catch (error) {
      if (isDomainError(error, 'not_found')) return undefined;
      throw error;
    }
  }

  /** What is done is done: without its answer, the request that comes again meets what it has written. */
  async function keep(id: string, answer: Json): Promise<void> {
    try {
      await system.update({ id, body: { answer } }, {});
    } catch (error) {
      logger.warn({ err: error }, 'the answer to a keyed request was not kept');
    }
  }

  const isExpired = ({ asset }: Stored) => Number(asset.expiresAt) <= clock.nowMs();

  /** Another process may have done so, and may have reserved the key anew. */
  async function forget({ asset, version }: Stored): Promise<void> {
    try {
      await system.delete({ id: asset._id, ifVersions: [version] }, {});
    } catch (error) {
      if (!isDomainError(error, 'not_found') && !isDomainError(error, 'precondition_failed')) throw error;
    }
  }

  /** The oldest ones, a few at a time: each request leaves one record, so they do not pile up. */
  async function forgetExpired(): Promise<void> {
    const { items } = await system.find(
      {
        from: typeName,
        where: 'expiresAt <= ?',
        values: [clock.nowMs()],
        // As the index has them, however many there are.
        sort: [{ field: 'expiresAt', descending: false }],
        offset: 0,
        limit: maxForgotten,
        withCount: false,
      },
      {},
    );
    const found = await Promise.all(items.map(({ _id }) => find(_id)));
    await Promise.all(found.map((stored) => stored && isExpired(stored) && forget(stored)));
  }

  return { run };
}

/** The same for the same key of the same owner: a UUID of their hash, version 8. */
function toRecordId({ owner, key }: Pick<KeyedRequest, 'owner' | 'key'>): string {
  const digits = hash('sha256', JSON.stringify([owner, key]), 'hex');
  const [a, b, c, d, e] = [0, 8, 13, 17, 20].map((start, n) =>
    digits.slice(start, start + ([8, 4, 3, 3, 12][n] ?? 0)),
  );
  return `${a}-${b}-8${c}-a${d}-${e}`;
}
