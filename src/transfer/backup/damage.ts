/**
 * What of a store is damaged, as a copy of it meets it: records that it has all the same, and those that it lacks.
 */
import type { CopiedAsset, CopiedEntry } from '../../store/copy/store-copy.ts';
import type { LostRecords, StoreDump } from '../../store/copy/store-dump.ts';

/** What of a store is damaged. */
export interface Damage {
  /** The `_id`s of assets whose text is not as it was written, and which a copy has all the same. */
  readonly altered: readonly string[];
  /** The `_id`s of assets that cannot be read. */
  readonly assets: readonly string[];
  /** How many other assets cannot be read, whose `_id`s are unknown. */
  readonly otherAssets: number;
  /** The `_id`s of the assets that entries of the change log are of which cannot be read. */
  readonly entries: readonly string[];
  /** How many entries of the change log cannot be read. */
  readonly entryCount: number;
  /** Other parts of the store that cannot be read, in words. */
  readonly parts: readonly string[];
}

/** Whether nothing is damaged. */
export const isSound = ({ altered, assets, otherAssets, entryCount, parts }: Damage): boolean =>
  altered.length + assets.length + otherAssets + entryCount + parts.length === 0;

/** Collects the damage of a store while its records are read. */
export function createDamageList(lost: LostRecords) {
  const altered: string[] = [];
  const unreadable = new Set<string>();
  const entries = new Set<string>();
  let unreadableEntries = 0;
  return {
    /** Returns whether a copy can have the asset. */
    takeAsset({ id, text, isDamaged, isMisplaced }: CopiedAsset) {
      const isReadable = !isDamaged || isObject(text);
      if (!isReadable) unreadable.add(id);
      else if (isDamaged || isMisplaced) altered.push(id);
      return isReadable;
    },
    /** Returns whether a copy can have the entry. */
    takeEntry({ asset, isDamaged = false }: CopiedEntry) {
      if (isDamaged) {
        entries.add(asset);
        unreadableEntries++;
      }
      return !isDamaged;
    },
    /** Lists the damage; complete when all records were taken. */
    list: (): Damage => ({
      altered,
      assets: [...unreadable, ...lost.assets.ids],
      otherAssets: lost.assets.others,
      entries: [...new Set([...entries, ...lost.entries.ids])],
      entryCount: unreadableEntries + lost.entries.count,
      parts: lost.parts,
    }),
  };
}

/** The damage of a sound store. */
export const noDamage: Damage = {
  altered: [],
  assets: [],
  otherAssets: 0,
  entries: [],
  entryCount: 0,
  parts: [],
};

/** Reads all assets of a store, and with `withLog` the change log, and returns the damage. Errors: those of the store. */
export async function findDamage(dump: StoreDump, { withLog }: { withLog: boolean }): Promise<Damage> {
  const damage = createDamageList(dump.lost);
  for await (const assets of dump.assets()) assets.forEach(damage.takeAsset);
  if (withLog) for await (const entries of dump.entries()) entries.forEach(damage.takeEntry);
  return damage.list();
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
