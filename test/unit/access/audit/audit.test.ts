/** The audit: its cursor, and its changes as CSV. */

import { describe, expect, it } from 'vitest';
import type { AuditedChange } from '../../../../src/access/audit/audit-log.ts';
import { readCursor, toCursor } from '../../../../src/access/audit/audit-log.ts';
import { csvHead, toCsv } from '../../../../src/access/audit/changes-csv.ts';

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

const change: AuditedChange = {
  id: 'v2',
  seq: 12,
  atMs: Date.UTC(2026, 10, 22, 19, 0, 0, 5),
  action: 'update',
  description: 'Changed name, body of Article',
  type: 'com.example.Article',
  typeName: 'Article',
  asset: '0191f3a0-5b7e-7c11-9d2e-000000000001',
  number: 2,
  changed: ['name', 'body'],
  version: 'v2',
  previousVersion: 'v1',
  by: { kind: 'client', id: 'importer', name: 'Nightly import' },
};

const cellsOf = (changed: Partial<AuditedChange>) => toCsv([{ ...change, ...changed }]);

describe('the CSV of changes', () => {
  it('has a column for each name in its first line', () => {
    expect(csvHead).toBe(
      'seq,at,action,description,type,asset,name,changed,byKind,byId,byName,run,requestId,id,version,previousVersion\r\n',
    );
    expect(toCsv([change])).toBe(
      '12,2026-11-22T19:00:00.005Z,update,"Changed name, body of Article",com.example.Article,' +
        '0191f3a0-5b7e-7c11-9d2e-000000000001,,name body,client,importer,Nightly import,,,v2,v2,v1\r\n',
    );
  });

  it('quotes commas, quotes and line breaks', () => {
    expect(cellsOf({ by: { kind: 'client', name: 'a "b", c\nd' } })).toContain(',"a ""b"", c\nd",');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])('keeps %j from being a formula', (name) => {
    const cells = cellsOf({ by: { kind: 'client', name } });
    expect(cells).toMatch(new RegExp(`,"?'${RegExp.escape(name)}"?,`));
  });

  it('leaves numbers and texts with such a character inside as they are', () => {
    expect(cellsOf({ by: { kind: 'client', name: 'a=b' } })).toContain(',a=b,');
    expect(toCsv([])).toBe('');
  });
});
