/**
 * Replaces documents for a backfill: only their members that differ, with the words of these, and without a new version or an entry.
 *
 * No ordinary write brings a former value back. It is an update of the fields it sets, of the document as it is then; a transaction that
 * has read the former document ends with a write conflict, and is repeated. A write that comes first changes the version, which the filter
 * here requires; a transaction that has not ended makes the rewrite wait. An update of the differing members keeps what else the document
 * has meanwhile: the number of its last entry, which events raise, and the words that only other processes need.
 */

import { storeBusy } from '../../../base/errors.ts';
import { memberOf } from '../../../base/own-members.ts';
import type { Asset, Catalog, Json } from '../../../model/content-type.ts';
import type { Rewrite } from '../../backfill-calls.ts';
import type { Database } from '../database.ts';
import { type AssetDocument, type AssetUpdate, fromDocument, toUpdate } from '../documents/document.ts';
import { failedWrites, isDuplicate } from '../map-error.ts';
import type { ConflictFinder } from '../writes/explain-conflict.ts';
import { insertsAtOnce, insertsLimited, withinInsertsLimit } from '../writes/time-limits.ts';

/** Replaces documents, and returns the ids of the replaced ones. Errors: value_in_use, invalid_body, store_busy, the driver's. */
export type DocumentRewriter = (rewrites: readonly Rewrite[]) => Promise<readonly string[]>;

/** A document to replace, as it was read. */
interface Replacement {
  readonly rewrite: Rewrite;
  readonly former: Asset;
}

/** Creates the rewriter over an open database. */
export function createDocumentRewriter(
  { assets }: Database,
  { catalog, conflicts }: { catalog: Catalog; conflicts: ConflictFinder },
): DocumentRewriter {
  async function read(rewrites: readonly Rewrite[]): Promise<Replacement[]> {
    const ids = rewrites.map(({ id }) => id);
    const found = await assets.find({ _id: { $in: ids } }, { projection: { _words: 0 } }).toArray();
    const documents = new Map(found.map((document) => [document._id, document]));
    return rewrites.flatMap((rewrite) => {
      const document = documents.get(rewrite.id);
      return isSame(document, rewrite) ? [{ rewrite, former: fromDocument(document).asset }] : [];
    });
  }

  /** Returns the ids of the documents that still have the version that they had before their replacement. */
  async function findKept(rewrites: readonly Rewrite[]): Promise<string[]> {
    const ids = rewrites.map(({ id }) => id);
    const projection = { _type: 1, _version: 1 } as const;
    const found = await assets.find({ _id: { $in: ids } }, { projection }).toArray();
    const documents = new Map(found.map((document) => [document._id, document]));
    return rewrites.filter((one) => isSame(documents.get(one.id), one)).map(({ id }) => id);
  }

  async function replace(part: readonly Rewrite[]): Promise<readonly string[]> {
    const replacements = await read(part);
    if (replacements.length === 0) return [];
    const operations = replacements.map(({ rewrite, former }) => {
      const { id: _id, type: _type, version: _version } = rewrite;
      const update = toRewriteUpdate({ rewrite, former }, catalog);
      return { updateOne: { filter: { _id, _type, _version }, update } };
    });
    const options = { ...insertsLimited, ordered: false };
    try {
      const { matchedCount } = await withinInsertsLimit(() => assets.bulkWrite(operations, options));
      const sent = replacements.map(({ rewrite }) => rewrite);
      return matchedCount === sent.length ? sent.map(({ id }) => id) : await findKept(sent);
    } catch (error) {
      throw (await findConflict(replacements, error)) ?? error;
    }
  }

  /** Finds the unique value that a replacement repeated. */
  async function findConflict(replacements: readonly Replacement[], error: unknown) {
    const repeated = [...failedWrites(error)].find(([, one]) => isDuplicate(one));
    const failed = repeated && replacements[repeated[0]];
    if (!failed) return undefined;
    const { id, type, version } = failed.rewrite;
    const conflict = await conflicts.ofPatch({ id, type, version, ...compare(failed) });
    return conflict ?? storeBusy('a unique value is changing hands', error);
  }

  return async (rewrites) => {
    const replaced: string[] = [];
    for (let next = 0; next < rewrites.length; next += insertsAtOnce)
      replaced.push(...(await replace(rewrites.slice(next, next + insertsAtOnce))));
    return replaced;
  };
}

const isSame = (document: AssetDocument | undefined, { type, version }: Rewrite): document is AssetDocument =>
  document?._type === type && document._version === version;

/** Finds the members that a replacement sets and removes. */
function compare({ rewrite, former }: Replacement) {
  // Safe: the text of a rewrite is that of the whole asset.
  const asset = JSON.parse(rewrite.text) as Asset;
  const changed = Object.entries(asset).filter(
    // Also a value whose members have another order.
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(memberOf(former, name)),
  );
  const unset = Object.keys(former).filter((name) => !Object.hasOwn(asset, name));
  return { names: Object.keys(asset), set: Object.fromEntries(changed) as Record<string, Json>, unset };
}

function toRewriteUpdate(replacement: Replacement, catalog: Catalog): AssetUpdate {
  const { id, type: className, version, shape } = replacement.rewrite;
  const type = catalog.types.get(className);
  if (type === undefined) throw new Error(`No content type has the class name ${className}`);
  const { names, set, unset } = compare(replacement);
  const { $set, $unset } = toUpdate({ id, type: className, set, unset, version }, type);
  const removed = { ...$unset, ...(shape === undefined && { _shape: true }) };
  return {
    $set: { ...$set, _names: names, ...(shape !== undefined && { _shape: shape }) },
    ...(Object.keys(removed).length > 0 && { $unset: removed }),
  };
}
