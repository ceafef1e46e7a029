/**
 * Applies a batch all or not at all so that its assets can exchange unique values.
 *
 * A unique index refuses a value before its former holder releases it, also within a transaction. So the transaction computes the final
 * documents in memory, deletes all documents of the batch, and inserts those that exist in the end.
 */

import type { ClientSession } from 'mongodb';
import { type DomainError, invalidBody, isDomainError } from '../../../base/errors.ts';
import type { ChangeOrigin } from '../../changes.ts';
import { idOfWrite, typeOfWrite, type WriteOutcome } from '../../port.ts';
import type { LoggedTransaction, RunLogged } from '../changes/logged-writes.ts';
import type { Database } from '../database.ts';
import type { AssetDocument } from '../documents/document.ts';
import type { DocumentWriter } from '../documents/document-writer.ts';
import { type DocumentKey, dependsOn, keyTextsIn, type UniqueFields } from '../indexes/unique-values.ts';
import { failedWrites, isDuplicate, isTransactionTooLarge, toStoreError } from '../map-error.ts';
import type { DeletionRules } from './deletion-rules.ts';
import type { ConflictFinder } from './explain-conflict.ts';
import type { PlacedWrite } from './plan-runs.ts';
import { insertsAtOnce, insertsLimited, limited, withinInsertsLimit, withinLimit } from './transaction.ts';

/** Applies all writes or none; returns `undefined` when one of them repeated a value that is free by now. Errors: the driver's, invalid_body. */
export type ExchangeWriter = (
  writes: readonly PlacedWrite[],
  origin?: ChangeOrigin,
) => Promise<WriteOutcome[] | undefined>;

/** The most bytes of documents that a batch may have which exchanges values, because they are in memory. */
const maxBytes = 67_108_864;

/** Creates the writer over an open database. */
export function createExchangeWriter({
  database: { assets },
  documents,
  conflicts,
  uniqueFields,
  rules,
  runLogged,
}: {
  database: Database;
  uniqueFields: UniqueFields;
  documents: DocumentWriter;
  conflicts: ConflictFinder;
  rules: DeletionRules;
  runLogged: RunLogged;
}): ExchangeWriter {
  /** Reads the documents of the writes. Errors: invalid_body when they are too large. */
  async function readAll(ids: readonly string[], { session }: LoggedTransaction) {
    const where = { _id: { $in: [...ids] } };
    const sizes = [{ $match: where }, { $group: { _id: null, bytes: { $sum: { $bsonSize: '$$ROOT' } } } }];
    const measured = assets.aggregate<{ bytes: number }>(sizes, { session, ...limited });
    const [size] = await withinLimit(() => measured.toArray());
    if (size && size.bytes > maxBytes) throw invalidBody([{ path: '', message: tooLarge }]);
    const found = await withinLimit(() => assets.find(where, { session, ...limited }).toArray());
    return new Map(found.map((document) => [document._id, document]));
  }

  /** Replaces the documents with those of `final`. Errors: RepeatedValue. */
  async function replaceAll(
    ids: readonly string[],
    final: readonly AssetDocument[],
    session: ClientSession,
  ): Promise<void> {
    const options = { session, ...limited };
    await withinLimit(() => assets.deleteMany({ _id: { $in: [...ids] } }, options));
    for (let next = 0; next < final.length; next += insertsAtOnce) {
      const part = final.slice(next, next + insertsAtOnce);
      try {
        await withinInsertsLimit(() =>
          assets.insertMany(part, { ...insertsLimited, ordered: true, session }),
        );
      } catch (error) {
        const [[index = 0, reason = error] = []] = failedWrites(error);
        throw isDuplicate(reason) ? new RepeatedValue(final, next + index) : error;
      }
    }
  }

  async function exchange(writes: readonly PlacedWrite[], transaction: LoggedTransaction): Promise<void> {
    const ids = [...new Set(writes.map(idOfWrite))];
    const present = await readAll(ids, transaction);
    await transaction.loadNumbers(ids.filter((id) => !present.has(id)));
    // In the order of their last writes.
    const final = new Map(present);
    for (const write of writes) {
      const id = idOfWrite(write);
      try {
        const after = await documents.apply(write, final.get(id), transaction);
        final.delete(id);
        if (after) final.set(id, after);
      } catch (error) {
        throw toRefusal(write, error);
      }
    }
    await replaceAll(ids, [...final.values()], transaction.session);
    await rules.assertUnbroken(writes, { session: transaction.session, toError: RefusedWrite.of });
  }

  /** Finds the value that a document repeats, in a second transaction, since the error ended the first. */
  async function explain(
    { final, position }: RepeatedValue,
    writes: readonly PlacedWrite[],
  ): Promise<DomainError | undefined> {
    const document = final[position];
    try {
      return await runLogged(undefined, async ({ session }) => {
        await replaceAll(writes.map(idOfWrite), final.slice(0, position), session);
        const found = document && (await conflicts.ofInsert(document, session));
        await session.abortTransaction();
        return found;
      });
    } catch (error) {
      if (!(error instanceof RepeatedValue)) throw error;
      return undefined;
    }
  }

  /** Returns the keys of a type whose value an error names. */
  function keysNamedBy(type: string, error: DomainError): readonly DocumentKey[] {
    const field = isDomainError(error, 'value_in_use') ? error.details.field : undefined;
    return uniqueFields.keysOf(type).filter((key) => key.field === field);
  }

  /** Returns the `_id`s of the assets of the batch that have the repeated value in the end. */
  function findHolders({ final, position }: RepeatedValue, error: DomainError): ReadonlySet<string> {
    const repeating = final[position];
    const type = repeating?._type ?? '';
    const keys = keysNamedBy(type, error);
    const texts = new Set(repeating ? keyTextsIn(keys, type, repeating) : []);
    const isRival = (one: AssetDocument) => keyTextsIn(keys, type, one).some((text) => texts.has(text));
    const rivals = final.filter((one) => one._type === type && isRival(one));
    return new Set([repeating, ...rivals].flatMap((one) => (one ? [one._id] : [])));
  }

  return async (writes, origin) => {
    try {
      await runLogged(origin, (transaction) => exchange(writes, transaction));
      return writes.map(() => ({ kind: 'done' }));
    } catch (error) {
      if (error instanceof RefusedWrite && error.outcome)
        return toOutcomes(writes, error.write, error.outcome);
      if (!(error instanceof RepeatedValue)) throw error;
      const found = await explain(error, writes);
      const holders = found && findHolders(error, found);
      const gives = (write: PlacedWrite) =>
        mayGive(write, found ? keysNamedBy(typeOfWrite(write), found) : []);
      const refused = writes.findLast((write) => holders?.has(idOfWrite(write)) && gives(write));
      return found && refused && toOutcomes(writes, refused, { kind: 'failed', error: found });
    }
  };
}

const tooLarge = 'Assets that exchange unique values have at most 64 MiB together';

/** Ends a transaction because one of the final documents repeats a unique value. */
class RepeatedValue extends Error {
  readonly final: readonly AssetDocument[];
  readonly position: number;

  constructor(final: readonly AssetDocument[], position: number) {
    super('An asset repeats a unique value');
    this.final = final;
    this.position = position;
  }
}

/** Tells whether a write may have given its asset a value in one of some keys. */
function mayGive(write: PlacedWrite, keys: readonly DocumentKey[]): boolean {
  if (write.kind !== 'patch') return write.kind === 'insert';
  const members = [...Object.keys(write.set), ...write.unset];
  return keys.some((key) => dependsOn(key, members));
}

/** Ends a transaction because of one write; without an outcome when the write repeats a unique value. */
export class RefusedWrite extends Error {
  readonly write: PlacedWrite;
  readonly outcome?: WriteOutcome;

  constructor(write: PlacedWrite, outcome?: WriteOutcome) {
    super('A write of the transaction was refused');
    this.write = write;
    if (outcome) this.outcome = outcome;
  }

  static of = (write: PlacedWrite, error: DomainError) => new RefusedWrite(write, { kind: 'failed', error });
}

/** Returns what to throw when a write has failed. Transient errors stay as they are, so that the transaction is retried. */
export function toRefusal(write: PlacedWrite | undefined, error: unknown): unknown {
  if (!write || error instanceof RefusedWrite || isTransactionTooLarge(error)) return error;
  if (isDuplicate(error)) return new RefusedWrite(write);
  const known = toStoreError('write', error);
  if (isDomainError(known, 'not_found')) return new RefusedWrite(write, { kind: 'absent' });
  const isRefused = ['invalid_body', 'precondition_failed', 'id_in_use'].includes(known.code);
  return isRefused ? new RefusedWrite(write, { kind: 'failed', error: known }) : error;
}

/** Returns the outcomes of all writes after one of them was refused. */
export const toOutcomes = (
  writes: readonly PlacedWrite[],
  refused: PlacedWrite,
  outcome: WriteOutcome,
): WriteOutcome[] => writes.map((write) => (write === refused ? outcome : { kind: 'undone' }));
