/**
 * Finds out whether an asset still names a file. The record of a use says only that an asset may: its value, its drafts or a state that
 * its history keeps are read, in which any text with the hash counts.
 */
import { isDomainError } from '../../base/errors.ts';
import type { Asset } from '../../model/content-type.ts';
import type { ContentStore } from '../../store/port.ts';
import type { ContentService } from '../content-service.ts';
import { readDraftsOf } from '../drafts/draft-source.ts';
import { fileUseClass, fileUseId } from './file-record.ts';

/** The uses of files. */
export interface FileUses {
  /** Yields the `_id`s of the assets whose value or history may name a file, with the `_id`s of the records that say so. */
  each(hash: string): AsyncGenerator<FileUse>;
  /** Yields the hashes of the files that an asset may name. */
  eachOf(asset: string): AsyncGenerator<string>;
  /** Records uses, of which some may be recorded. */
  record(uses: readonly { readonly hash: string; readonly asset: string }[]): Promise<void>;
  /** Finds the first asset whose value or history names a file; `undefined` when none does. */
  findUser(hash: string): Promise<string | undefined>;
}

/** The record of a use. */
export interface FileUse {
  readonly _id: string;
  /** The `_id` of the asset. */
  readonly asset: string;
}

const usesAtOnce = 100;
const entriesAtOnce = 100;

/** Creates the finder. */
export function createFileUses({
  system,
  store,
}: {
  system: Pick<ContentService, 'find' | 'create'>;
  store: Pick<ContentStore, 'texts' | 'changes' | 'capabilities' | 'find' | 'getChunk' | 'getMany'>;
}): FileUses {
  const { texts, changes, capabilities } = store;

  async function* find(where: string, value: string): AsyncGenerator<Asset> {
    const query = { from: fileUseClass, where, values: [value], offset: 0, withCount: false };
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page: Awaited<ReturnType<ContentService['find']>> = await system.find(
        { ...query, cursor, limit: usesAtOnce },
        {},
      );
      for (const { asset } of page.items) yield asset;
      cursor = page.next;
    }
  }

  async function* each(hash: string): AsyncGenerator<FileUse> {
    for await (const { _id, asset } of find('hash = ?', hash)) yield { _id, asset: String(asset) };
  }

  /** The value is read first: what a write removes from it afterwards is in the history then. */
  async function names(asset: string, hash: string): Promise<boolean> {
    const present = await texts.get(asset);
    if (present?.text.includes(hash)) return true;
    const drafts = await readDraftsOf(store, asset);
    if (drafts.some(({ record }) => JSON.stringify([record.set, record.before]).includes(hash))) return true;
    if (!capabilities.changes) return false;
    for (let before: number | undefined, isLast = false; !isLast; ) {
      const page = await changes.history({
        asset,
        limit: entriesAtOnce,
        ...(before !== undefined && { before }),
      });
      // A state has values of the present one, and former values that entries have.
      if (page.entries.some((entry) => entry.before && JSON.stringify(entry.before).includes(hash)))
        return true;
      before = page.next;
      isLast = before === undefined;
    }
    return false;
  }

  return {
    each,
    async *eachOf(asset) {
      for await (const { hash } of find('asset = ?', asset)) yield String(hash);
    },
    async record(uses) {
      const create = ({ hash, asset }: { hash: string; asset: string }) =>
        system.create({ _id: fileUseId(hash, asset), _type: fileUseClass, hash, asset }, {});
      const outcomes = await Promise.allSettled(uses.map(create));
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected' && !isDomainError(outcome.reason, 'id_in_use'))
          throw outcome.reason;
      }
    },
    async findUser(hash) {
      for await (const { asset } of each(hash)) if (await names(asset, hash)) return asset;
      return undefined;
    },
  };
}
