import { describe, expect, it, vi } from 'vitest';
import { describe as describePace, drawBar, showProgress } from '../../../src/transfer/progress.ts';

const pace = {
  first: { lines: 1000, done: 500 },
  latest: { lines: 13_000, done: 12_500, total: 50_000, failed: 2 },
  elapsedMs: 4000,
};

describe('progress', () => {
  it('shows lines, rate, failures and remaining time', () => {
    expect(describePace(pace)).toEqual(['13,000 lines', '3,000/s', '2 failed', '0:13 left']);
    expect(describePace({ ...pace, elapsedMs: 40_000_000 })).toContain('34:43:20 left');
    expect(describePace({ ...pace, unit: 'assets' })[0]).toBe('13,000 assets');
  });

  it('omits unknown values', () => {
    expect(describePace({ ...pace, latest: { lines: 13_000, done: 12_500 } })).toEqual([
      '13,000 lines',
      '3,000/s',
    ]);
    expect(describePace({ ...pace, latest: pace.first, elapsedMs: 0 })).toEqual(['1,000 lines', '0/s']);
  });

  it('shows a bar that fits the width', () => {
    expect(drawBar(pace, 80)).toBe(
      '[#######---------------------]  25%  13,000 lines  3,000/s  2 failed  0:13 left',
    );
    for (let columns = 1; columns < 200; columns++)
      expect(drawBar(pace, columns).length).toBeLessThan(columns + 1);
    expect(drawBar(pace, 30)).toBe(' 25%  13,000 lines  3,000/s  ');
  });

  it('is full at the end and never more', () => {
    const end = { ...pace, latest: { ...pace.latest, done: 60_000 } };
    expect(drawBar(end, 100)).toMatch(/^\[#+\] 100%/);
  });

  it('has no bar when the total is unknown', () => {
    expect(drawBar({ ...pace, latest: { lines: 5, done: 5 } }, 80)).toMatch(/^5 lines {2}/);
  });

  it('shows a step that has no figures with the time that has passed, until there are figures', () => {
    vi.useFakeTimers();
    try {
      const written: string[] = [];
      const screen = { columns: () => 80, write: (text: string) => void written.push(text) };
      const display = showProgress({ screen, clock: { nowMs: Date.now } });
      display.begin('checking the indexes');
      vi.advanceTimersByTime(61_000);
      expect(written.at(-1)).toBe('\rchecking the indexes  1:01\x1b[K');
      display.update({ lines: 5, done: 5 });
      vi.advanceTimersByTime(200);
      expect(written.at(-1)).toMatch(/^\r5 lines/);
      display.end();
      expect(written.at(-1)).toBe('\r\x1b[K');
    } finally {
      vi.useRealTimers();
    }
  });
});
