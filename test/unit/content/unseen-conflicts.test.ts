import { describe, expect, it } from 'vitest';
import { createUnseenConflicts } from '../../../src/content/overlay/unseen-conflicts.ts';

const minuteMs = 60_000;

describe('conflicts with assets that a sender may not see', () => {
  it('may be 20 within any hour, for each sender', () => {
    let nowMs = 0;
    const conflicts = createUnseenConflicts(() => nowMs);
    for (let n = 0; n < 20; n++, nowMs += minuteMs) conflicts.count('client a');
    expect(() => conflicts.count('client a')).toThrow('try again in 2400 seconds');
    expect(() => conflicts.assertMayCheck('client a')).toThrow('too many checks');
    conflicts.assertMayCheck('client b');
    nowMs = 60 * minuteMs;
    conflicts.count('client a');
    expect(() => conflicts.assertMayCheck('client a')).toThrow('try again in 60 seconds');
  });

  it('of several processes are counted together', () => {
    const [one, other] = [createUnseenConflicts(), createUnseenConflicts()];
    one.onCount(other.apply);
    for (let n = 0; n < 20; n++) one.count('client a');
    expect(() => other.assertMayCheck('client a')).toThrow('too many checks');
  });
});
