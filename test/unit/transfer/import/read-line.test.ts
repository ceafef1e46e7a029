import { describe, expect, it } from 'vitest';
import { readLine } from '../../../../src/transfer/import/read-line.ts';

const read = (bytes: Buffer | string | undefined) => {
  const line = { number: 1, start: 5, end: 9 };
  return readLine(bytes === undefined ? line : { ...line, bytes: Buffer.from(bytes) }, 100);
};
const reasonOf = (bytes: Buffer | string | undefined) => {
  const content = read(bytes);
  return content.kind === 'broken'
    ? [content.problems[0]?.message, JSON.parse(`{${content.kept}}`)]
    : content.kind;
};

describe('a line', () => {
  it('is an asset, with its exact text', () => {
    const text = ' {"_type":"T", "size":1.50, "__proto__":{"a":1}} ';
    expect(read(text)).toMatchObject({ kind: 'asset', text });
  });

  it.each(['', ' \t', '\ufeff', '\ufeff\r'])('of nothing, %j, is blank', (text) =>
    expect(read(text)).toEqual({ kind: 'blank' }),
  );

  it('may begin with a byte order mark', () => {
    expect(read('\ufeff{"_type":"T"}')).toMatchObject({ kind: 'asset', text: '{"_type":"T"}' });
  });

  it.each([
    ['{"a":1', /^is not valid JSON/, { text: '{"a":1' }],
    ['{"a":"\0"}', /^is not valid JSON/, { text: '{"a":"\0"}' }],
    ['{"a":1} {"a":2}', /^is not valid JSON/, { text: '{"a":1} {"a":2}' }],
    ['{"a":1,"b":{"a":1,"a":2}}', /name twice/, { text: '{"a":1,"b":{"a":1,"a":2}}' }],
    ['[1]', /^must be a JSON object$/, { text: '[1]' }],
    ['"a"', /^must be a JSON object$/, { text: '"a"' }],
    [Buffer.from([0x7b, 0xc3, 0x28]), /^is not UTF-8$/, { base64: 'e8Mo' }],
    [Buffer.from('\ud800', 'utf16le'), /^is not UTF-8$/, { base64: 'ANg=' }],
    [undefined, /^has 4 bytes, at most 100 are allowed$/, { bytes: [5, 9] }],
  ])('%j is broken, and kept', (line, reason, kept) => {
    expect(reasonOf(line)).toEqual([expect.stringMatching(reason), kept]);
  });

  it('may be as deep as a body that contains it', () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    expect(read(nested(61)).kind).toBe('asset');
    expect(reasonOf(nested(62))).toEqual([expect.stringMatching(/deeper than 61/), expect.anything()]);
    expect(read('['.repeat(100_000)).kind).toBe('broken');
  });
});

describe('a line of a report', () => {
  const report = (member: object) => JSON.stringify({ line: 12, problems: [], ...member });

  it('is the asset in it', () => {
    expect(read(report({ asset: { _type: 'T', line: 1 } }))).toEqual({
      kind: 'asset',
      asset: { _type: 'T', line: 1 },
      text: '{"_type":"T","line":1}',
    });
  });

  it('with text is read as that text', () => {
    expect(read(report({ text: '{"_type":"T"}' }))).toMatchObject({ kind: 'asset', text: '{"_type":"T"}' });
    expect(reasonOf(report({ text: '{' }))).toEqual([expect.stringMatching(/JSON/), { text: '{' }]);
  });

  it('about an existing asset has references to check again', () => {
    const _ref = '01935e49-02aa-7b10-8c33-5d1f6a90e412';
    const written = { _id: 'a', unresolved: [{ path: 'author', _ref, _type: 'T' }] };
    expect(read(report({ written }))).toEqual({ kind: 'written', written });
    const hostile = { _id: 'a', unresolved: [{ path: 'author', _ref: `x' or true`, _type: 'T' }] };
    expect(read(report({ written: hostile })).kind).toBe('broken');
  });

  it.each([{ base64: 'e8Mo' }, { bytes: [5, 9] }, {}])(
    'that kept no asset, %j, is broken still',
    (member) => {
      expect(reasonOf(report(member))).toEqual([
        expect.stringMatching(/corrected/),
        { text: report(member) },
      ]);
    },
  );

  it('is not a report when it has an _id or _type, because content types may have such fields', () => {
    expect(read(report({ _type: 'T', asset: {} }))).toMatchObject({ kind: 'asset', asset: { _type: 'T' } });
    expect(read(report({ _id: 'x' }))).toMatchObject({ kind: 'asset' });
  });
});
