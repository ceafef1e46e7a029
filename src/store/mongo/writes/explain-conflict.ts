/**
 * Which value a write has repeated: MongoDB says only that it was one, so it is looked up afterwards.
 */
import type { ClientSession, Filter } from 'mongodb';
import { type DomainError, idInUse, valueInUse } from '../../../base/errors.ts';
import type { AssetPatch } from '../../port.ts';
import type { Database } from '../database.ts';
import type { AssetDocument } from '../documents/document.ts';
import type { DocumentWriter } from '../documents/document-writer.ts';
import type { NestedObject } from '../documents/nested-names.ts';
import { listIndexNames } from '../indexes/stored-indexes.ts';
import type { UniqueFields } from '../indexes/unique-values.ts';

/** Looks up what a write has repeated, or would; `undefined` when whoever had the value has given it up since. */
export interface ConflictFinder {
  ofInsert(document: AssetDocument, session?: ClientSession): Promise<DomainError | undefined>;
  ofPatch(patch: AssetPatch, session?: ClientSession): Promise<DomainError | undefined>;
}

interface Candidate {
  readonly id: string;
  readonly type: string;
  readonly values: NestedObject;
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
}): ConflictFinder {
  const { assets } = database;

  async function isThere(
    filter: Filter<AssetDocument>,
    session: ClientSession | undefined,
  ): Promise<boolean> {
    const options = { projection: { _id: 1 }, ...(session ? { session } : {}) };
    return (await assets.findOne(filter, options)) !== null;
  }

  /** A process that came later may keep more fields unique than were known here. */
  async function findRepeated(candidate: Candidate): Promise<DomainError | undefined> {
    const found = await findAmongKnown(candidate);
    if (found) return found;
    uniqueFields.learn(await listIndexNames(database));
    return findAmongKnown(candidate);
  }

  async function findAmongKnown({ id, type, values, session }: Candidate): Promise<DomainError | undefined> {
    for (const { field, path, value } of uniqueFields.valuesIn(type, values)) {
      const rival = { _type: type, [path]: value, _id: { $ne: id } };
      if (await isThere(rival, session)) return valueInUse(field, String(value));
    }
    return undefined;
  }

  return {
    async ofInsert(document, session) {
      const { _id: id, _type: type } = document;
      // An asset's own identifier comes first: a write that is tried again repeats all its values.
      if (await isThere({ _id: id }, session)) return idInUse(id);
      return findRepeated({ id, type, values: document, session });
    },
    ofPatch(patch, session) {
      const { id, type } = patch;
      return findRepeated({ id, type, values: documents.toValues(patch), session });
    },
  };
}
