/** Kills a server while it publishes a release: after the restart either all of its assets are live and it is empty, or none is. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { environmentOf, runCommand, startServing } from '../../support/command-line.ts';
import { sqliteLocation } from '../../support/stores.ts';

const kills = 20;
const drafts = 200;
interface Answer {
  readonly drafts: number;
  readonly result: { readonly count: number; readonly results: readonly { readonly _id: string }[] };
}

const type = 'com.colophon.cms.db.Text';

it(`a publication is complete or absent after each of ${kills} kills`, { timeout: 900_000 }, async () => {
  const location = sqliteLocation();
  const environment = environmentOf(location);
  const words = ['client', 'create', '--name', 'tester', '--json'];
  const scopes = ['cma:read', 'cma:write', 'cma:draft', 'admin'].flatMap((scope) => ['--scope', scope]);
  const { stdout } = await runCommand([...words, ...scopes], environment);
  const { clientId, secret } = JSON.parse(stdout);
  const headers = {
    'X-Client-Id': clientId,
    'X-Client-Secret': secret,
    'Content-Type': 'application/json',
  };
  const call = async (url: string, path: string, body?: object) => {
    const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const response = await fetch(`${url}/api/${path}`, { headers, ...sent });
    // The responses are those of the documents.
    const answer = (await response.json()) as Answer;
    expect([response.status, answer]).toEqual([expect.toSatisfy((status) => status < 300), answer]);
    return answer;
  };
  const createAll = (url: string, name: string, query = '') => {
    const create = (n: number) => ({ action: 'create', asset: { _type: type, name: `${name} ${n}` } });
    const operations = Array.from({ length: drafts / 2 }, (_, n) => create(n));
    return call(url, `rest/cma/contents/batch${query}`, { operations });
  };
  const count = async (url: string, where: string) => {
    const found = await call(url, 'rest/cma/contents/query', { from: type, where, limit: 0 });
    return found.result.count;
  };
  const outcomes = new Set<string>();
  let serving = await startServing(environment);
  for (let round = 0; round < kills; round++) {
    const name = `release-${round}`;
    await call(serving.url, 'admin/releases', { name });
    const { result } = await createAll(serving.url, `${name} live`);
    const changes = result.results.map(({ _id }) => ({
      action: 'update',
      asset: { _id, name: `${name} published` },
    }));
    await call(serving.url, `rest/cma/contents/batch?release=${name}`, { operations: changes });
    await createAll(serving.url, `${name} published`, `?release=${name}`);
    const publishing = call(serving.url, `admin/releases/${name}/publish`, {}).catch(() => undefined);
    await sleep(Math.random() * 250);
    serving.signal('SIGKILL');
    await Promise.all([serving.ended, publishing]);
    serving = await startServing(environment);
    const [live, release] = [
      await count(serving.url, `name startsWith '${name} published'`),
      await call(serving.url, `admin/releases/${name}`),
    ];
    expect([
      [0, drafts],
      [drafts, 0],
    ]).toContainEqual([live, release.drafts]);
    outcomes.add(String(live));
    await call(serving.url, `admin/releases/${name}/publish`, {});
    expect(await count(serving.url, `name startsWith '${name} published'`)).toBe(drafts);
  }
  await serving.stop();
  await location.remove();
  expect([...outcomes].sort()).toEqual(['0', String(drafts)]);
});
