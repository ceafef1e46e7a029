/**
 * The names that writes give: identifiers of new assets, and versions.
 *
 * A write that may be asked for again has its names reserved: they are worked out from a seed, so that whoever runs it again
 * meets what an earlier run has written, and can tell it from what others have.
 */
import { createHash } from 'node:crypto';
import { type IdSource, toUuid7 } from '../base/runtime.ts';

/** What a write has made of its asset, when it has left one. */
export type SaveEffect = 'created' | 'updated';

/** Names for one write. */
export interface WriteIds {
  assetId(): string;
  version(effect: SaveEffect): string;
}

/** The names for all writes of one request, by the place of the write in it. */
export interface PreAssignedIds {
  /**
   * Whether other runs of the request may have written with these names: none ever, none before this one began, or an
   * earlier one.
   */
  readonly run: 'only' | 'first' | 'repeat';
  of(index: number): WriteIds;
  /**
   * Rejects when another run has taken the request over. Asked between reading assets and writing them: a write on the
   * condition that its asset is as it was read then cannot repeat what the other run has done.
   */
  assertCurrent(): Promise<void>;
  /** Which write of this request has given a version, if one has. */
  findWriter(version: string): { readonly index: number; readonly effect: SaveEffect } | undefined;
}

/** Names nobody needs to know again. */
export function createFreshIds(ids: IdSource): PreAssignedIds {
  return { run: 'only', of: () => ids, assertCurrent: async () => {}, findWriter: () => undefined };
}

/** What names are worked out from. */
export interface IdSeed {
  /** Known to nobody else. */
  readonly seed: string;
  /** When the seed was made, which is in the identifiers. */
  readonly reservedAtMs: number;
  readonly run: 'first' | 'repeat';
  /** See `PreAssignedIds`; absent means that no other run can take the request over. */
  readonly assertCurrent?: () => Promise<void>;
}

/** The names of a request that may be run again. */
export function preAssignIds(
  { seed, reservedAtMs, run, assertCurrent = async () => {} }: IdSeed,
  ids: IdSource,
): PreAssignedIds {
  const mark = hash(seed, 'version').toString('base64url').slice(0, 16);
  const pattern = new RegExp(`^${mark}-(\\d+)([cu])-`);
  // A batch of operations that wait for one another asks for the same ones many times.
  const assetIds = new Map<number, string>();
  const makeAssetId = (index: number) => {
    const random = hash(seed, String(index)).subarray(0, 16);
    const id = toUuid7({ msecs: reservedAtMs, seq: index, random });
    assetIds.set(index, id);
    return id;
  };
  return {
    run,
    assertCurrent,
    of: (index) => ({
      assetId: () => assetIds.get(index) ?? makeAssetId(index),
      // Two runs that write give two versions all the same, for there may be other writes between them.
      version: (effect) => `${mark}-${index}${effect === 'created' ? 'c' : 'u'}-${ids.version()}`,
    }),
    findWriter(version) {
      const [, index, effect] = pattern.exec(version) ?? [];
      return index === undefined
        ? undefined
        : { index: Number(index), effect: effect === 'c' ? 'created' : 'updated' };
    },
  };
}

const hash = (seed: string, purpose: string) => createHash('sha256').update(`${seed} ${purpose}`).digest();
