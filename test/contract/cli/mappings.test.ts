/** `colophon mappings check`, next to a server on the same store. */
import { beforeAll, expect, it } from 'vitest';
import { type Environment, environmentOf, runCommand } from '../../support/command-line.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { describeOnEachStore, type StoreLocation } from '../../support/stores.ts';
import { makeTypesFolder } from '../../support/types-folder.ts';

const query = `query Notes($limit: Int) {
  noteList(limit: $limit) {
    items { title }
  }
}`;
const note = (field: string) => `type Note @contentType(class: "x.Note") { ${field}: String }`;

describeOnEachStore('mappings check', (locations) => {
  let location: StoreLocation;
  const types = makeTypesFolder(note('title'));
  const changedTypes = makeTypesFolder(note('heading'));
  let instance: TestInstance;
  let environment: Environment;

  beforeAll(async () => {
    location = locations();
    environment = { ...environmentOf(location), COLOPHON_TYPES: types };
    instance = await startInstance(location, { typesDir: types });
    const body = {
      name: 'Note desk',
      source: 'delivery',
      access: 'ANYONE',
      mappings: [{ name: 'All', query }],
    };
    const by = 'a test';
    const { id } = await instance.services.restEndpoints.create({ body, by });
    await instance.services.restEndpoints.publish({ id, by });
  });

  const run = (...words: string[]) => runCommand(words, environment);

  it('succeeds while every mapping is valid', async () => {
    const { exitCode, stdout, stderr } = await run('mappings', 'check');
    expect([exitCode, stdout, stderr]).toEqual([0, 'checked 1, broken 0\n', '']);
  });

  it('warns of public writes without failing', async () => {
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

  it('fails for an invalid mapping and names its line and field', async () => {
    const words = ['mappings', 'check'];
    const changed = { ...environment, COLOPHON_TYPES: changedTypes };
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

  it('does not change the store', async () => {
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
