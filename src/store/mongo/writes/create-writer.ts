/**
 * Assembles the writing half of the store: single writes, unordered batches and transactional batches.
 */
import { yieldEvery32Steps } from '../../../base/runtime.ts';
import type { Catalog } from '../../../model/content-type.ts';
import type { AssetWrite, ContentStore, WriteOutcome } from '../../port.ts';
import type { Database } from '../database.ts';
import { createDocumentWriter, type DocumentWriter } from '../documents/document-writer.ts';
import type { UniqueFields } from '../indexes/unique-values.ts';
import { toStoreError } from '../map-error.ts';
import { createConflictFinder } from './explain-conflict.ts';
import type { PlacedWrite } from './plan-runs.ts';
import { createSingleWriter } from './single-writer.ts';
import { createTransactionalBatchWriter } from './transactional-batch-writer.ts';
import { createUnorderedBatchWriter } from './unordered-batch-writer.ts';

/** The writing half of the store, as the port has it; errors are the driver's, the conflicts, and invalid_body. */
export type Writer = Pick<ContentStore, 'insert' | 'patch' | 'delete' | 'write'>;

/** Creates the writing half over an open database. */
export function createWriter(
  database: Database,
  { catalog, uniqueFields }: { catalog: Catalog; uniqueFields: UniqueFields },
): Writer {
  const documents = createDocumentWriter(database, catalog);
  const conflicts = createConflictFinder({ database, documents, uniqueFields });
  const writer = createSingleWriter(documents, conflicts);
  const writeEach = createUnorderedBatchWriter({ database, documents, writer, uniqueFields });
  const writeAll = createTransactionalBatchWriter({ database, documents, conflicts });

  async function write(writes: readonly AssetWrite[], { atomic = false } = {}): Promise<WriteOutcome[]> {
    const outcomes: WriteOutcome[] = writes.map(() => ({ kind: 'undone' }));
    const sound: PlacedWrite[] = [];
    for (const [index, one] of writes.entries()) {
      try {
        sound.push(place(one, { index, documents }));
      } catch (error) {
        outcomes[index] = { kind: 'failed', error: toStoreError('write', error) };
      }
      await yieldEvery32Steps(index);
    }
    if (atomic && sound.length < writes.length) return outcomes;
    const ended = await (atomic ? writeAll(sound) : writeEach(sound));
    for (const [n, { index }] of sound.entries()) outcomes[index] = ended[n] ?? { kind: 'undone' };
    return outcomes;
  }

  return { ...writer, write };
}

/** Errors: invalid_body when there can be no such document. */
function place(
  write: AssetWrite,
  { index, documents }: { index: number; documents: DocumentWriter },
): PlacedWrite {
  if (write.kind !== 'insert') return { ...write, index };
  return { ...write, index, document: documents.toSoundDocument(write) };
}
