/**
 * Which of the catalog's indexes the database has: a query may name those only.
 *
 * Others are made and dropped while the store is open, by this process and by others.
 */
import type { UnenforcedField } from '../../served-types.ts';
import type { QueryRunner } from '../connection.ts';
import { keepIndexes, type StoredTypes } from './stored-types.ts';

/** The types, with the indexes that were there when they were last looked at. */
export interface PresentIndexes {
  types(): StoredTypes;
  /** The types without indexes, for a query that works whatever is there. */
  readonly plainTypes: StoredTypes;
  /** Looks again. */
  reload(): void;
  /** The unique fields without an index. */
  findMissingUnique(): UnenforcedField[];
}

/** Looks for the first time; `types` have all the indexes that they need. */
export function createPresentIndexes(here: QueryRunner, types: StoredTypes): PresentIndexes {
  const listNames = () => {
    const [rows = []] = here.run([{ sql: 'SELECT name FROM field_indexes', params: [] }]);
    return new Set(rows.map(([name]) => String(name)));
  };
  let present = keepIndexes(types, listNames());
  return {
    types: () => present,
    plainTypes: keepIndexes(types, new Set()),
    reload() {
      present = keepIndexes(types, listNames());
    },
    findMissingUnique() {
      const names = listNames();
      return [...types.values()].flatMap((type) =>
        [...type.indexes.values()]
          .filter(({ unique, name }) => unique && !names.has(name))
          .map(({ path }) => ({ type: type.class, field: path.text })),
      );
    },
  };
}
