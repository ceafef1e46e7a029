/** `colophon types check`: on a store with content, a published mapping and a client, and on the server of that store. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TypesReport } from '../../../generated/server/admin.ts';
import { type Environment, environmentOf, runCommand } from '../../support/command-line.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../support/instance.ts';
import { describeOnEachStore, type StoreLocation, sqliteLocation } from '../../support/stores.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

const present = `
  type Note @contentType(class: "x.Note") { title: String text: String slug: String }
  type Plan @contentType(class: "x.Plan") { name: String note: Note }`;
const query = `query Notes {
  noteList { items { title text } }
}`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'colophon-types-check-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function writeTypes(sdl: string): string {
  const file = join(folder, `types-${++files}.graphql`);
  writeFileSync(file, sdl);
  return file;
}

/** The present types with one text replaced. */
const changed = (before: string, after: string) => {
  expect(present).toContain(before);
  return writeTypes(present.replace(before, after));
};

describeOnEachStore('colophon types check', (locations) => {
  let location: StoreLocation;
  let instance: TestInstance;
  let environment: Environment;
  let types: string;
  let admin: ClientHeaders;
  let reader: ClientHeaders;
  const ids: string[] = [];

  beforeAll(async () => {
    location = locations();
    types = mkdtempSync(join(folder, 'present-'));
    writeFileSync(join(types, 'present.graphql'), present);
    instance = await startInstance(location, { typesDir: types });
    environment = environmentOf(location);
    const { restEndpoints } = instance.services;
    const body = { name: 'Notes', source: 'delivery', access: 'API_KEY', mappings: [{ name: 'All', query }] };
    const { id } = await restEndpoints.create({ body, by: 'a test' });
    await restEndpoints.publish({ id, by: 'a test' });
    admin = await instance.createClient({ name: 'admin', scopes: ['admin'] });
    reader = await instance.createClient({ name: 'reader', scopes: ['graphql'] });
    await instance.refresh();
    for (const fields of [
      { title: 'one', text: 'x'.repeat(20), slug: 'same' },
      { title: 'two', slug: 'same' },
      { text: 'short', slug: 'other' },
    ])
      ids.push(await create(fields));
    await create({ _type: 'x.Plan', name: 'first', note: { _ref: ids[0], _type: 'x.Note' } });
    const answer = await fetch(`${instance.url}/notes/all`, { headers: reader });
    expect(answer.status).toBe(200);
    await instance.services.usage.flush();
  });
  afterAll(async () => {
    await instance.stop();
    await location.remove();
  });

  async function create(fields: object): Promise<string> {
    const response = await fetch(instance.cmaUrl, {
      method: 'POST',
      headers: { ...instance.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ _type: 'x.Note', ...fields }),
    });
    expect(response.status).toBe(200);
    // The response is an asset.
    return ((await response.json()) as { result: { _id: string } }).result._id;
  }

  const onServer = () => [
    '--url',
    instance.url,
    '--client-id',
    admin['X-Client-Id'],
    '--client-secret',
    admin['X-Client-Secret'],
  ];
  const check = (...words: string[]) => runCommand(['types', 'check', ...words], environment);
  async function report(...words: string[]): Promise<TypesReport> {
    const { exitCode, stdout, stderr } = await check(...words, '--json');
    expect(stdout, stderr).not.toBe('');
    const parsed: TypesReport = JSON.parse(stdout);
    expect(exitCode).toBe(parsed.counts.breaking > 0 ? 1 : 0);
    return parsed;
  }

  it('finds nothing when the types are those last served', async () => {
    expect(await report('--types', types)).toEqual({
      counts: { breaking: 0, attention: 0, safe: 0 },
      types: [],
      mappings: { checked: 2, brokenBefore: 0, broken: [] },
      documents: [],
      content: { isComplete: true, types: [] },
      clients: { days: 30, items: [] },
    });
  });

  it('accepts a new optional field', async () => {
    const outcome = await check('--types', changed('slug: String', 'slug: String extra: Int'));
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    expect(outcome.stdout).toMatch(
      /^0 breaking, 0 need attention, 4 safe\nChecked 2 mappings and 3 stored assets\.\n/,
    );
  });

  it('reports a removed field in the types, the mapping, the documents, the content and for the client', async () => {
    const without = changed('title: String', '');
    const found = await report('--types', without);
    expect(found.types).toEqual([
      { severity: 'breaking', type: 'x.Note', path: 'title', message: expect.stringContaining('is removed') },
    ]);
    const problem = { line: 2, column: 22, message: expect.stringContaining('"title"') };
    expect(found.mappings).toEqual({
      checked: 2,
      brokenBefore: 0,
      broken: ['draft', 'published'].map((state) => ({
        restEndpoint: 'Notes',
        mapping: 'All',
        state,
        problems: [problem],
      })),
    });
    expect(found.documents.map(({ document, place }) => `${document} ${place}`)).toEqual(
      expect.arrayContaining(['cma Note.title', 'cma NoteCreate.title', 'cma NoteUpdate.title']),
    );
    expect(found.content).toEqual({
      isComplete: true,
      types: [
        {
          type: 'x.Note',
          assets: 3,
          broken: 2,
          rules: [
            {
              path: 'title',
              message: expect.any(String),
              count: 2,
              ids: expect.arrayContaining(ids.slice(0, 2)),
            },
          ],
        },
      ],
    });
    expect(found.clients.items[0]).toEqual({
      clientId: reader['X-Client-Id'],
      method: 'GET',
      route: '/notes/all',
      requests: 1,
      use: 'broken',
    });
    expect(found.clients.items.slice(1)).toEqual([
      expect.objectContaining({ clientId: instance.headers['X-Client-Id'], method: 'POST', use: 'shared' }),
    ]);
    expect(await report('--types', without, ...onServer())).toEqual(found);
  });

  it.each([
    ['title: String', 'title: String!', 'title', 1],
    ['text: String', 'text: String @constraint(maxLength: 10)', 'text', 1],
    ['title: String', 'title: [String!]', 'title', 2],
    ['slug: String', 'slug: String @indexed(unique: true)', 'slug', 1],
  ])('counts the stored assets that no longer fit: %s -> %s', async (before, after, path, count) => {
    const { content } = await report('--types', changed(before, after));
    expect(content.types).toEqual([
      expect.objectContaining({
        type: 'x.Note',
        assets: 3,
        broken: count,
        rules: [expect.objectContaining({ path, count })],
      }),
    ]);
  });

  it.each([
    ['title: String', 'heading: String @was(name: "title")'],
    ['title: String', 'title: String! @default(value: "none")'],
    [
      'type Note @contentType(class: "x.Note")',
      'type Note @contentType(class: "y.Note") @was(class: "x.Note")',
    ],
    ['{ title: String', '@drops(fields: ["title"]) { '],
  ])('finds no broken asset when a directive covers the change: %s -> %s', async (before, after) => {
    const { content } = await report('--types', changed(before, after));
    expect(content.isComplete).toBe(true);
    expect(content.types.map(({ broken }) => broken)).not.toHaveLength(0);
    expect(content.types.flatMap(({ rules }) => rules)).toEqual([]);
  });

  it('counts all assets of a removed type', async () => {
    const { content, types: changes } = await report(
      '--types',
      writeTypes('type Note @contentType(class: "x.Note") { title: String text: String slug: String }'),
    );
    expect(changes).toEqual([{ severity: 'breaking', type: 'x.Plan', message: 'is removed' }]);
    expect(content.types).toMatchObject([
      { type: 'x.Plan', assets: 1, broken: 1, rules: [{ path: '', count: 1 }] },
    ]);
  });

  it('compares with a folder, a file and a server', async () => {
    const other = changed('slug: String', 'slug: String extra: Int');
    for (const against of [types, join(types, 'present.graphql')])
      expect((await report('--types', other, '--against', against)).types).toEqual([
        { severity: 'safe', type: 'x.Note', path: 'extra', message: 'is new and optional' },
      ]);
    const { types: changes } = await report(
      '--types',
      other,
      '--against',
      instance.url,
      ...onServer().slice(2),
    );
    expect(changes).toHaveLength(1);
    expect((await report('--types', other, '--against', other, ...onServer())).types).toEqual([]);
  });

  it('prints the worst first, and writes JUnit XML', async () => {
    const junit = join(folder, `report-${++files}.xml`);
    const { exitCode, stdout, stderr } = await check(
      '--types',
      changed('text: String', 'text: Int more: Boolean'),
      '--junit',
      junit,
    );
    expect([exitCode, stderr]).toEqual([1, 'colophon: The change of content types breaks something\n']);
    expect(stdout).toMatch(/^\d+ breaking, 0 need attention, \d+ safe\n/);
    expect(stdout.indexOf('BREAKING\n  types\n    x.Note text  is Int, and was String\n')).toBeGreaterThan(0);
    expect(stdout.indexOf('SAFE')).toBeGreaterThan(stdout.indexOf('BREAKING'));
    const xml = readFileSync(junit, 'utf8');
    const [, tests, failures] =
      /<testsuite name="types check" tests="(\d+)" failures="(\d+)"/.exec(xml) ?? [];
    expect(xml.match(/<testcase /g)).toHaveLength(Number(tests));
    expect(xml.match(/<failure /g)).toHaveLength(Number(failures));
    expect(xml).toContain('<testcase classname="mappings" name="no findings" time="0.000"/>');
    expect(xml).toContain('<failure message="is Int, and was String">');
  });

  it('sends a server at most 262,144 characters of SDL', async () => {
    const large = mkdtempSync(join(folder, 'large-'));
    for (const name of ['a', 'b'])
      writeFileSync(join(large, `${name}.graphql`), `# ${'x'.repeat(150_000)}\n`);
    const { exitCode, stderr } = await check('--types', large, ...onServer());
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining('must have at most 262144 characters in all'),
    ]);
  });

  it('refuses types that cannot be read, with the place', async () => {
    const wrong = writeTypes('type Note @contentType(class: "x.Note") { title: Unknown }');
    for (const words of [[], onServer()]) {
      const { exitCode, stderr } = await check('--types', wrong, ...words);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/types-\d+\.graphql:1:50 Unknown type "Unknown"/);
    }
  });
});

describe('colophon types check without a store', () => {
  it('needs types to compare with, and compares only the types and their document', async () => {
    const location = sqliteLocation();
    const environment = { ...environmentOf(location), COLOPHON_DATA_DIR: join(folder, 'none') };
    const check = (...words: string[]) => runCommand(['types', 'check', ...words], environment);
    const before = writeTypes(present);
    const after = changed('title: String', 'title: String!');
    expect(await check('--types', after)).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await check('--against', after)).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await check('--types', join(folder, 'nothing'))).toMatchObject({ exitCode: 2, stdout: '' });
    const { exitCode, stdout, stderr } = await check('--types', after, '--against', before, '--json');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('there is no store')]);
    expect(JSON.parse(stdout)).toMatchObject({ content: { types: [] }, mappings: { checked: 0 } });
    await location.remove();
  });
});
