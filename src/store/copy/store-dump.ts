/**
 * Reads a whole store for a copy, as it was at one moment, while other processes write to it.
 */
import type { UnloggedParts } from '../../model/content-type.ts';
import type { CopiedAsset, CopiedEntry, CopiedFacts } from './store-copy.ts';

/** Which assets a copy leaves out, and what the change log does not know of the others. */
export interface DumpOptions {
  /** The class names of assets that are left out. */
  readonly leftOut: readonly string[];
  /** What the change log leaves out, by class name. */
  readonly unlogged: ReadonlyMap<string, UnloggedParts>;
}

/** What a damaged store has, and cannot be read. */
export interface LostRecords {
  readonly assets: {
    /** Their `_id`s, as far as they are known. */
    readonly ids: Set<string>;
    /** How many others there are. */
    others: number;
  };
  readonly entries: {
    /** The `_id`s of the assets that they are of, as far as they are known. */
    readonly ids: Set<string>;
    /** How many entries there are in all. */
    count: number;
  };
  /** Other parts of the store, in words. */
  readonly parts: string[];
}

/** Creates the record of a store of which everything can be read. */
export const nothingLost = (): LostRecords => ({
  assets: { ids: new Set(), others: 0 },
  entries: { ids: new Set(), count: 0 },
  parts: [],
});

/** Whether something is lost. */
export const isLossless = ({ assets, entries, parts }: LostRecords): boolean =>
  assets.ids.size + assets.others + entries.count + parts.length === 0;

/** A store that is being read. Each iteration may be made once. Errors: store_busy, store_failure. */
export interface StoreDump {
  readonly facts: CopiedFacts;
  /** What cannot be read; complete after both iterations. */
  readonly lost: LostRecords;
  /** All assets, damaged ones too, in blocks that fit in memory. Comes before `entries`. */
  assets(): AsyncIterable<readonly CopiedAsset[]>;
  /** All entries of the change log, in their order. */
  entries(): AsyncIterable<readonly CopiedEntry[]>;
  close(): Promise<void>;
}

/** How much text a block has, roughly. */
export const blockCharacters = 500_000;

/** Groups records into blocks by the length of their texts. */
export function* inBlocks<Record>(
  records: Iterable<Record>,
  lengthOf: (record: Record) => number,
): Generator<readonly Record[]> {
  let block: Record[] = [];
  let length = 0;
  for (const record of records) {
    block.push(record);
    // A record has some text besides that of its document.
    length += lengthOf(record) + 200;
    if (length < blockCharacters) continue;
    yield block;
    [block, length] = [[], 0];
  }
  if (block.length > 0) yield block;
}
