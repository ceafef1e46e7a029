/** Commands and servers with other types on one store, each in a separate process. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Environment,
  environmentOf,
  runCommand,
  type ServingProcess,
  startServing,
  startShortTimeoutServer,
} from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/opened.ts';
import { describeOnEachStore, type StoreLocation } from '../../support/stores.ts';

const headers = { 'X-Client-Id': 'me', 'X-Client-Secret': 'mine', 'Content-Type': 'application/json' };
const credentials = { COLOPHON_CLIENT_ID: 'me', COLOPHON_CLIENT_SECRET: 'mine' };
const note = (fields: string) => `type Note @contentType(class: "x.Note") { ${fields} }`;
const strictNote = note('slug: String! @indexed(unique: true) title: String tags: [String!] @indexed');

const folder = temporaryFolder();
const fileIn = (name: string) => join(folder, name);

const call = (server: ServingProcess, init: { method: string; path?: string; body?: object }) =>
  fetch(`${server.url}/api/rest/cma/contents${init.path ?? ''}`, {
    method: init.method,
    headers,
    ...(init.body ? { body: JSON.stringify(init.body) } : {}),
  });
const create = async (server: ServingProcess, fields: object) =>
  (await call(server, { method: 'POST', body: { _type: 'x.Note', ...fields } })).status;
async function count(server: ServingProcess, where: string): Promise<number> {
  const path = `?${new URLSearchParams({ from: 'x.Note', where, limit: '0' })}`;
  const response = await call(server, { method: 'GET', path });
  expect(response.status).toBe(200);
  // A page has its count.
  return ((await response.json()) as { result: { count: number } }).result.count;
}

function makeTypes(name: string, sdl: string): string {
  const path = mkdtempSync(join(tmpdir(), `colophon-${name}-`));
  writeFileSync(join(path, 'note.graphql'), sdl);
  return path;
}

describeOnEachStore('commands on a store that is served', (locations) => {
  let location: StoreLocation;
  let environment: Environment;
  let server: ServingProcess;
  let [strict, lax, input] = ['', '', ''];

  beforeAll(async () => {
    location = locations();
    strict = makeTypes('strict', strictNote);
    lax = makeTypes('lax', note('slug: String! heading: RichText'));
    input = fileIn('input.ndjson');
    writeFileSync(input, `${JSON.stringify({ _type: 'x.Note', slug: 'a', heading: 'x' })}\n`);
    environment = { ...environmentOf(location), ...credentials };
    server = await startServing({ ...environment, COLOPHON_TYPES: strict });
    expect(await create(server, { slug: 'a', title: 'red fox', tags: ['t'] })).toBe(200);
  });
  afterAll(() => {
    for (const path of [strict, lax]) rmSync(path, { recursive: true, force: true });
  });

  const colophon = (...words: string[]) => runCommand(words, environment);

  it('export and import --dry-run with other types warn, and change nothing', async () => {
    const exported = await colophon('export', '--types', lax);
    expect(exported.exitCode).toBe(0);
    expect(JSON.parse(exported.stdout)).toMatchObject({ slug: 'a', title: 'red fox' });
    const differences = [
      '+ x.Note heading',
      '~ x.Note slug: String! unique -> String!',
      '- x.Note tags',
      '- x.Note title',
    ];
    expect(exported.stderr).toBe(
      `colophon: warning: These are not the types that the store was last served with (of ${strict}):\n` +
        `${differences.map((line) => `  ${line}\n`).join('')}`,
    );
    const checked = await colophon('import', input, '--dry-run', '--types', lax);
    expect(checked.stdout).toMatch(/^dry run, nothing written: created 1, /);
    expect(checked.stderr).toContain('warning: These are not the types');
    expect(await create(server, { slug: 'a' })).toBe(409);
    expect(await count(server, 'title matches red')).toBe(1);
    expect(await count(server, 'tags = t')).toBe(1);
  });

  it('import with other types fails and prints the differences', async () => {
    const { exitCode, stdout, stderr } = await colophon('import', input, '--types', lax);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain('\n  ~ x.Note slug: String! unique -> String!\n');
    expect(stderr).toContain('\nNothing is written.');
    expect(await count(server, 'true')).toBe(1);
  });

  it('commands without types use those of the store and say so', async () => {
    const said = `colophon: no --types and no COLOPHON_TYPES: using those that the store was last served with, the types of ${strict} (x.Note)\n`;
    expect(await colophon('show-type', 'x.Note')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/\nslug +String +required +unique\n/),
      stderr: said,
    });
    const listed = await colophon('list-types');
    expect(listed.stdout).toContain('\nx.Note ');
    expect(listed.stdout).not.toContain('com.example.news');
    expect(await colophon('export', '--from', 'x.Note', '--where', 'slug = nobody')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `${said}colophon: nothing to export: there are no assets of x.Note of which the predicate holds\n`,
    });
    const wrong = await colophon('export', '--from', 'x.Noet');
    expect(wrong.exitCode).toBe(1);
    expect(wrong.stderr).toContain('There is no content type "x.Noet". Did you mean "x.Note"?');
    const twin = fileIn('twin.ndjson');
    writeFileSync(twin, `${JSON.stringify({ _type: 'x.Note', slug: 'a' })}\n`);
    const imported = await colophon('import', twin, '--restart');
    expect(imported.exitCode).toBe(1);
    expect(imported.stderr).toContain('"a" is already in use');
  });

  it('a server without types fails to start and names the types of the store', async () => {
    const { exitCode, stderr } = await runCommand(['serve'], { ...environment, COLOPHON_PORT: '0' });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`was last served with the types of ${strict} (x.Note)`);
    expect(await create(server, { slug: 'a' })).toBe(409);
  });
});

describeOnEachStore('an import into a new store', (locations) => {
  it('prepares the store for its types, which the store keeps', async () => {
    const location = locations();
    const [strict, lax] = [makeTypes('strict', strictNote), makeTypes('lax', note('slug: String!'))];
    const input = fileIn('twins.ndjson');
    writeFileSync(input, '{"_type":"x.Note","slug":"a"}\n{"_type":"x.Note","slug":"a"}\n');
    const environment = environmentOf(location);
    const first = await runCommand(['import', input, '--types', strict, '--restart'], environment);
    expect(first.stdout).toBe('created 1, updated 0, failed 1\n');
    const second = await runCommand(['import', input, '--types', lax, '--restart'], environment);
    expect(second.stderr).toContain(`last served with (of ${strict})`);
    for (const path of [strict, lax]) rmSync(path, { recursive: true, force: true });
    await location.remove();
  });
});

describeOnEachStore('two servers with different types on one store', (locations) => {
  let location: StoreLocation;
  const running: ServingProcess[] = [];
  const folders: string[] = [];

  beforeEach(() => {
    location = locations();
  });
  afterEach(async () => {
    await Promise.all(running.map((server) => server.stop()));
    for (const path of folders) rmSync(path, { recursive: true, force: true });
  });

  const serve = async (name: string, sdl: string) => {
    const types = makeTypes(name, sdl);
    folders.push(types);
    const server = await startShortTimeoutServer({
      ...environmentOf(location),
      ...credentials,
      COLOPHON_TYPES: types,
    });
    running.push(server);
    return server;
  };

  it('enforce the unique fields of both, search by their own types, and drop the rules of one after it was killed', async () => {
    const strict = await serve('strict', strictNote);
    for (let n = 0; n < 5; n++) expect(await create(strict, { slug: `s${n}`, title: 'red fox' })).toBe(200);
    const lax = await serve('lax', note('slug: String! heading: RichText'));
    for (let n = 0; n < 5; n++)
      expect(await create(lax, { slug: `l${n}`, heading: '<p>red dog</p>' })).toBe(200);
    for (const server of [strict, lax]) {
      for (let n = 0; n < 5; n++) {
        expect(await create(server, { slug: `s${n}` })).toBe(409);
        expect(await create(server, { slug: `l${n}` })).toBe(409);
      }
    }
    expect(await count(strict, 'title matches red')).toBe(5);
    expect(await count(lax, 'heading matches red')).toBe(5);
    strict.signal('SIGKILL');
    await strict.ended;
    expect(await create(lax, { slug: 's0' })).toBe(409);
    await vi.waitUntil(async () => (await create(lax, { slug: 's0' })) === 200, {
      timeout: 60_000,
      interval: 200,
    });
    expect(await count(lax, 'slug = s0')).toBe(2);
    expect(await count(lax, 'heading matches red')).toBe(5);
  });
});

describe('--types', () => {
  it('is an option of every command that needs types', async () => {
    const commands = ['serve', 'list-types', 'show-type', 'codegen', 'contract', 'export', 'import'];
    for (const command of [...commands, 'mappings check', 'documents push', 'webhook test']) {
      const { stdout } = await runCommand(['help', ...command.split(' ')]);
      expect(stdout, command).toContain('--types <folder>');
    }
  });
});
