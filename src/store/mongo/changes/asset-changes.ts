/**
 * Appends the entries of writes of assets to the change log, from the documents that MongoDB returns of them.
 */
import type { Catalog } from '../../../model/content-type.ts';
import type { AssetDeletion, AssetPatch, StoredAsset } from '../../port.ts';
import { type AssetDocument, fromDocument, patchDocument } from '../documents/document.ts';
import { describeChange } from './describe-change.ts';
import type { LoggedTransaction } from './logged-writes.ts';

export function createAssetChanges({ types }: Catalog) {
  return {
    /** Returns the document to insert, with the number of its entry, which is appended. */
    async appendCreate(transaction: LoggedTransaction, document: AssetDocument): Promise<AssetDocument> {
      const { asset, version } = fromDocument(document);
      const number = await transaction.nextNumber(asset._id);
      const values = describeChange({ asset, number }, types.get(asset._type));
      const created = { id: version, version, action: 'create', type: asset._type } as const;
      transaction.append({ asset: asset._id, number, ...created, ...values });
      return { ...document, _colophon: { ...document._colophon, change: number } };
    },
    /** Appends the entry of a patch, and returns the patched asset. */
    appendUpdate(transaction: LoggedTransaction, document: AssetDocument, patch: AssetPatch): StoredAsset {
      const patched = patchDocument(document, patch);
      const { asset: former, version: previous } = fromDocument(document);
      const number = (document._colophon.change ?? 0) + 1;
      const { id, type, version } = patch;
      const values = describeChange({ former, asset: patched.asset, number }, types.get(type));
      transaction.append({
        asset: id,
        number,
        id: version,
        type,
        action: 'update',
        version,
        previous,
        ...values,
      });
      return patched;
    },
    /** Appends the entry of a deletion. One that erases removes the entries of the asset. */
    async appendDelete(
      transaction: LoggedTransaction,
      document: AssetDocument,
      { id, type, change, erase }: AssetDeletion,
    ): Promise<void> {
      const last = document._colophon.change ?? 0;
      if (erase) {
        const { version: previous } = document._colophon;
        return transaction.erase({ asset: id, type, last, id: change, previous });
      }
      const { asset: former, version: previous } = fromDocument(document);
      const number = last + 1;
      const values = describeChange({ former, number }, types.get(type));
      transaction.append({ asset: id, number, id: change, type, action: 'delete', previous, ...values });
    },
  };
}
