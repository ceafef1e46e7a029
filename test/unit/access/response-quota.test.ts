import { describe, expect, it } from 'vitest';
import { createResponseQuota } from '../../../src/access/idempotency/idempotency-records.ts';

const hourMs = 60 * 60 * 1000;

describe('kept responses', () => {
  it('are bounded for each sender until the oldest of them have expired', () => {
    let nowMs = 1_000 * hourMs;
    const kept = createResponseQuota({ nowMs: () => nowMs }, 1_000);
    kept.add('ada', 600);
    nowMs += hourMs;
    kept.assertRoom('ada');
    kept.add('ada', 600);
    expect(() => kept.assertRoom('ada')).toThrow(
      'The responses kept for this client need too much space; try again in 86400 seconds',
    );
    kept.assertRoom('grace');
    nowMs += 23 * hourMs;
    expect(() => kept.assertRoom('ada')).toThrow('try again in 3600 seconds');
    nowMs += hourMs;
    kept.assertRoom('ada');
  });
});
