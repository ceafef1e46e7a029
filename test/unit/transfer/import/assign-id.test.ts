import { describe, expect, it } from 'vitest';
import { isUuid } from '../../../../src/base/uuid.ts';
import { idOfLine } from '../../../../src/transfer/import/assign-id.ts';

const identity = { id: 'import', startedMs: 1_767_225_600_000 };

describe('the _id of a line', () => {
  const ids = Array.from({ length: 10_000 }, (_, line) => idOfLine(identity, line + 1));

  it('is a UUID version 7, unique per line and in the order of the lines', () => {
    expect(ids.every((id) => isUuid(id) && /^.{14}7.{4}[89ab]/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
    expect(Number.parseInt(ids[0]?.replaceAll('-', '').slice(0, 12) ?? '', 16)).toBe(identity.startedMs);
  });

  it('is the same on each run, and differs between imports', () => {
    expect(idOfLine(identity, 1)).toBe(ids[0]);
    expect(idOfLine({ ...identity, id: 'other' }, 1)).not.toBe(ids[0]);
  });
});
