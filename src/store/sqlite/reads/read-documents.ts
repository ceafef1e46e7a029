/**
 * Reads documents up to a number of bytes: first finds their keys and sizes, then reads the documents that fit.
 *
 * A page may have a thousand documents of several megabytes each. They must never be in memory together, neither in the thread
 * that reads them nor in a message to another thread.
 */
import type { SortPosition } from '../../../query/keyset.ts';
import type { Query, Row, RunQuery } from '../connection.ts';

/** The documents read, and the ids of the others. */
export interface FoundDocuments {
  /** Rows of five columns: the document, the version, the id, the number of the type, and the shape. */
  readonly rows: readonly Row[];
  /** The ids of the documents that did not fit, in order. */
  readonly rest: readonly string[];
  readonly count?: number;
  /** Where the next page by cursor begins; absent when there is none. */
  readonly next?: SortPosition;
}

/** Located documents, and how many of them are read whatever their size. */
interface LocatedDocuments {
  /** Rows in the order of the documents: the key, the id, and the document's size in bytes. Other columns may follow. */
  readonly located: readonly Row[];
  /** How many bytes of documents are read. */
  readonly maxBytes: number;
  readonly atLeast?: 0 | 1;
}

/** Reads the first of the located documents. */
export function readFirst(
  all: RunQuery,
  { located, maxBytes, atLeast = 1 }: LocatedDocuments,
): FoundDocuments {
  if (located.length === 0) return { rows: [], rest: [] };
  const fitting = countFitting(located, maxBytes) || atLeast;
  return {
    rows: fitting > 0 ? readLocated(all, located.slice(0, fitting)) : [],
    rest: located.slice(fitting).map(([, id]) => String(id)),
  };
}

/** Returns the query that locates the documents of `ids`, in their order. */
export const locateByIds = (ids: readonly string[]): Query => ({
  sql: `SELECT assets.key, assets.id, octet_length(document)
    FROM json_each(?1) AS wanted CROSS JOIN assets ON assets.id = wanted.value ORDER BY wanted.key`,
  params: [JSON.stringify(ids)],
});

function countFitting(located: readonly Row[], maxBytes: number): number {
  let left = maxBytes;
  const tooMany = located.findIndex(([, , bytes]) => {
    left -= Number(bytes);
    return left < 0;
  });
  return tooMany < 0 ? located.length : tooMany;
}

/** Reads located documents and puts them in order; an ORDER BY in their query would sort whole documents. */
function readLocated(all: RunQuery, located: readonly Row[]): readonly Row[] {
  const rows = all({
    sql: `SELECT document, version, assets.id, assets.type, shape
      FROM json_each(?1) AS wanted CROSS JOIN assets ON assets.key = wanted.value`,
    params: [JSON.stringify(located.map(([key]) => key))],
  });
  const byId = new Map(rows.map((row) => [row[2], row]));
  return located.map(([, id]) => byId.get(id)).filter((row) => row !== undefined);
}
