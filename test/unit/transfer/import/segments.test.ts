import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  readSegments,
  type Segment,
  type SegmentSpan,
  splitSegment,
} from '../../../../src/transfer/import/segments.ts';
import type { Position } from '../../../../src/transfer/import/split-lines.ts';

interface Wanted {
  readonly position?: Position;
  readonly underWay?: readonly SegmentSpan[];
  readonly lines?: number;
  readonly bytes?: number;
}

async function read(text: string, wanted: Wanted = {}): Promise<Segment[]> {
  const { position = { byte: 0, line: 0 }, underWay = [], lines = 3, bytes = 1000 } = wanted;
  const whole = Buffer.from(text);
  const input = {
    name: 'it',
    identity: 'it',
    size: whole.length,
    isTerminated: true,
    chunks: (from: number) => Readable.from([whole.subarray(from)]),
    close: () => {},
  };
  const limits = { lines, bytes };
  return Readable.from(readSegments({ input, position, underWay, limits, maxLineBytes: 100 })).toArray();
}

const textOf = (lines: number) => Array.from({ length: lines }, (_, n) => `{"n":${n + 1}}\n`).join('');
const numbersOf = (segments: readonly Segment[]) =>
  segments.map(({ lines }) => lines.map(({ number }) => number));

describe('segments', () => {
  it('are limited in lines and bytes', async () => {
    expect(numbersOf(await read(textOf(7)))).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
    expect(numbersOf(await read(textOf(5), { bytes: 16 }))).toEqual([[1, 2], [3, 4], [5]]);
    expect(numbersOf(await read(textOf(2), { bytes: 1 }))).toEqual([[1], [2]]);
    expect(await read('')).toEqual([]);
  });

  it('cover the input without gaps', async () => {
    const lines = fc.array(fc.constantFrom('{}', '', '{', '{"a":"ü"}', 'x'.repeat(101)));
    await fc.assert(
      fc.asyncProperty(lines, fc.integer({ min: 1, max: 200 }), async (some, bytes) => {
        const text = some.join('\n');
        const segments = await read(text, { bytes });
        const ends = segments.map(({ end }) => end);
        expect(segments.map(({ start }) => start)).toEqual([0, ...ends].slice(0, segments.length));
        expect(ends.at(-1) ?? 0).toBe(Buffer.byteLength(text));
      }),
    );
  });

  it('are resumed: first those in progress, then the rest', async () => {
    const text = textOf(20);
    const all = await read(text);
    const underWay = [all[1], all[3]].flatMap((segment) => segment ?? []);
    const position = { byte: all[3]?.end ?? 0, line: 12 };
    const resumed = await read(text, { underWay, position, lines: 5 });
    expect(numbersOf(resumed)).toEqual([
      [4, 5, 6],
      [10, 11, 12],
      [13, 14, 15, 16, 17],
      [18, 19, 20],
    ]);
    expect(resumed.slice(0, 2)).toEqual(underWay);
    expect(await read(text, { position: { byte: text.length, line: 20 } })).toEqual([]);
  });

  it('in progress that have changed are refused', async () => {
    const [first] = await read(textOf(3));
    const underWay = first ? [first] : [];
    const position = { byte: first?.end ?? 0, line: 3 };
    const changed = textOf(3).replace('2', '9');
    await expect(read(changed, { underWay, position })).rejects.toThrow(/line 1 has changed/);
    await expect(read('', { underWay, position })).rejects.toThrow(/has changed since/);
  });

  it('can be halved down to a single line', async () => {
    const [segment] = await read(textOf(3));
    const [left, right] = segment ? splitSegment(segment) : [];
    expect(numbersOf([left, right].flatMap((half) => half ?? []))).toEqual([[1, 2], [3]]);
    expect(right).toMatchObject({ start: 16, end: 24, firstLine: 3, lastLine: 3 });
  });
});
