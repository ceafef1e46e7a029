/**
 * Assembles the writing half of the store: single writes, unordered batches and transactional batches.
 */
import { yieldEvery32Steps } from '../../../base/runtime.ts';
import type { Catalog } from '../../../model/content-type.ts';
import type { ChangeOrigin } from '../../changes.ts';
import type { AssetWrite, ContentStore, WriteOutcome } from '../../port.ts';
import type { RunLogged } from '../changes/logged-writes.ts';
import type { Database } from '../database.ts';
import { createDocumentWriter, type DocumentWriter } from '../documents/document-writer.ts';
import type { UniqueFields } from '../indexes/unique-values.ts';
import { toStoreError } from '../map-error.ts';
import type { DeletionRules } from './deletion-rules.ts';
import { createExchangeWriter } from './exchange-writer.ts';
import { createConflictFinder } from './explain-conflict.ts';
import { mayRelease, type PlacedWrite } from './plan-runs.ts';
import { createSingleWriter } from './single-writer.ts';
import { createTransactionalBatchWriter } from './transactional-batch-writer.ts';
import { createLoggedGroupWriter, createUnorderedBatchWriter } from './unordered-batch-writer.ts';

/** The writing half of the store port. Errors: the driver's, the conflicts, and invalid_body. */
export type Writer = Pick<ContentStore, 'insert' | 'patch' | 'delete' | 'write'>;

type WriteOptions = { readonly atomic?: boolean; readonly origin?: ChangeOrigin };

interface WriterContext {
  readonly catalog: Catalog;
  /** Whether the writes of a type are logged. */
  readonly isLogged: (className: string) => boolean;
  readonly uniqueFields: UniqueFields;
  readonly rules: DeletionRules;
  readonly runLogged: RunLogged;
}

/** Creates the writing half over an open database. */
export function createWriter(
  database: Database,
  { catalog, isLogged, uniqueFields, rules, runLogged }: WriterContext,
): Writer {
  const documents = createDocumentWriter(database, { catalog, isLogged, uniqueFields });
  const conflicts = createConflictFinder({ database, documents, uniqueFields });
  const writer = createSingleWriter({ documents, conflicts, rules, runLogged });
  const writeGroup = createLoggedGroupWriter({ database, catalog, documents, rules, runLogged });
  const common = { database, documents, writer, writeGroup, uniqueFields, rules };
  const writeUnordered = createUnorderedBatchWriter(common);
  const parts = { documents, conflicts, rules, runLogged };
  const exchange = createExchangeWriter({ database, uniqueFields, ...parts });
  const mayExchange = (one: PlacedWrite) => mayRelease(one, uniqueFields);
  const writeInTransaction = createTransactionalBatchWriter({ ...parts, exchange, mayExchange });

  async function write(
    writes: readonly AssetWrite[],
    { atomic = false, origin }: WriteOptions = {},
  ): Promise<WriteOutcome[]> {
    const outcomes: WriteOutcome[] = writes.map(() => ({ kind: 'undone' }));
    const storable: PlacedWrite[] = [];
    for (const [index, one] of writes.entries()) {
      try {
        storable.push(toPlacedWrite(one, { index, documents }));
      } catch (error) {
        outcomes[index] = { kind: 'failed', error: toStoreError('write', error) };
      }
      await yieldEvery32Steps(index);
    }
    if (atomic && storable.length < writes.length) return outcomes;
    const results = await (atomic ? writeInTransaction(storable, origin) : writeUnordered(storable, origin));
    for (const [n, { index }] of storable.entries()) outcomes[index] = results[n] ?? { kind: 'undone' };
    return outcomes;
  }

  return { ...writer, write };
}

/** Adds its position to a write, and its document to an insert. Errors: invalid_body when MongoDB cannot store the document. */
function toPlacedWrite(
  write: AssetWrite,
  { index, documents }: { index: number; documents: DocumentWriter },
): PlacedWrite {
  if (write.kind !== 'insert') return { ...write, index };
  return { ...write, index, document: documents.toStorableDocument(write) };
}
