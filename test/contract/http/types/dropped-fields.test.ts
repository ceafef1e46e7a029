/** Two servers on one store: one with the former types, and one of a later deployment that has dropped a field. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { makeTypesFolder } from '../../../support/types-folder.ts';

const formerTypes =
  'type Book @contentType(class: "t.Book") { title: String! isbn: String shelf: Shelf } type Shelf { room: String row: Int }';
const presentTypes =
  'type Book @contentType(class: "t.Book") @drops(fields: ["isbn"]) { title: String! shelf: Shelf } type Shelf @drops(fields: ["row"]) { room: String }';
const undroppedTypes = presentTypes.replaceAll(/@drops\(.*?\)/g, '');

describeOnEachStore('servers before and after a deployment that drops a field', (locations) => {
  let location: StoreLocation;
  let servers: TestInstance[];
  let id: string;

  async function call(server: TestInstance | undefined, method: string, path: string, body?: object) {
    const headers = { ...server?.headers, 'Content-Type': 'application/json' };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${server?.cmaUrl}${path}`, init);
    expect(response.status).toBe(200);
    // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
    return (await response.json()) as any;
  }

  beforeAll(async () => {
    location = locations();
    const [before = '', ...later] = [formerTypes, presentTypes, undroppedTypes].map(makeTypesFolder);
    const former = await startInstance(location, { typesDir: before });
    servers = [former];
    const book = { _type: 't.Book', title: 'Atlas', isbn: '978', shelf: { room: 'A', row: 7 } };
    id = (await call(former, 'POST', '', book)).result._id;
    for (const typesDir of later) servers.push(await startInstance(location, { typesDir }));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
  });

  it('hide its values and report nothing, but report them when they are not dropped', async () => {
    const [, present, undropped] = servers;
    const read = await call(present, 'GET', `/${id}`);
    expect(read.result).toMatchObject({ title: 'Atlas', shelf: { room: 'A' } });
    const page = await call(present, 'GET', '?from=t.Book');
    expect(page.result.items).toEqual([read.result]);
    for (const answer of [read, page]) {
      expect(answer).not.toHaveProperty('unfit');
      expect(JSON.stringify(answer)).not.toMatch(/isbn|row/);
    }
    const { unfit } = await call(undropped, 'GET', `/${id}`);
    expect(unfit.map(({ path }: { path: string }) => path)).toEqual(['shelf.row', 'isbn']);
  });

  it('keep its values when others are written', async () => {
    const [former, present] = servers;
    const written = await call(present, 'PUT', `/${id}`, { title: 'Globe' });
    expect(written).not.toHaveProperty('unfit');
    expect(written.result).not.toHaveProperty('isbn');
    const { result } = await call(former, 'GET', `/${id}`);
    expect(result).toMatchObject({ title: 'Globe', isbn: '978', shelf: { room: 'A', row: 7 } });
  });
});
