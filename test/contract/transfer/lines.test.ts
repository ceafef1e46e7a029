/** Input lines: invalid lines of every kind, encodings, sizes; and the report of rejected lines, which is itself an input. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { describeOnEachStore, type StoreLocation, sqliteLocation } from '../../support/stores.ts';
import { author, authorType, idOf, type LineAsset, textType } from './content.ts';
import { namesAt, onServer, onStore, run, summaryOf, workspaceForEach } from './workspace.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

let location: StoreLocation;
const work = workspaceForEach();

const text = (name: string): LineAsset => ({ _type: textType, name });
const slugged = (n: number): LineAsset => {
  const { _id, ...rest } = author(n);
  return rest;
};

const badLines: [string, string | Buffer, RegExp][] = [
  ['a broken line', '{"_type":', /^is not valid JSON/],
  ['a name given twice', `{"_type":"${textType}","name":"a","name":"b"}`, /name twice/],
  ['a list', `["_type"]`, /^must be a JSON object/],
  ['a string', `"${textType}"`, /^must be a JSON object/],
  ['a NUL', `{"_type":"${textType}","name":"a\0"}`, /^is not valid JSON/],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), /^is not UTF-8/],
  ['a thousand levels', `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`, /nested deeper/],
  ['no type', '{"name":"a"}', /^_type/],
  ['an empty object', '{}', /^_type/],
  ['a type that is a number', '{"_type":5,"name":"a"}', /^_type/],
  ['an unknown type', '{"_type":"nope","name":"a"}', /^_type .*nope/],
  ['an interface', '{"_type":"com.example.news.Page","name":"a"}', /^_type .*interface/],
  ['an _id that is no UUID', `{"_id":"a","_type":"${textType}","name":"a"}`, /^_id must be a UUID/],
  ['an _id of null', `{"_id":null,"_type":"${textType}","name":"a"}`, /^_id/],
  ['an unknown field', `{"_type":"${textType}","name":"a","nane":"b"}`, /^nane/],
  ['a missing field', `{"_type":"${textType}"}`, /^name is required/],
  ['a broken constraint', JSON.stringify({ ...slugged(1), slug: 'A B' }), /^slug/],
  [
    'a wrong reference',
    JSON.stringify({ ...slugged(1), slug: 'x', portrait: 'here' }),
    /^portrait must be a reference/,
  ],
  ['a slug in use', JSON.stringify(slugged(0)), /^slug .*in use/],
  ['an _id in use', JSON.stringify({ ...text('again'), _id: idOf(0) }), /^_id .*already/],
];

describeOnEachStore('an import of valid and invalid lines', (locations) => {
  it.each(['over HTTP', 'directly', 'as a dry run'])(
    'imports the valid lines and reports the invalid ones, %s',
    async (way) => {
      location = locations();
      const site = await work.reach(way === 'over HTTP' ? way : 'directly', location);
      const file = work.path('bad.ndjson');
      const good = [text('first'), text('last')].map((asset) => JSON.stringify(asset));
      const lines = [
        JSON.stringify(author(0)),
        good[0] ?? '',
        ...badLines.map(([, line]) => line),
        '',
        good[1] ?? '',
      ];
      writeFileSync(
        file,
        Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]).slice(0, -1)),
      );
      const dry = way === 'as a dry run' ? ['--dry-run'] : [];
      const outcome = await run('import', site, [file, '--json', ...dry]);
      expect(outcome.exitCode).toBe(1);
      expect(summaryOf(outcome)).toMatchObject({
        complete: true,
        lines: lines.length,
        created: 3,
        failed: badLines.length,
      });
      const report = work.lines('bad.ndjson.failed.ndjson') as {
        line: number;
        problems: { path: string; message: string }[];
      }[];
      const reasons = report.map(({ line, problems: [problem] }) => [
        line,
        `${problem?.path} ${problem?.message}`.trim(),
      ]);
      expect(reasons).toEqual(badLines.map(([, , reason], n) => [n + 3, expect.stringMatching(reason)]));
      expect(outcome.stderr).toMatch(/^line 3: is not valid JSON/m);
      expect(await namesAt(site, textType)).toEqual(way === 'as a dry run' ? [] : ['first', 'last']);
    },
  );
});

describe('a report', () => {
  it('can be imported: corrected lines succeed, the others are reported again', async () => {
    location = sqliteLocation();
    const site = onStore(location);
    const file = work.input([
      text('good'),
      { _type: textType, nmae: 'typo' },
      '{"_type":',
      { _type: 'nope' },
    ]);
    expect(await run('import', site, [file])).toMatchObject({ exitCode: 1 });
    const report = `${file}.failed.ndjson`;
    const corrected = readFileSync(report, 'utf8')
      .replaceAll('nmae', 'name')
      .replace(String.raw`"text":"{\"_type\":"`, `"asset":${JSON.stringify(text('mended'))}`);
    writeFileSync(report, corrected);
    const again = await run('import', site, [report, '--json']);
    expect(summaryOf(again)).toMatchObject({ created: 2, failed: 1 });
    expect(again.stderr).toMatch(/^line 3: _type .*nope/m);
    expect(await namesAt(site, textType)).toEqual(['good', 'mended', 'typo']);
    expect(work.lines('input.ndjson.failed.ndjson.failed.ndjson')).toMatchObject([
      { line: 3, asset: { _type: 'nope' } },
    ]);
  });

  it('never overwrites the input', async () => {
    location = sqliteLocation();
    const file = work.input(['{']);
    const { exitCode, stderr } = await run('import', onStore(location), [file, '--report', file]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('is the input itself')]);
    expect(readFileSync(file, 'utf8')).toBe('{\n');
  });

  it('and the journal remain after an import with failures, and a second run duplicates nothing', async () => {
    location = sqliteLocation();
    const file = work.input([text('good'), '{']);
    const first = await run('import', onStore(location), [file, '--json']);
    const second = await run('import', onStore(location), [file, '--json']);
    expect([first.exitCode, second.exitCode]).toEqual([1, 1]);
    expect(second.stdout).toBe(first.stdout);
    expect(await namesAt(onStore(location), textType)).toEqual(['good']);
    expect(summaryOf(await run('import', onStore(location), [file, '--json', '--restart']))).toMatchObject({
      created: 1,
    });
  });
});

describe('an encoding', () => {
  beforeEach(() => {
    location = sqliteLocation();
  });
  const lines = [text('ä€😀'), text('b')].map((asset) => JSON.stringify(asset));

  it.each([
    ['a byte order mark', `\ufeff${lines.join('\n')}\n`],
    ['\\r\\n', lines.join('\r\n')],
    ['no \\n at the end, and blank lines', `\n\n${lines.join('\n \n')}`],
    [
      'two concatenated files that each have a byte order mark',
      lines.map((line) => `\ufeff${line}\n`).join(''),
    ],
  ])('with %s is accepted', async (_, content) => {
    writeFileSync(work.path('it'), content);
    expect(await run('import', onStore(location), [work.path('it')])).toMatchObject({ exitCode: 0 });
    expect(await namesAt(onStore(location), textType)).toEqual(['b', 'ä€😀']);
    expect(existsSync(work.path('it.journal'))).toBe(false);
    expect(existsSync(work.path('it.failed.ndjson'))).toBe(false);
  });

  it.each([
    ['UTF-16', Buffer.from(`\ufeff${lines.join('\n')}`, 'utf16le'), /must be in UTF-8; iconv/],
    ['gzip', gzipSync(lines.join('\n')), /gunzip -c/],
  ])('%s is rejected before anything is written', async (_, content, reason) => {
    writeFileSync(work.path('it'), content);
    const { exitCode, stderr } = await run('import', onStore(location), [work.path('it')]);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(reason)]);
    expect(existsSync(work.path('it.journal'))).toBe(false);
  });
});

describe('a long line', () => {
  it('of 10 MB is imported or, beyond the limit of the target, reported; one of 17 MB is not kept in memory', async () => {
    location = sqliteLocation();
    const large = { ...text('large'), text: 'x'.repeat(10_000_000) };
    const larger = { ...text('larger'), text: 'x'.repeat(17_000_000) };
    const file = work.input([text('a'), large, larger, text('b')]);
    const direct = await run('import', onStore(location), [file, '--json']);
    expect(summaryOf(direct)).toMatchObject({ created: 3, failed: 1 });
    expect(work.lines('input.ndjson.failed.ndjson')).toMatchObject([
      { line: 3, bytes: [expect.any(Number), expect.any(Number)] },
    ]);
    const other = sqliteLocation();
    const server = await work.serve(other);
    const served = await run('import', onServer(server), [file, '--json', '--restart']);
    expect(summaryOf(served)).toMatchObject({ created: 2, failed: 2 });
    expect(served.stderr).toMatch(/^line 2: is too large for the target: .* \d+ bytes$/m);
    expect(served.stderr).toMatch(/^line 3: has [\d,]+ bytes, at most 16,777,216 are allowed/m);
  });
});

describe('failures and doubts', () => {
  it('are grouped by cause, name lines that are repeated and limits, and dates that look like seconds', async () => {
    location = sqliteLocation();
    const dated = {
      ...author(6),
      'cms.content.publishDate': 1_700_000_000,
      'cms.content.updateDate': '2026-11-27T12:00:00Z',
    };
    const file = work.input([
      author(0),
      { ...author(2), _id: idOf(0) },
      slugged(0),
      ...Array.from({ length: 9 }, (_, n) => ({ ...author(10 + n), name: null, slug: `A ${n}` })),
      { ...text('many'), text: Array.from({ length: 100_996 }, () => 1) },
      dated,
    ]);
    const outcome = await run('import', onStore(location), [file, '--json']);
    expect(summaryOf(outcome)).toMatchObject({ created: 2, failed: 12 });
    const shown = outcome.stderr.split('\n');
    expect(shown.filter((line) => line.startsWith('line ')).map((line) => line.replace(/:.*/, ''))).toEqual([
      'line 2',
      'line 3',
      ...[4, 5, 6].flatMap((line) => [`line ${line}`]),
      ...[4, 5, 6].flatMap((line) => [`line ${line}`]),
      'line 13',
    ]);
    expect(shown.filter((line) => line === '  and 6 more like this, 9 in all')).toHaveLength(2);
    expect(outcome.stderr).toMatch(/^line 2: _id .*; line 1 has it, too$/m);
    expect(outcome.stderr).toMatch(/^line 3: slug .*; line 1 has it, too$/m);
    expect(outcome.stderr).toMatch(/^line 13: has 101,000 JSON values, at most 100,000 are allowed$/m);
    expect(outcome.stderr).toContain(
      'look like seconds, but dates are in milliseconds: line 14: cms.content.publishDate',
    );
    const { stdout } = await run('export', onStore(location), [
      '--from',
      authorType,
      '--where',
      "slug = 'author-6'",
    ]);
    expect(JSON.parse(stdout)['cms.content.updateDate']).toBe(Date.UTC(2026, 10, 27, 12));
  });
});
