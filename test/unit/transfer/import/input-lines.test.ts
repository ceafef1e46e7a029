/** Lines of an import: how the input is split, and which `_id` a line gets. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUuid } from '../../../../src/base/uuid.ts';
import { idOfLine } from '../../../../src/transfer/import/assign-id.ts';
import { createLineSplitter, type RawLine } from '../../../../src/transfer/import/split-lines.ts';

const start = { byte: 0, line: 0 };

/** Splits a text that arrives in chunks ending at the given offsets. */
function split(bytes: Buffer, cuts: readonly number[] = [], maxLineBytes = 1000): RawLine[] {
  const splitter = createLineSplitter(start, maxLineBytes);
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  const lines = edges.slice(1).flatMap((edge, index) => splitter.push(bytes.subarray(edges[index], edge)));
  return [...lines, ...splitter.end()];
}

const texts = (lines: readonly RawLine[]) => lines.map(({ bytes }) => bytes?.toString());

describe('lines', () => {
  it('end at \\n or \\r\\n, and the last one at the end', () => {
    const lines = split(Buffer.from('a\r\nb\n\n\rc\r\rd'));
    expect(texts(lines)).toEqual(['a', 'b', '', '\rc\r\rd']);
    expect(lines.map(({ number, start, end }) => [number, start, end])).toEqual([
      [1, 0, 3],
      [2, 3, 5],
      [3, 5, 6],
      [4, 6, 11],
    ]);
  });

  it('are empty for an empty input', () => expect(split(Buffer.from(''))).toEqual([]));

  it('do not depend on the chunks of the input', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'ü', '€', '\r', '\u2028', '\0') });
    fc.assert(
      fc.property(fc.array(line), fc.boolean(), fc.array(fc.nat(200)), (lines, hasEnd, cuts) => {
        const bytes = Buffer.from(lines.join('\n') + (hasEnd ? '\n' : ''));
        const whole = split(bytes);
        expect(split(bytes, cuts)).toEqual(whole);
        const rebuilt = whole.map(({ start, end }) => bytes.subarray(start, end));
        expect(Buffer.concat(rebuilt)).toEqual(bytes);
      }),
    );
  });

  it('longer than the limit have a position but no bytes, and later lines are unaffected', () => {
    const bytes = Buffer.from(`${'x'.repeat(10)}\n${'y'.repeat(11)}\nz\n${'w'.repeat(50)}`);
    const lines = split(bytes, [3, 12, 15, 17, 30], 10);
    expect(texts(lines)).toEqual(['x'.repeat(10), undefined, 'z', undefined]);
    expect(lines.at(1)).toEqual({ number: 2, start: 11, end: 23 });
    expect(lines.at(3)).toEqual({ number: 4, start: 25, end: 75 });
  });

  it('are counted from the start of the splitter', () => {
    const splitter = createLineSplitter({ byte: 100, line: 7 }, 10);
    expect(splitter.push(Buffer.from('a\n'))).toEqual([
      { number: 8, start: 100, end: 102, bytes: Buffer.from('a') },
    ]);
  });
});

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
