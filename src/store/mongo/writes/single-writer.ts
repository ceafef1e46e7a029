/**
 * Writes one asset by one operation on one document, which MongoDB applies whole or not at all, without a transaction.
 */
import { storeBusy } from '../../../base/errors.ts';
import type { AssetDeletion, AssetPatch, StoredAsset } from '../../port.ts';
import type { DocumentWriter } from '../documents/document-writer.ts';
import { isDuplicate } from '../map-error.ts';
import type { ConflictFinder } from './explain-conflict.ts';

/** Writes one asset at a time, as the port defines. Errors: the driver's, the conflicts, and invalid_body. */
export interface SingleWriter {
  insert(stored: StoredAsset): Promise<void>;
  patch(patch: AssetPatch): Promise<StoredAsset | undefined>;
  delete(deletion: AssetDeletion): Promise<boolean>;
}

/** Creates the writer. */
export function createSingleWriter(documents: DocumentWriter, conflicts: ConflictFinder): SingleWriter {
  return {
    async insert(stored) {
      const document = documents.toStorableDocument(stored);
      await explainConflict({
        write: () => documents.insert(document),
        explain: () => conflicts.ofInsert(document),
      });
    },
    patch: (patch) =>
      explainConflict({ write: () => documents.patch(patch), explain: () => conflicts.ofPatch(patch) }),
    delete: (deletion) => documents.delete(deletion),
  };
}

const maxAttempts = 3;

/** Runs `write`. When it repeats a unique value, throws the conflict that `explain` finds, or tries again when it finds none. */
async function explainConflict<Result>({
  write,
  explain,
}: {
  write: () => Promise<Result>;
  explain: () => Promise<Error | undefined>;
}): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const conflict = await explain();
      if (conflict) throw conflict;
      // The asset that had the value has released it since.
      if (attempt === maxAttempts) throw storeBusy('a unique value is changing hands', error);
    }
  }
}
