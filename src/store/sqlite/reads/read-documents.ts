/**
 * Reads documents up to a number of bytes: first where they are and how large, then those that fit.
 *
 * A page may have a thousand documents of megabytes each, which must never be in memory together, neither in the thread that
 * reads them nor on their way to another one.
 */
import type { Query, Row, RunQuery } from '../connection.ts';

/** Which documents to read. */
export interface DocumentRequest {
  /** Rows of three columns, in the order of the documents: the key, the id, and the document's size in bytes. */
  readonly locate?: Query;
  /** One row of one column. */
  readonly count?: Query;
  readonly maxBytes: number;
  /** Whether the first document is read when it is larger than `maxBytes`. */
  readonly atLeastOne: boolean;
}

/** Documents, and what is left to read. */
export interface FoundDocuments {
  /** Rows of three columns: the document, the version and the id. */
  readonly rows: readonly Row[];
  /** The ids of the documents that did not fit, in order. */
  readonly rest: readonly string[];
  readonly count?: number;
}

/** Reads what a request asks for; `all` gives the rows of a query. */
export function readDocuments(
  all: RunQuery,
  { locate, count, maxBytes, atLeastOne }: DocumentRequest,
): FoundDocuments {
  const located = locate ? all(locate) : [];
  const fitting = countFitting(located, maxBytes) || (atLeastOne ? 1 : 0);
  return {
    rows: fitting > 0 ? readLocated(all, located.slice(0, fitting)) : [],
    rest: located.slice(fitting).map(([, id]) => String(id)),
    ...(count && { count: Number(all(count)[0]?.[0]) }),
  };
}

/** The query that locates the documents of `ids`, in their order. */
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

/** In the order in which they were located, which their query would sort whole documents for. */
function readLocated(all: RunQuery, located: readonly Row[]): readonly Row[] {
  const rows = all({
    sql: `SELECT document, version, assets.id
      FROM json_each(?1) AS wanted CROSS JOIN assets ON assets.key = wanted.value`,
    params: [JSON.stringify(located.map(([key]) => key))],
  });
  const byId = new Map(rows.map((row) => [row[2], row]));
  return located.map(([, id]) => byId.get(id)).filter((row) => row !== undefined);
}
