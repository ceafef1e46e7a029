/** Erasing an asset deletes the files that only it has used: over HTTP, and by the command line. */
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { drawPortrait } from '../../../../src/cli/demo/draw-picture.ts';
import { environmentOf, runCommand } from '../../../support/command-line.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { makeTypesFolder } from '../../../support/types-folder.ts';

const sdl = 'type Leaf @contentType(class: "lib.Leaf") { photo: File }';

describeOnEachStore('erasing an asset with files', (locations) => {
  const types = makeTypesFolder(sdl);
  let location: StoreLocation;
  let instance: TestInstance;
  let headers: ClientHeaders;
  beforeEach(async () => {
    location = locations();
    instance = await startInstance(location, { typesDir: types });
    headers = await instance.createClient({ scopes: ['cma:read', 'cma:write', 'admin'] });
    await instance.refresh();
  });
  afterEach(() => instance.stop());

  async function send(
    method: string,
    path: string,
    body: string | object,
  ): Promise<{ _id: string; hash: string }> {
    const isText = typeof body === 'string';
    const response = await fetch(`${instance.cmaUrl}${path}`, {
      method,
      headers: { ...headers, 'Content-Type': isText ? 'text/plain' : 'application/json' },
      ...(method === 'POST' && { body: isText ? body : JSON.stringify(body) }),
    });
    expect(response.status).toBe(200);
    return Object(await response.json()).result;
  }
  const statusOf = async (hash: string) => (await fetch(`${instance.url}/files/${hash}/x.txt`)).status;

  it.each(['over HTTP', 'by the command line'])('deletes those that nothing else uses, %s', async (way) => {
    const [own, shared] = [
      await send('POST', '/files?name=own.txt', `own, ${way}`),
      await send('POST', '/files?name=shared.txt', `shared, ${way}`),
    ];
    const create = (hash: string, ...more: object[]) =>
      send('POST', '', { _type: 'lib.Leaf', photo: { hash }, ...more[0] });
    const first = await create(own.hash);
    const second = await create(shared.hash);
    await create(shared.hash);
    for (const { _id } of [first, second]) {
      if (way === 'over HTTP') await send('DELETE', `/${_id}?erase=true`, '');
      else {
        const environment = { ...environmentOf(location), COLOPHON_TYPES: types };
        expect(await runCommand(['erase', _id], environment)).toMatchObject({ exitCode: 0 });
      }
    }
    await expect.poll(() => statusOf(own.hash)).toBe(404);
    expect(await statusOf(shared.hash)).toBe(200);
    const keys: string[] = [];
    for await (const { key } of instance.services.place.list()) keys.push(key);
    expect(keys.length).toBe(1);
  });

  it('removes the variants of a picture', async () => {
    const response = await fetch(`${instance.cmaUrl}/files?name=face.png`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'image/png' },
      body: new Uint8Array(drawPortrait('Ada')),
    });
    const { hash } = Object(await response.json()).result;
    const { _id } = await send('POST', '', { _type: 'lib.Leaf', photo: { hash } });
    const variant = `${instance.url}/files/${hash}/face.png?w=160`;
    expect((await fetch(variant)).status).toBe(200);
    const kept = () => readdirSync(instance.services.config.dataDir, { recursive: true }).join('\n');
    await expect.poll(kept).toContain(`variants/${hash}/`);
    await send('DELETE', `/${_id}?erase=true`, '');
    await expect.poll(async () => (await fetch(variant)).status).toBe(404);
    await expect.poll(kept).not.toContain(`variants/${hash}/`);
  });
});
