/**
 * The records of keyed requests: one for each key, with the answer once there is one, and until then the run that holds its lease.
 */
import { idempotencyKeyReused, isDomainError } from '../../base/errors.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import type { Json } from '../../model/content-type.ts';

/** How long an answer is kept. */
export const keptMs = 24 * 60 * 60 * 1000;

/** How many expired records go with each request. */
const maxForgotten = 20;

const typeName = 'com.colophon.system.KeyedRequest';

/** What a record must say to be that of a request. */
interface Claimant {
  readonly key: string;
  readonly fingerprint: string;
}

interface NewRecord {
  readonly id: string;
  readonly holder: string;
  readonly fingerprint: string;
}

/** A record whose lease is held here by `holder`. */
export interface HeldRecord {
  readonly stored: StoredAsset;
  readonly holder: string;
  /** Whether earlier runs may have written something. */
  readonly run: 'first' | 'repeat';
}

/** What a look at a record came to; `taken` says that another run holds its lease. */
export type Claim =
  | { readonly kind: 'answered'; readonly answer: Json }
  | { readonly kind: 'taken' }
  | ({ readonly kind: 'held' } & HeldRecord);

const taken: Claim = { kind: 'taken' };

/** The records in the system's content service. */
export interface IdempotencyRecords {
  /**
   * Takes the lease of a request, unless it is answered or another run holds it; `isAbandoned` says whether a record with this
   * version has been left by its run. Errors: idempotency_key_reused; the store's.
   */
  claim(
    claimant: { readonly id: string; readonly request: Claimant },
    isAbandoned: (version: string) => boolean,
  ): Promise<Claim>;
}

/** Keeps the records. */
export function createIdempotencyRecords({
  system,
  clock,
  ids,
}: {
  system: ContentService;
  clock: Clock;
  ids: IdSource;
}): IdempotencyRecords {
  async function claim(
    { id, request }: { id: string; request: Claimant },
    isAbandoned: (version: string) => boolean,
  ): Promise<Claim> {
    const holder = ids.version();
    const present = await find(id);
    if (!present || isExpired(present)) {
      if (present) await forget(present);
      return reserve({ id, holder, fingerprint: request.fingerprint });
    }
    const { asset, version } = present;
    if (asset.fingerprint !== request.fingerprint) throw idempotencyKeyReused(request.key);
    if (asset.answer !== undefined) return { kind: 'answered', answer: asset.answer };
    // A record without a holder is of a run that failed, or of a version that knew no leases.
    if (asset.holder !== undefined && !isAbandoned(version)) return { kind: 'taken' };
    try {
      const stored = await system.update({ id, body: { holder }, ifVersions: [version] }, {});
      return { kind: 'held', stored, holder, run: 'repeat' };
    } catch (error) {
      if (isDomainError(error, 'precondition_failed') || isDomainError(error, 'not_found')) return taken;
      throw error;
    }
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
      // Another process was quicker.
      if (isDomainError(error, 'id_in_use')) return taken;
      throw error;
    }
  }

  async function find(id: string): Promise<StoredAsset | undefined> {
    try {
      return await system.get(id, {});
    } catch (error) {
      if (isDomainError(error, 'not_found')) return undefined;
      throw error;
    }
  }

  const isExpired = ({ asset }: StoredAsset) => Number(asset.expiresAt) <= clock.nowMs();

  /** Another process may have done so, and may have reserved the key anew. */
  async function forget({ asset, version }: StoredAsset): Promise<void> {
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

  return { claim };
}

/** The same for the same key of the same owner: a UUID of their hash, version 8. */
export function toRecordId({ owner, key }: { owner: string; key: string }): string {
  return toHashedUuid(JSON.stringify([owner, key]));
}
