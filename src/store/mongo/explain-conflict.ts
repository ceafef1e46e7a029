/**
 * Which value a write has repeated: MongoDB says only that it was one, so it is looked up afterwards.
 */
import { type DomainError, idInUse, valueInUse } from '../../base/errors.ts';
import type { AssetPatch } from '../port.ts';
import type { Database } from './database.ts';
import type { AssetDocument } from './document.ts';
import type { DocumentWriter } from './document-writer.ts';
import type { NestedObject } from './nested-names.ts';
import type { UniqueFields } from './unique-values.ts';

/** Looks up what a write has repeated; `undefined` when whoever had the value has given it up since. */
export interface ConflictFinder {
  ofInsert(document: AssetDocument): Promise<DomainError | undefined>;
  ofPatch(patch: AssetPatch): Promise<DomainError | undefined>;
}

/** Creates the finder over an open database. */
export function createConflictFinder({
  database: { assets },
  documents,
  uniqueFields,
}: {
  database: Database;
  documents: DocumentWriter;
  uniqueFields: UniqueFields;
}): ConflictFinder {
  const onlyId = { projection: { _id: 1 } };

  async function findRepeated(
    id: string,
    type: string,
    values: NestedObject,
  ): Promise<DomainError | undefined> {
    for (const { field, path, value } of uniqueFields.valuesIn(type, values)) {
      const rival = { _type: type, [path]: value, _id: { $ne: id } };
      if (await assets.findOne(rival, onlyId)) return valueInUse(field, String(value));
    }
    return undefined;
  }

  return {
    async ofInsert(document) {
      const { _id, _type } = document;
      // An asset's own identifier comes first: a write that is tried again repeats all its values.
      if (await assets.findOne({ _id }, onlyId)) return idInUse(_id);
      return findRepeated(_id, _type, document);
    },
    ofPatch: (patch) => findRepeated(patch.id, patch.type, documents.toValues(patch)),
  };
}
