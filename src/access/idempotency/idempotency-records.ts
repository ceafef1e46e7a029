/**
 * Idempotency records: one for each key of an owner. A record holds the response, or until then names the run with the lease.
 */

import {
  idempotencyKeyReused,
  isDomainError,
  notFound,
  rateLimited,
  unlessError,
} from '../../base/errors.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { type LeaseWatch, takenOverQuietMs } from './request-lease.ts';

/** How long a response is kept. */
export const keptMs = 24 * 60 * 60 * 1000;

/** How many expired records each new request deletes. */
const maxForgotten = 20;

/** The records whose responses are erased together. */
const erasedAtOnce = 100;

const typeName = 'com.colophon.system.KeyedRequest';

/** The request that claims a record. */
interface Claimant {
  readonly key: string;
  readonly fingerprint: string;
}

interface NewRecord {
  readonly id: string;
  readonly holder: string;
  readonly fingerprint: string;
}

/** A record whose lease this process holds, under the name `holder`. */
export interface HeldRecord {
  readonly stored: StoredAsset;
  readonly holder: string;
  /** Whether earlier runs may have written something. */
  readonly run: 'first' | 'repeat';
}

/** The result of claiming a record: the kept response, the lease, or `taken` when another run holds the lease. */
type Claim =
  | { readonly kind: 'completed'; readonly response: Json }
  | { readonly kind: 'taken' }
  | ({ readonly kind: 'held' } & HeldRecord);

const taken: Claim = { kind: 'taken' };

/** Idempotency records in the system's content service. */
export type IdempotencyRecords = ReturnType<typeof createIdempotencyRecords>;

export function createIdempotencyRecords({
  system,
  clock,
  ids,
}: {
  system: ContentService;
  clock: Clock;
  ids: IdSource;
}) {
  /**
   * Acquires the lease of a request, unless it is answered or another run holds it. `watch` finds out whether the run that holds
   * it has ended without releasing it: how long that run has been quiet is added up in the record, as `request-lease.ts` describes.
   * `assertNew` is called before a key is reserved. Errors:
   * idempotency_key_reused; not_found when an asset in the response was erased; those of `assertNew`; the store's.
   */
  async function claim(
    { id, request }: { id: string; request: Claimant },
    watch: LeaseWatch,
    assertNew: () => void,
  ): Promise<Claim> {
    const holder = ids.version();
    const present = await find(id);
    if (!present || isExpired(present)) {
      if (present) await forget(present);
      assertNew();
      return reserve({ id, holder, fingerprint: request.fingerprint });
    }
    const { asset, version } = present;
    if (asset.fingerprint !== request.fingerprint) throw idempotencyKeyReused(request.key);
    if (asset.answer !== undefined) return { kind: 'completed', response: asset.answer };
    // The request has written once, and must not write again.
    if (Array.isArray(asset.assets)) throw notFound(String(asset.assets[0]));
    // A record without a holder is from a run that failed.
    if (asset.holder !== undefined) {
      const quiet = watch.look({ version, keptMs: Number(asset.quietMs ?? 0) });
      if (!quiet.isAbandoned) {
        const kept = quiet.isToKeep && (await change(present, { quietMs: Math.floor(quiet.quietMs) }));
        if (kept) watch.noteKept(kept.version);
        return taken;
      }
    }
    const quietMs = asset.holder === undefined ? null : takenOverQuietMs;
    const stored = await change(present, { holder, quietMs });
    return stored ? { kind: 'held', stored, holder, run: 'repeat' } : taken;
  }

  /** Changes a record; returns `undefined` if others have changed or deleted it. */
  async function change(
    { asset: { _id: id }, version }: StoredAsset,
    body: JsonObject,
  ): Promise<StoredAsset | undefined> {
    return unlessError(
      system.update({ id, body, ifVersions: [version] }, {}),
      'precondition_failed',
      'not_found',
    );
  }

  async function reserve({ id, holder, fingerprint }: NewRecord): Promise<Claim> {
    await forgetExpired();
    const reservedAt = clock.nowMs();
    const record = {
      _id: id,
      _type: typeName,
      fingerprint,
      seed: ids.secret(),
      reservedAt,
      expiresAt: reservedAt + keptMs,
      holder,
    };
    try {
      return { kind: 'held', stored: await system.create(record, {}), holder, run: 'first' };
    } catch (error) {
      // Another process was first.
      if (isDomainError(error, 'id_in_use')) return taken;
      throw error;
    }
  }

  async function find(id: string): Promise<StoredAsset | undefined> {
    return unlessError(system.get(id, {}), 'not_found');
  }

  const isExpired = ({ asset }: StoredAsset) => Number(asset.expiresAt) <= clock.nowMs();

  /** Deletes a record. Another process may have deleted it, and may have reserved the key again. */
  async function forget({ asset, version }: StoredAsset): Promise<void> {
    const deletion = { id: asset._id, ifVersions: [version] };
    await unlessError(system.delete(deletion, {}), 'not_found', 'precondition_failed');
  }

  /** Deletes the oldest expired records, a few for each new request, so that they do not pile up. */
  async function forgetExpired(): Promise<void> {
    const { items } = await system.find(
      {
        from: typeName,
        where: 'expiresAt <= ?',
        values: [clock.nowMs()],
        // The order of the index, so that the search is quick however many there are.
        sort: [{ field: 'expiresAt', descending: false }],
        offset: 0,
        limit: maxForgotten,
        withCount: false,
      },
      {},
    );
    await Promise.all(items.map(forget));
  }

  /** Removes the responses that contain an asset from their records. Errors: the store's. */
  async function eraseResponses(assetId: string): Promise<void> {
    // By `_id`, because others may delete expired records between two pages.
    for (let last = ''; ; ) {
      const { items } = await system.find(
        {
          from: typeName,
          where: 'assets = ? and _id > ?',
          values: [assetId, last],
          offset: 0,
          limit: erasedAtOnce,
          withCount: false,
        },
        {},
      );
      await Promise.all(items.map(({ asset }) => eraseResponse(asset._id)));
      if (items.length < erasedAtOnce) return;
      last = items.at(-1)?.asset._id ?? last;
    }
  }

  /** Removes the response of a record, which another process may have deleted. */
  async function eraseResponse(id: string): Promise<void> {
    await unlessError(system.update({ id, body: { answer: null } }, {}), 'not_found');
  }

  return { claim, eraseResponses };
}

/** Returns the ID of a record: a version 8 UUID, made from the hash of owner and key. */
export function toRecordId({ owner, key }: { owner: string; key: string }): string {
  return toHashedUuid(JSON.stringify([owner, key]));
}

// Bounds the responses that are kept for each sender of idempotent requests. A sender at its bound is refused, because no kept response is
// removed before its time.
//
// Each process counts by itself, since its start. The count is by hours, so that its memory does not grow with the requests.

/** How many bytes of responses are kept for each sender. */
const maxBytes = 1_073_741_824;
const hourMs = 60 * 60 * 1000;
const hours = keptMs / hourMs + 1;

/** Counts the bytes of the kept responses of each sender. */
export type ResponseQuota = ReturnType<typeof createResponseQuota>;

/** Starts at nothing; `limit` is in bytes for each sender. */
export function createResponseQuota(clock: Clock, limit = maxBytes) {
  /** The bytes of each hour, by the number of the hour. */
  const byOwner = new Map<string, Map<number, number>>();
  const hourOf = () => Math.floor(clock.nowMs() / hourMs);

  function recentOf(owner: string): Map<number, number> {
    const known = byOwner.get(owner) ?? new Map<number, number>();
    const first = hourOf() - hours;
    for (const hour of known.keys()) if (hour <= first) known.delete(hour);
    byOwner.set(owner, known);
    return known;
  }

  return {
    /** Errors: rate_limited, until the oldest responses of the sender expire. */
    assertRoom(owner: string) {
      const recent = recentOf(owner);
      const bytes = recent.values().reduce((sum, one) => sum + one, 0);
      const [oldest] = recent.keys();
      if (bytes < limit || oldest === undefined) return;
      const waitMs = (oldest + hours) * hourMs - clock.nowMs();
      throw rateLimited(Math.ceil(waitMs / 1000), 'The responses kept for this client need too much space');
    },
    add(owner: string, bytes: number) {
      const recent = recentOf(owner);
      recent.set(hourOf(), (recent.get(hourOf()) ?? 0) + bytes);
    },
  };
}
