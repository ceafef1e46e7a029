/**
 * Writes one asset: with its entry in the change log in one transaction, or without a log by one operation on one document, which
 * MongoDB applies whole or not at all.
 */
import { storeBusy } from '../../../base/errors.ts';
import type { ChangeOrigin } from '../../changes.ts';
import {
  type AssetDeletion,
  type AssetPatch,
  type AssetWrite,
  type NewAsset,
  type StoredAsset,
  typeOfWrite,
} from '../../port.ts';
import type { LoggedTransaction, RunLogged } from '../changes/logged-writes.ts';
import type { DocumentWriter } from '../documents/document-writer.ts';
import { isDuplicate } from '../map-error.ts';
import type { DeletionRules } from './deletion-rules.ts';
import type { ConflictFinder } from './explain-conflict.ts';

/** Writes one asset at a time, as the port defines. Errors: the driver's, the conflicts, and invalid_body. */
export type SingleWriter = ReturnType<typeof createSingleWriter>;

export function createSingleWriter({
  documents,
  conflicts,
  rules,
  runLogged,
}: {
  documents: DocumentWriter;
  conflicts: ConflictFinder;
  rules: DeletionRules;
  runLogged: RunLogged;
}) {
  /** Runs a write, and judges it by the rules of deletion if it has found its asset. */
  const run =
    (one: AssetWrite, origin: ChangeOrigin | undefined) =>
    <Result>(write: (transaction?: LoggedTransaction) => Promise<Result>): Promise<Result> => {
      if (!documents.isLogged(typeOfWrite(one))) return write();
      return runLogged(origin, async (transaction) => {
        const result = await write(transaction);
        const isApplied = one.kind === 'insert' || Boolean(result);
        if (isApplied) await rules.assertUnbroken([one], transaction);
        return result;
      });
    };

  return {
    async insert(stored: NewAsset, origin?: ChangeOrigin): Promise<StoredAsset> {
      const document = documents.toStorableDocument(stored);
      const write = run({ kind: 'insert', ...stored }, origin);
      await explainConflict({
        write: () => write((transaction) => documents.insert(document, transaction)),
        explain: () => conflicts.ofInsert(document),
      });
      return stored;
    },
    patch: (patch: AssetPatch, origin?: ChangeOrigin): Promise<StoredAsset | undefined> =>
      explainConflict({
        write: () =>
          run({ kind: 'patch', ...patch }, origin)((transaction) => documents.patch(patch, transaction)),
        explain: () => conflicts.ofPatch(patch),
      }),
    delete: (deletion: AssetDeletion, origin?: ChangeOrigin): Promise<boolean> =>
      run({ kind: 'delete', ...deletion }, origin)((transaction) => documents.delete(deletion, transaction)),
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
