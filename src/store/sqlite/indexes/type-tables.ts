/**
 * The table of each content type, `type_<number>`: the key and the `_id` of each of its assets, with a column for each indexed path.
 *
 * `assets` has the documents. A search reads them only for conditions and orders that no column has.
 */

/** Returns the name of the table of the type with this number. */
export const tableOf = (number: number) => `type_${number}`;

/** Returns the name of the index by `_id`, which all types have. */
export const idIndexOf = (number: number) => `${tableOf(number)}_by_id`;

/**
 * Returns the statements that create the table of a type. It is not strict: SQLite examines all rows of a strict table when it adds a
 * column.
 */
export const createTypeTable = (number: number): string => `
  CREATE TABLE ${tableOf(number)} (key INTEGER PRIMARY KEY, id TEXT NOT NULL);
  CREATE UNIQUE INDEX ${idIndexOf(number)} ON ${tableOf(number)} (id);`;

/** SQL for the rows of a type with their documents. The columns `key` and `id` of both tables are one. */
export const withDocuments = (rows: string) => `${rows} CROSS JOIN assets USING (key, id)`;
