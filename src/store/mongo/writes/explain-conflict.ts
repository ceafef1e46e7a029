/**
 * Finds the unique value that a failed write repeated. MongoDB reports only that there is one.
 */
import type { ClientSession, Filter } from 'mongodb';
import { type DomainError, idInUse, valueInUse } from '../../../base/errors.ts';
import type { AssetPatch } from '../../port.ts';
import type { Database } from '../database.ts';
import { type AssetDocument, patchDocument } from '../documents/document.ts';
import type { DocumentWriter } from '../documents/document-writer.ts';
import { getNested } from '../documents/nested-names.ts';
import { listIndexNames } from '../indexes/stored-indexes.ts';
import {
  isIn,
  type ReadValue,
  readerOf,
  readValues,
  readWritten,
  type UniqueFields,
} from '../indexes/unique-values.ts';

/** Finds the unique value that a write repeats; `undefined` when no other asset has it any more. */
export type ConflictFinder = ReturnType<typeof createConflictFinder>;

interface Candidate {
  readonly id: string;
  readonly type: string;
  readonly read: ReadValue;
  readonly session: ClientSession | undefined;
}

/** Creates the finder over an open database. */
export function createConflictFinder({
  database,
  documents,
  uniqueFields,
}: {
  database: Database;
  documents: DocumentWriter;
  uniqueFields: UniqueFields;
}) {
  const { assets } = database;

  async function exists(filter: Filter<AssetDocument>, session: ClientSession | undefined): Promise<boolean> {
    const options = { projection: { _id: 1 }, ...(session ? { session } : {}) };
    return (await assets.findOne(filter, options)) !== null;
  }

  /** Looks twice, since a process that started later may keep more fields unique than this one knew. */
  async function findRepeated(candidate: Candidate): Promise<DomainError | undefined> {
    const found = await findInKnownFields(candidate);
    if (found) return found;
    uniqueFields.update(await listIndexNames(database));
    return findInKnownFields(candidate);
  }

  async function findInKnownFields({ id, type, read, session }: Candidate): Promise<DomainError | undefined> {
    for (const key of uniqueFields.keysOf(type)) {
      const values = readValues(key, read);
      if (!values) continue;
      const same = key.parts.map(({ path }, n) => [path, values[n] ?? { $exists: false }] as const);
      const rival = { _type: type, ...Object.fromEntries(same), _id: { $ne: id } };
      if (await exists(rival, session)) return valueInUse(key.field, readWritten(key, read));
    }
    return undefined;
  }

  return {
    async ofInsert(document: AssetDocument, session?: ClientSession): Promise<DomainError | undefined> {
      const { _id: id, _type: type } = document;
      // The identifier is looked up first: a repeated insert repeats all its values.
      if (await exists({ _id: id }, session)) return idInUse(id);
      return findRepeated({ id, type, read: readerOf(document), session });
    },
    async ofPatch(patch: AssetPatch, session?: ClientSession): Promise<DomainError | undefined> {
      const { id, type, set, unset } = patch;
      const stored = await assets.findOne({ _id: id }, session ? { session } : {});
      const [values, members] = [documents.toValues(patch), [...Object.keys(set), ...unset]];
      const derived = new Map(
        uniqueFields
          .keysAmong(type)
          .map(({ path, among }) => [path, stored && among.derive(patchDocument(stored, patch).asset)]),
      );
      const read: ReadValue = (path, field) =>
        derived.has(path)
          ? derived.get(path)
          : getNested(isIn(members, field) ? values : { ...stored }, path);
      return findRepeated({ id, type, read, session });
    },
  };
}
