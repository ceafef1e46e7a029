/**
 * Pre-assigned IDs: the `_id`s of new assets and the versions that the writes of one request give.
 *
 * For a request that may run again they are derived from a seed, so that a later run recognizes what an earlier run has written
 * and can tell it from the writes of others.
 */

import { createHash } from 'node:crypto';
import { type IdSource, toUuid7 } from '../base/runtime.ts';

/** The effect of a write on its asset. */
export type WriteEffect = 'created' | 'updated' | 'deleted';

export interface WriteIds {
  assetId(): string;
  /** The new version of the asset, which is the `id` of the change as well. A deletion has only the latter. */
  version(effect: WriteEffect): string;
}

/** A write of a request. */
interface OwnWriter {
  readonly index: number;
  readonly effect: WriteEffect;
  /** Its `id` in the change log. */
  readonly change: string;
}

/** The IDs for all writes of one request, by the index of the write. */
export interface PreAssignedIds {
  /**
   * Which runs of the request may write with these IDs: only this one; this one and later ones (`first`); earlier ones, too
   * (`repeat`).
   */
  readonly run: 'only' | 'first' | 'repeat';
  /** When the first run began; no write of the request is older, apart from differences between clocks. */
  readonly reservedAtMs: number;
  of(index: number): WriteIds;
  /**
   * Rejects when another run has taken over the request. To be called between reading assets and writing them: a write that
   * requires its asset to be unchanged then cannot repeat a write of the other run.
   */
  assertCurrent(): Promise<void>;
  /** Finds the write of this request that gave a version, alone or as a draft, or has this `id` in the change log, if any does. */
  findWriter(version: string): OwnWriter | undefined;
}

/** Creates IDs for a request that never runs again. */
export function createFreshIds(ids: IdSource): PreAssignedIds {
  const assertCurrent = async () => {};
  return { run: 'only', reservedAtMs: 0, of: () => ids, assertCurrent, findWriter: () => undefined };
}

/** The data that IDs are derived from. */
export interface IdSeed {
  /** Secret, so that no other sender can derive the same IDs. */
  readonly seed: string;
  /** When the seed was created; part of the `_id`s. */
  readonly reservedAtMs: number;
  readonly run: 'first' | 'repeat';
  /** See `PreAssignedIds`; absent means that no other run can take over the request. */
  readonly assertCurrent?: () => Promise<void>;
}

/** Derives the IDs of a request that may run again. */
export function preAssignIds(
  { seed, reservedAtMs, run, assertCurrent = async () => {} }: IdSeed,
  ids: IdSource,
): PreAssignedIds {
  const mark = hash(seed, 'version').toString('base64url').slice(0, 16);
  const pattern = new RegExp(`^${mark}-(\\d+)([cud])-[^~]+`);
  // A batch whose operations wait for each other asks for the same IDs many times.
  const assetIds = new Map<number, string>();
  const makeAssetId = (index: number) => {
    const random = hash(seed, String(index)).subarray(0, 16);
    const id = toUuid7({ msecs: reservedAtMs, seq: index, random });
    assetIds.set(index, id);
    return id;
  };
  return {
    run,
    reservedAtMs,
    assertCurrent,
    of: (index) => ({
      assetId: () => assetIds.get(index) ?? makeAssetId(index),
      // Two runs still give different versions, since others may write between them.
      version: (effect) => `${mark}-${index}${effect[0]}-${ids.version()}`,
    }),
    findWriter(version) {
      const [change, index, effect] = pattern.exec(version) ?? [];
      if (change === undefined) return undefined;
      return {
        change,
        index: Number(index),
        effect: effects.find(([first]) => first === effect) ?? 'updated',
      };
    },
  };
}

/** A version contains the first letter of its effect. */
const effects = ['created', 'updated', 'deleted'] as const;

const hash = (seed: string, purpose: string) => createHash('sha256').update(`${seed} ${purpose}`).digest();
