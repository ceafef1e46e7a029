/**
 * Reads documents up to a number of bytes: first finds their keys and sizes, then reads the documents that fit.
 *
 * A page may have a thousand documents of several megabytes each. They must never be in memory together, neither in the thread
 * that reads them nor in a message to another thread.
 */

import type { BoundPredicate } from '../../../query/ast.ts';
import { allOf, anyOf, buildAny, negate, termsOf } from '../../../query/build-comparison.ts';
import type { SortPosition } from '../../../query/keyset.ts';
import type { Query, Row, RunQuery } from '../connection.ts';
import { getType, type StoredTypes } from '../indexes/field-indexes.ts';

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

// Replaces comparisons of the `_id` of referenced assets (`author/_id = "…"`) by comparisons of the references themselves, whose
// index has the order by `_id`.
//
// A reference may lead to an asset that no longer exists, or to one of another type, so those that are asked for are looked up first. A
// search on a reader thread may read a later state, in which they have been deleted.

/**
 * How many pairs of a value and a type one comparison looks up, on the main thread and before the search begins. A comparison with more
 * stays as it is.
 */
const maxLookups = 100;

/** Returns a predicate with the same meaning for the assets that exist now; `where` itself if it has no such comparison. */
export function resolveTargets(all: RunQuery, where: BoundPredicate, types: StoredTypes): BoundPredicate {
  switch (where.kind) {
    case 'and':
    case 'or': {
      const terms = where.terms.map((term) => resolveTargets(all, term, types));
      if (terms.every((term, n) => term === where.terms[n])) return where;
      return where.kind === 'and' ? allOf(terms) : anyOf(terms);
    }
    case 'not': {
      const term = resolveTargets(all, where.term, types);
      return term === where.term ? where : negate(term);
    }
    case 'any': {
      const term = resolveTargets(all, where.where, types);
      return resolveAny(all, term === where.where ? where : buildAny({ ...where, where: term }), types);
    }
    default:
      return where;
  }
}

/** Resolves the `_id` of the targets of a reference, which may have to match something else, too. */
function resolveAny(all: RunQuery, any: BoundPredicate, types: StoredTypes): BoundPredicate {
  if (any.kind !== 'any' || !any.targets) return any;
  const { path, targets, where } = any;
  const terms = termsOf(where);
  const wanted = terms.find(isOfIds);
  const others = terms.filter((term) => term !== wanted);
  const isSingle = path.steps.every(({ list }) => !list);
  if (!wanted || wanted.values.length * targets.length > maxLookups) return any;
  // Of several references, another one might match the rest.
  if (others.length > 0 && !isSingle) return any;
  const numbers = targets.map((name) => getType(types, name).number);
  const found = all({
    sql: `SELECT id FROM assets
      WHERE id IN (SELECT value FROM json_each(?2)) AND type IN (SELECT value FROM json_each(?1))`,
    params: [JSON.stringify(numbers), JSON.stringify(wanted.values)],
  });
  const values = found.map(([id]) => String(id));
  if (values.length === 0) return anyOf([]);
  const refersTo: BoundPredicate = { ...wanted, path, values };
  return others.length === 0 ? refersTo : allOf([refersTo, buildAny({ ...any, where: allOf(others) })]);
}

type Equals = Extract<BoundPredicate, { kind: 'equals' }>;

const isOfIds = (term: BoundPredicate): term is Equals =>
  term.kind === 'equals' && term.path.leaf.kind === 'id';
