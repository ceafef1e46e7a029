/**
 * Cursors of pages: texts that hold a position in an order and a fingerprint of the query that the position is for.
 *
 * A cursor grants nothing: its sender gets only what the query with its restriction to sites finds. The fingerprint reports
 * a cursor of another query, which would silently leave out assets.
 */
import { createHash } from 'node:crypto';
import { cursorMismatch, invalidParameter } from '../../base/errors.ts';
import { isUuid } from '../../base/uuid.ts';
import type { SortPosition } from '../../query/keyset.ts';
import { familyOf } from '../../query/operators.ts';
import type { BoundSort } from '../../query/sort.ts';

/** Converts the positions of one query to cursors and back. */
export type PageCursors = ReturnType<typeof createPageCursors>;

/** A longer text would make a cursor too long for a URL. */
const maxCharacters = 2_000;
const fingerprintCharacters = 16;

/** Creates the cursors of a query; `query` is everything that they are bound to, as plain data. */
export function createPageCursors(sort: BoundSort, query: unknown) {
  const digest = createHash('sha256').update(JSON.stringify(query)).digest('base64url');
  const fingerprint = digest.slice(0, fingerprintCharacters);
  return {
    /** Errors: invalid_parameter `sort` for a value too long for a cursor. */
    encode(position: SortPosition) {
      assertShort(position, sort);
      return Buffer.from(JSON.stringify([fingerprint, ...position])).toString('base64url');
    },
    /** An empty cursor begins, and has no position. Errors: invalid_parameter, cursor_mismatch. */
    decode(cursor: string): SortPosition | undefined {
      if (cursor === '') return undefined;
      const [found, ...position] = parse(cursor);
      if (found !== fingerprint) throw cursorMismatch('from, where, values, sort, fields and include');
      if (!isPositionOf(position, sort)) throw notOurs();
      return position;
    },
  };
}

function assertShort(position: SortPosition, sort: BoundSort): void {
  const index = position.findIndex((value) => typeof value === 'string' && value.length > maxCharacters);
  if (index < 0) return;
  const field = JSON.stringify(sort[index]?.path.text);
  const reason = `cannot be by ${field} with "cursor": a cursor has room for ${maxCharacters} characters, and a value is longer`;
  throw invalidParameter('sort', reason);
}

/** Creates the error for a page by cursor that has an offset too. */
export const offsetWithCursor = () => invalidParameter('offset', 'cannot be combined with "cursor"');

const notOurs = () => invalidParameter('cursor', 'is not a cursor that this server has returned');

function parse(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(value) && typeof value[0] === 'string') return value;
  } catch {
    // Not JSON: reported below.
  }
  throw notOurs();
}

/** Whether the values are of the types that the order compares; those of a field may have changed since. */
function isPositionOf(values: readonly unknown[], sort: BoundSort): values is SortPosition {
  return (
    values.length === sort.length &&
    sort.every(({ path: { leaf } }, n) => {
      const value = values[n];
      if (leaf.kind === 'id') return typeof value === 'string' && isUuid(value);
      if (value === null) return leaf.kind !== 'type';
      const family = familyOf(leaf);
      return typeof value === (family === 'number' || family === 'boolean' ? family : 'string');
    })
  );
}
