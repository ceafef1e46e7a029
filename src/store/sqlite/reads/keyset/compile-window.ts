/**
 * Compiles the queries of one window of a page by cursor: a walk through the next entries of an index that has the order, or, when
 * no index has it, a search of all matching assets.
 */
import type { BoundPredicate } from '../../../../query/ast.ts';
import { allOf } from '../../../../query/build-comparison.ts';
import type { OrderSegment } from '../../../../query/keyset.ts';
import type { RunQuery } from '../../connection.ts';
import { getType, type StoredType, type StoredTypes } from '../../indexes/stored-types.ts';
import { chooseWalk } from '../bounded/choose-walk.ts';
import { compileWalk, compileWalkEnd, listWalks, termsOfType } from '../bounded/index-walk.ts';
import { joinRanges } from '../bounded/ranges.ts';
import { compilePage } from '../compile-page.ts';
import { termsOf } from '../plan-order.ts';
import type { WindowPart } from './read-window.ts';

/** The assets of a window. */
export interface WindowSearch {
  readonly segment: OrderSegment;
  readonly where: BoundPredicate | undefined;
  readonly classes: readonly string[];
  readonly types: StoredTypes;
  readonly limit: number;
}

/** Combines a segment with the predicate of the caller. The segment comes first, because an index has its order. */
export const whereIn = ({ where: range }: OrderSegment, where: BoundPredicate | undefined) =>
  allOf([range, where].flatMap((term) => term ?? []));

/** Compiles a window of `visited` entries for each type; `undefined` when no index of a type has the order. */
export function compileWalks(
  all: RunQuery,
  { visited, ...search }: WindowSearch & { visited: number },
): WindowPart[] | undefined {
  const { segment, where, classes, types, limit } = search;
  const terms = joinRanges(termsOf(whereIn(segment, where)).filter(isNotAlwaysTrue));
  const parts = [...new Set(classes)].flatMap((name): (WindowPart | undefined)[] => {
    const type = getType(types, name);
    const inType = termsOfType(terms, type);
    if (inType.some(({ kind }) => kind === 'constant')) return [];
    const walks = listWalks({ type, sort: segment.sort, terms: inType });
    const walk = walks.find(({ rest }) => rest.length === 0) ?? chooseWalk(all, walks, { type, types });
    const request = { type, types, visited, limit, offset: 0 };
    return [walk && { rows: compileWalk(walk, request), end: compileWalkEnd(walk, request) }];
  });
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

/** Compiles the search of all matching assets. */
export function compileWhole({ segment, where, classes, types, limit }: WindowSearch): WindowPart[] {
  const parts: StoredType[] = [...new Set(classes)].map((name) => getType(types, name));
  const selection = { where: whereIn(segment, where), sort: segment.sort, parts, types };
  return [{ rows: compilePage(selection, { limit, offset: 0, withValues: true }) }];
}

const isNotAlwaysTrue = (term: BoundPredicate) => term.kind !== 'constant' || !term.value;
