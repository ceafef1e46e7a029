/**
 * Brings assets back to what they were at a `seq`, by the entries of the change log that came later.
 *
 * An asset that was read after the moment may have changed since. Its last entry says whether it has; later entries are undone. A
 * secret field, which the log does not have, keeps its present value.
 */
import { storeBusy } from '../../../base/errors.ts';
import type { Asset } from '../../../model/content-type.ts';
import { undoChange } from '../../changes.ts';
import type { CopiedAsset } from '../../copy/store-copy.ts';
import type { DumpOptions } from '../../copy/store-dump.ts';
import {
  type ChangeDocument,
  entriesOf,
  parseChangeId,
  toChangeId,
  toEntry,
} from '../changes/change-document.ts';
import type { Database } from '../database.ts';
import { type AssetDocument, fromDocument } from '../documents/document.ts';

/** Brings the assets of one range of `_id`s back to the moment. */
export interface UndoToSeq {
  /** Returns the assets at the moment, of the documents that were read. */
  undo(documents: readonly AssetDocument[]): Promise<CopiedAsset[]>;
  /** Returns the assets of a range that existed at the moment and are gone, apart from those that were read. */
  findDeleted(range: IdRange, read: readonly AssetDocument[]): Promise<CopiedAsset[]>;
}

/** A range of `_id`s: after one, if given, and up to another one, if given. */
export interface IdRange {
  readonly after?: string | undefined;
  readonly to?: string | undefined;
}

/** Creates it for a moment. Types without a log, and those in `leftOut`, are not looked for. */
export function createUndoToSeq(
  { changes }: Pick<Database, 'changes'>,
  { seq, unlogged, leftOut }: DumpOptions & { readonly seq: number },
): UndoToSeq {
  const isLater = (entry: ChangeDocument) => entry.seq === undefined || entry.seq > seq;

  /** Undoes all later entries of one asset, newest first. */
  async function undoOne(id: string, current: AssetDocument | undefined): Promise<CopiedAsset | undefined> {
    const below = current && (current._colophon.change ?? 0) + 1;
    const cursor = changes.find(
      { _id: entriesOf(id, below === undefined ? {} : { below }) },
      { sort: { _id: -1 }, projection: { state: 0 } },
    );
    let { asset, version } = current ? fromDocument(current) : { asset: undefined, version: undefined };
    let number = current?._colophon.change ?? 0;
    for await (const document of cursor) {
      if (!isLater(document)) break;
      const entry = toEntry(document);
      if (entry.action === 'erase') return undefined;
      assertKnown(entry.type, asset);
      asset = withSecrets(undoChange(asset, entry), asset);
      version = entry.previousVersion;
      number = entry.number - 1;
    }
    if (!asset || version === undefined) return undefined;
    return toCopied({ asset, version, number }, current);
  }

  const secretsOf = (type: string): readonly string[] => {
    const parts = unlogged.get(type);
    return typeof parts === 'object' ? parts.secrets : [];
  };

  function withSecrets(before: Asset | undefined, after: Asset | undefined): Asset | undefined {
    if (!before || !after) return before;
    const kept = secretsOf(before._type).flatMap((name) => (name in after ? [[name, after[name]]] : []));
    // Safe: `_id` and `_type` are no secrets.
    return { ...before, ...Object.fromEntries(kept) } as Asset;
  }

  /** The secrets of a deleted record are nowhere. */
  function assertKnown(type: string, after: Asset | undefined): void {
    if (after !== undefined || secretsOf(type).length === 0) return;
    throw storeBusy('an API client or a user was deleted while the store was read');
  }

  return {
    async undo(documents) {
      const logged = documents.filter(({ _colophon: { change = 0 } }) => change > 0);
      const ids = logged.map(({ _id, _colophon: { change = 0 } }) => toChangeId(_id, change));
      const options = { projection: { seq: 1 } } as const;
      const found = await changes.find({ _id: { $in: ids } }, options).toArray();
      const changed = new Set(found.filter(isLater).map(({ _id }) => parseChangeId(_id).asset));
      const copied: CopiedAsset[] = [];
      for (const document of documents) {
        const { _id } = document;
        const { change: number = 0 } = document._colophon;
        const asset = changed.has(_id)
          ? await undoOne(_id, document)
          : toCopied({ ...fromDocument(document), number }, document);
        if (asset) copied.push(asset);
      }
      return copied;
    },
    async findDeleted({ after, to }, read) {
      const gone = { ...(after !== undefined && { $gt: after }), ...(to !== undefined && { $lte: to }) };
      const filter = {
        gone: after === undefined && to === undefined ? { $exists: true } : gone,
        $or: [{ seq: { $gt: seq } }, { pending: { $gt: 0 } }],
      };
      const known = new Set(read.map(({ _id }) => _id));
      const ids = new Set<string>();
      for await (const { _id, type } of changes.find(filter, { projection: { type: 1 } })) {
        const { asset } = parseChangeId(_id);
        if (!known.has(asset) && unlogged.get(type) !== 'all' && !leftOut.includes(type)) ids.add(asset);
      }
      const copied: CopiedAsset[] = [];
      for (const id of ids) copied.push(...[(await undoOne(id, undefined)) ?? []].flat());
      return copied;
    },
  };
}

/** Converts an asset; its shape is known if the document has not been changed since. */
export function toCopied(
  { asset, version, number }: { asset: Asset; version: string; number: number },
  document: AssetDocument | undefined,
): CopiedAsset {
  const shape = document?._colophon.version === version ? document._colophon.shape : undefined;
  const { _id: id, _type: type } = asset;
  return { id, type, version, number, ...(shape !== undefined && { shape }), text: JSON.stringify(asset) };
}
