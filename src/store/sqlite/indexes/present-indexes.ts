/**
 * Tracks which of the catalog's indexes exist in the database and are complete, because a query may use only those.
 *
 * This process and others create and drop indexes while the store is open.
 */
import type { UnenforcedField } from '../../served-types.ts';
import type { QueryRunner } from '../connection.ts';
import { selectComplete, selectWordTable } from '../words/large-words.ts';
import { keepIndexes, type StoredTypes } from './field-indexes.ts';

/** The content types with their complete indexes. */
export type PresentIndexes = ReturnType<typeof createPresentIndexes>;

/** Reads which indexes exist. `types` name all the indexes that they need. */
export function createPresentIndexes(connection: QueryRunner, types: StoredTypes) {
  const select = (sql: string) => {
    const [rows = []] = connection.run([{ sql, params: [] }]);
    return rows.map(([name]) => String(name));
  };
  const listNames = () => {
    const words = select(selectWordTable).length > 0 ? select(selectComplete) : [];
    return new Set([
      ...select("SELECT name FROM field_indexes WHERE kind <> 'words' AND filled IS NULL"),
      ...words,
    ]);
  };
  let present = keepIndexes(types, listNames());
  return {
    /** Returns the types with the indexes that were complete at the last load. */
    types: (): StoredTypes => present,
    /** The types without indexes, for a query that works whichever indexes exist. */
    plainTypes: keepIndexes(types, new Set()),
    /** Reads from the database again which indexes are complete. */
    reload() {
      present = keepIndexes(types, listNames());
    },
    /** Lists the unique fields that have no index. */
    findMissingUnique(): UnenforcedField[] {
      const names = listNames();
      return [...types.values()].flatMap((type) =>
        [...type.indexes.values()]
          .filter(({ unique, name }) => unique && !names.has(name))
          .map(({ field }) => ({ type: type.class, field })),
      );
    },
  };
}
