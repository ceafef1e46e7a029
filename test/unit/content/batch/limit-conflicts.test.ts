import { describe, expect, it } from 'vitest';
import { editConflict } from '../../../../src/base/errors.ts';
import { refuse } from '../../../../src/content/batch/batch.ts';
import { limitConflicts, limitConflictsOf } from '../../../../src/content/batch/limit-conflicts.ts';

describe('conflicts within the limit', () => {
  it('keep their values', () => {
    const conflicts = [{ path: 'a', base: 1, theirs: 2, yours: 3 }, { path: 'b' }];
    expect(limitConflicts(conflicts)).toEqual(conflicts);
  });
});

describe('conflicts beyond the limit', () => {
  it('have their paths alone, also when a later one would fit', () => {
    const large = { path: 'b', theirs: 'x'.repeat(200) };
    const conflicts = [{ path: 'a', theirs: 1 }, large, { path: 'c', theirs: 1 }];
    expect(limitConflicts(conflicts, 100)).toEqual([
      { path: 'a', theirs: 1 },
      { path: 'b', omitted: true },
      { path: 'c', omitted: true },
    ]);
  });
});

describe('the outcomes of a batch', () => {
  it('share the limit, and keep their order', () => {
    const done = { kind: 'done', effect: 'updated', id: 'd', unresolved: [], unfit: [] } as const;
    const refused = (path: string) => refuse(editConflict('x', [{ path, theirs: 'x'.repeat(60) }]));
    const outcomes = limitConflictsOf([refused('a'), done, refused('b')], 100);
    expect(outcomes[1]).toBe(done);
    const conflicts = outcomes.map((outcome) => outcome.kind === 'refused' && outcome.error.details);
    expect(conflicts).toEqual([
      { id: 'x', conflicts: [{ path: 'a', theirs: expect.any(String) }] },
      false,
      { id: 'x', conflicts: [{ path: 'b', omitted: true }] },
    ]);
  });
});
