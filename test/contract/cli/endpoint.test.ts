/** `colophon endpoint …` and `colophon mappings check`, each in a separate process, next to a server on the same store. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Environment, environmentOf, runCommand } from '../../support/command-line.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { describeOnEachStore, type StoreLocation } from '../../support/stores.ts';
import { makeTypesFolder, type TypesFolder } from '../../support/types-folder.ts';

const query = `query Notes($limit: Int) {
  noteList(limit: $limit) {
    items { title }
  }
}`;
const note = (field: string) => `type Note @contentType(class: "x.Note") { ${field}: String }`;

describeOnEachStore('endpoint and mappings', (locations) => {
  let location: StoreLocation;
  let types: TypesFolder;
  let changedTypes: TypesFolder;
  let instance: TestInstance;
  let environment: Environment;
  let id: string;

  beforeAll(async () => {
    location = locations();
    types = makeTypesFolder(note('title'));
    changedTypes = makeTypesFolder(note('heading'));
    environment = { ...environmentOf(location), COLOPHON_TYPES: types.path };
    instance = await startInstance(location, { typesDir: types.path });
    const body = {
      name: 'Note desk',
      source: 'delivery',
      access: 'ANYONE',
      mappings: [{ name: 'All', query }],
    };
    ({ id } = await instance.services.restEndpoints.create({ body, by: 'a test' }));
  });
  afterAll(async () => {
    await instance.stop();
    await location.remove();
    types.remove();
    changedTypes.remove();
  });

  const run = (...words: string[]) => runCommand(words, environment);

  it('endpoint list shows each endpoint with its state', async () => {
    const { exitCode, stdout, stderr } = await run('endpoint', 'list');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^NAME +PATH PREFIX +MAPPINGS +STATE +ID\nNote desk +\/note-desk +1 +draft +[\w-]{36}\n$/,
    );
  });

  it('endpoint show accepts a name or an ID, and --json prints the whole endpoint', async () => {
    const { stdout } = await run('endpoint', 'show', 'Note desk');
    expect(stdout).toMatch(/^Note desk: draft, version 1, access ANYONE\n/);
    expect(stdout).toMatch(/GET +\/note-desk\/all +All +0 s\n$/);
    const shown = JSON.parse((await run('endpoint', 'show', id, '--json')).stdout);
    expect(shown).toMatchObject({
      id,
      state: 'draft',
      number: 1,
      savedBy: 'a test',
      pathPrefix: '/note-desk',
    });
    expect(shown.mappings).toEqual([{ name: 'All', path: '/all', methods: ['GET'], query, cacheSeconds: 0 }]);
  });

  it('endpoint publish makes the draft live on a running server', async () => {
    const url = `${instance.url}/note-desk/all`;
    expect((await fetch(url)).status).toBe(404);
    const { exitCode, stdout } = await run('endpoint', 'publish', 'Note desk');
    expect([exitCode, stdout]).toEqual([0, 'published Note desk, version 2, under /note-desk\n']);
    await vi.waitUntil(async () => (await fetch(url)).status === 200, { timeout: 60_000 });
    expect(await (await fetch(url)).json()).toEqual({ data: { noteList: { items: [] } } });
    expect((await run('endpoint', 'list')).stdout).toMatch(/ published +[\w-]{36}\n$/);
  });

  it.each(['show', 'publish'])('endpoint %s fails for an unknown endpoint', async (verb) => {
    const { exitCode, stdout, stderr } = await run('endpoint', verb, 'Nope');
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toBe('colophon: There is no REST endpoint "Nope"\n');
  });

  it('endpoint publish needs a name or an ID', async () => {
    expect((await run('endpoint', 'publish')).exitCode).toBe(2);
  });

  it('mappings check succeeds while every mapping is valid', async () => {
    const { exitCode, stdout, stderr } = await run('mappings', 'check');
    expect([exitCode, stdout, stderr]).toEqual([0, 'checked 1, broken 0\n', '']);
  });

  it('mappings check warns of public writes without failing', async () => {
    const open = { name: 'Open', readTypes: ['x.Note'], writeTypes: ['x.Note'], access: 'ANYONE' };
    const made = await instance.services.graphqlEndpoints.create(open);
    const message = 'Anyone can create, change and delete assets of x.Note without credentials';
    const { exitCode, stdout, stderr } = await run('mappings', 'check');
    expect([exitCode, stdout, stderr]).toEqual([0, `warning: Open: ${message}\nchecked 1, broken 0\n`, '']);
    const report = JSON.parse((await run('mappings', 'check', '--json')).stdout);
    expect(report.warnings).toEqual([
      { code: 'public_write', graphqlEndpoint: 'Open', path: 'writeTypes', message },
    ]);
    await instance.services.graphqlEndpoints.delete({ id: made.id });
  });

  it('mappings check fails for an invalid mapping and names its line and field', async () => {
    const words = ['mappings', 'check'];
    const changed = { ...environment, COLOPHON_TYPES: changedTypes.path };
    const { exitCode, stdout, stderr } = await runCommand(words, changed);
    expect([exitCode, stderr]).toEqual([1, 'colophon: Some mappings no longer fit the content types\n']);
    expect(stdout).toContain('Note desk / All (published) 3:13 Cannot query field "title" on type "Note"');
    expect(stdout).toMatch(/checked 1, broken 1\n$/);
    const report = JSON.parse((await runCommand([...words, '--json'], changed)).stdout);
    expect(report).toMatchObject({
      checked: 1,
      broken: [{ mapping: 'All', state: 'published' }],
    });
  });

  it('mappings check does not change the store', async () => {
    const created = await fetch(instance.cmaUrl, {
      method: 'POST',
      headers: { ...instance.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ _type: 'x.Note', title: 'Still here' }),
    });
    expect(created.status).toBe(200);
    const found = await fetch(`${instance.url}/note-desk/all?limit=1`);
    expect(await found.json()).toEqual({ data: { noteList: { items: [{ title: 'Still here' }] } } });
  });
});
