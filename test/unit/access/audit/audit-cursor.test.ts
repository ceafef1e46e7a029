/** Cursors of the audit are valid for one filter and one line of history only. */
import { describe, expect, it } from 'vitest';
import { readCursor, toCursor } from '../../../../src/access/audit/audit-log.ts';

const filter = { types: ['a.B'], fromMs: 5 };
const scope = { filter, epoch: 'e1' };

describe('a cursor', () => {
  it.each([1, 35, 36, 2 ** 40, Number.MAX_SAFE_INTEGER])('leads back to the position %d', (seq) => {
    expect(readCursor(toCursor(seq, scope), scope)).toBe(seq);
  });

  it('does not depend on the order of the filters', () => {
    const other = { filter: { fromMs: 5, types: ['a.B'] }, epoch: 'e1' };
    expect(readCursor(toCursor(7, scope), other)).toBe(7);
  });

  it('is refused with other filters, in another line of history, and when it was changed', () => {
    const cursor = toCursor(7, scope);
    const refusal = expect.objectContaining({ code: 'invalid_parameter' });
    const wrong = [
      () => readCursor(cursor, { ...scope, filter: { ...filter, fromMs: 6 } }),
      () => readCursor(cursor, { ...scope, epoch: 'e2' }),
      () => readCursor(`zzzzzzzzzzz${cursor.slice(1)}`, scope),
      ...['', '7', '.', "' or 1=1", '%00', cursor.slice(0, -1)].map((text) => () => readCursor(text, scope)),
    ];
    for (const read of wrong) expect(read).toThrow(refusal);
  });
});
