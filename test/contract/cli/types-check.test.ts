/** `colophon types check`: on a store with content, a published mapping and a client, and on the server of that store. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { TypesReport } from '../../../generated/server/admin.ts';
import { type Environment, environmentOf, runCommand } from '../../support/command-line.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../support/instance.ts';
import { temporaryFolder } from '../../support/opened.ts';
import { describeOnEachStore, type StoreLocation, sqliteLocation } from '../../support/stores.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

const present = `
  type Note @contentType(class: "x.Note") { title: String text: String slug: String }
  type Plan @contentType(class: "x.Plan") { name: String note: Note }`;
const query = `query Notes {
  noteList { items { title text } }
  some: noteList(filter: { slug: { startsWith: "s" } }) { count }
}`;

const folder = temporaryFolder();

const cma = '/api/rest/cma/contents';
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
  let webhookId: string;
  const ids: string[] = [];

  beforeAll(async () => {
    location = locations();
    types = mkdtempSync(join(folder, 'present-'));
    writeFileSync(join(types, 'present.graphql'), present);
    instance = await startInstance(location, {
      typesDir: types,
      webhookPrivate: true,
      secretKey: 'a-key-that-only-this-test-has',
    });
    environment = environmentOf(location);
    const { restEndpoints } = instance.services;
    const body = { name: 'Notes', source: 'delivery', access: 'API_KEY', mappings: [{ name: 'All', query }] };
    const { id } = await restEndpoints.create({ body, by: 'a test' });
    await restEndpoints.publish({ id, by: 'a test' });
    const webhook = {
      url: 'http://127.0.0.1:9/',
      types: ['x.Note'],
      where: 'text = "x" or title = "y"',
    };
    webhookId = (
      await instance.services.webhooks.create({
        ...webhook,
        name: 'Titles',
        actions: ['create'],
        payload: 'thin',
      })
    ).status.webhook.id;
    admin = await instance.createClient({ name: 'admin', scopes: ['admin'] });
    reader = await instance.createClient({ name: 'reader', scopes: ['graphql', 'cma:read'] });
    await instance.refresh();
    for (const fields of [
      { title: 'one', text: 'x'.repeat(20), slug: 'same' },
      { title: 'two', slug: 'same' },
      { text: 'short', slug: 'other' },
    ])
      ids.push(await create(fields));
    await create({ _type: 'x.Plan', name: 'first', note: { _ref: ids[0], _type: 'x.Note' } });
    await useTypes();
    await instance.services.usage.flush();
    await send('GET', `${cma}?from=x.Plan&where=${encodeURIComponent('note/title = "one"')}`, { as: reader });
    await instance.services.usage.flush();
  });

  /** Sends a request that must succeed. */
  async function send(
    method: string,
    path: string,
    { as = instance.headers, body, key }: { as?: ClientHeaders; body?: object; key?: string } = {},
  ): Promise<Response> {
    const response = await fetch(instance.url + path, {
      method,
      headers: { ...as, 'Content-Type': 'application/json', ...(key && { 'Idempotency-Key': key }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect([response.status, path]).toEqual([200, path]);
    return response;
  }

  /** Creates an asset with an idempotency key, twice: the second request gets the stored response. */
  async function create(fields: object): Promise<string> {
    const created = { body: { _type: 'x.Note', ...fields }, key: `create-${++files}` };
    await send('POST', cma, created);
    const response = await send('POST', cma, created);
    // The response is an asset.
    return ((await response.json()) as { result: { _id: string } }).result._id;
  }

  /** Uses types in each way in which they are counted. */
  async function useTypes(): Promise<void> {
    const as = reader;
    await send('GET', '/notes/all', { as });
    await send('GET', `${cma}?from=x.Plan`, { as });
    await send('POST', `${cma}/query`, { as, body: { from: 'x.Plan', include: ['note'] } });
    await send('GET', `${cma}/${ids[0]}`, { as });
    await send('POST', '/graphql/delivery', {
      as,
      body: { query: '{ planList { items { name note { slug } } } }' },
    });
    await send('PUT', `${cma}/${ids[1]}`, { body: { slug: 'same' } });
    const operations = [{ action: 'create', asset: { _type: 'x.Note' } }];
    await send('POST', `${cma}/batch?validate=true`, { body: { operations } });
  }

  const onServer = () => [
    '--url',
    instance.url,
    '--client-id',
    admin['X-Client-Id'],
    '--client-secret',
    admin['X-Client-Secret'],
  ];
  /** The uses in the list of clients: those of broken routes first, then by type. */
  function usesOf({ clients: { items } }: TypesReport): string[] {
    const nameOf = (id: string | undefined) => (id === reader['X-Client-Id'] ? 'reader' : 'writer');
    const uses = items.map(
      ({ type, clientId, method, route, requests, use }) =>
        `${type} ${use} ${nameOf(clientId)} ${method} ${route} ${requests}`,
    );
    expect(uses.map((use) => use.split(' ').slice(0, 2))).toEqual(
      uses.map((use) => use.split(' ').slice(0, 2)).toSorted(),
    );
    return uses.toSorted();
  }

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
      mappings: { checked: 1, brokenBefore: 0, broken: [], warnings: [] },
      trustedDocuments: { checked: 0, brokenBefore: 0, broken: [] },
      webhooks: { checked: 1, brokenBefore: 0, broken: [] },
      documents: [],
      content: { isComplete: true, types: [], drafts: [] },
      clients: { days: 30, count: 0, items: [] },
    });
  });

  it('warns about published mappings with a filter that holds for nothing', async () => {
    const { restEndpoints } = instance.services;
    const nothing = 'query Nothing { noteList(filter: { or: [] }) { count } }';
    const body = { name: 'Empty', source: 'delivery', mappings: [{ name: 'Nothing', query: nothing }] };
    const { id } = await restEndpoints.create({ body, by: 'a test' });
    expect((await report('--types', types)).mappings.warnings).toEqual([]);
    await restEndpoints.publish({ id, by: 'a test' });
    const found = await report('--types', types);
    const message = 'The filter of noteList has "or: []", which holds for no asset (line 1, column 40)';
    expect([found.counts.attention, found.mappings.warnings]).toEqual([
      1,
      [
        {
          code: 'empty_filter',
          message,
          path: 'mappings[0].query',
          restEndpoint: 'Empty',
          mapping: 'Nothing',
          state: 'published',
        },
      ],
    ]);
    const { stdout, exitCode } = await check('--types', types);
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining(`NEEDS ATTENTION\n  mappings\n    Empty / Nothing (published)  ${message}\n`),
    ]);
    await restEndpoints.delete({ id });
  });

  it('reports a mapping whose filter names a removed field, or compares one of another type', async () => {
    const broken = async (after: string) =>
      (await report('--types', changed('slug: String', after))).mappings.broken.map(
        ({ state, problems }) => ({
          state,
          problems,
        }),
      );
    const of = (message: string) => [
      {
        state: 'published',
        problems: [expect.objectContaining({ line: 3, message: expect.stringContaining(message) })],
      },
    ];
    expect(await broken('')).toEqual(of('unknown field "slug"'));
    expect(await broken('slug: Int')).toEqual(of('unknown field "startsWith"'));
  });

  it('accepts a new optional field', async () => {
    const outcome = await check('--types', changed('slug: String', 'slug: String extra: Int'));
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    expect(outcome.stdout).toMatch(
      /^0 breaking, 0 need attention, 4 safe\nChecked 1 mappings, 1 webhooks, 3 stored assets and 0 drafts\.\n/,
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
      checked: 1,
      brokenBefore: 0,
      broken: [{ restEndpoint: 'Notes', mapping: 'All', state: 'published', problems: [problem] }],
      warnings: [],
    });
    expect(found.webhooks).toEqual({
      checked: 1,
      brokenBefore: 0,
      broken: [
        { id: webhookId, webhook: 'Titles', problems: [{ ...problem, path: 'where', line: 1, column: 15 }] },
      ],
    });
    expect(found.documents.map(({ document, place }) => `${document} ${place}`)).toEqual(
      expect.arrayContaining(['cma Note.title', 'cma NoteCreate.title', 'cma NoteUpdate.title']),
    );
    expect(found.content).toEqual({
      isComplete: true,
      drafts: [],
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
    expect(usesOf(found)).toEqual([
      'x.Note broken reader GET /notes/all 1',
      ...[
        `x.Note type reader GET ${cma} 1`,
        `x.Note type reader GET ${cma}/{id} 1`,
        `x.Note type reader POST ${cma}/query 1`,
        'x.Note type reader POST /graphql/delivery 1',
        `x.Note type writer POST ${cma} 3`,
        `x.Note type writer POST ${cma}/batch 1`,
        `x.Note type writer PUT ${cma}/{id} 1`,
      ],
    ]);
    expect(found.clients).toMatchObject({ days: 30, count: 8 });
    expect(await report('--types', without, ...onServer())).toEqual(found);
  });

  it('lists the clients of each type that they must follow, also after a rename', async () => {
    const renamed = await report('--types', changed('name: String', 'label: String @was(name: "name")'));
    expect(renamed.types.map(({ severity }) => severity)).toEqual(['attention']);
    const required = await report('--types', changed('name: String', 'name: String!'));
    for (const found of [renamed, required])
      expect(usesOf(found)).toEqual([
        `x.Plan type reader GET ${cma} 2`,
        `x.Plan type reader POST ${cma}/query 1`,
        'x.Plan type reader POST /graphql/delivery 1',
        `x.Plan type writer POST ${cma} 1`,
      ]);
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
    expect(stdout).toMatch(/ {2}webhooks\n {4}Titles \/ where 1:8 {2}Column \d+: /);
    const xml = readFileSync(junit, 'utf8');
    const [, tests, failures] =
      /<testsuite name="types check" tests="(\d+)" failures="(\d+)"/.exec(xml) ?? [];
    expect(xml.match(/<testcase /g)).toHaveLength(Number(tests));
    expect(xml.match(/<failure /g)).toHaveLength(Number(failures));
    expect(xml).toContain('<testcase classname="mappings" name="no findings" time="0.000"/>');
    expect(xml).toContain('<failure message="is Int, and was String">');
    expect(xml).toMatch(/<testcase classname="webhooks" name="Titles \/ where 1:\d+" time="0.000"><failure /);
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
