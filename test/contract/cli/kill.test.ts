/** A server that is killed while it writes: what it has answered is there when it starts again. */
import { afterAll, expect, it } from 'vitest';
import { environmentOf, type ServingProcess, startServing } from '../../support/command-line.ts';
import { sqlitePlace } from '../../support/stores.ts';

const kills = 20;
const writers = 8;
const headers = { 'X-Client-Id': 'writer', 'X-Client-Secret': 'secret', 'Content-Type': 'application/json' };
const place = sqlitePlace();
const environment = {
  ...environmentOf(place),
  COLOPHON_CLIENT_ID: headers['X-Client-Id'],
  COLOPHON_CLIENT_SECRET: headers['X-Client-Secret'],
};

afterAll(() => place.remove());

interface AnsweredAsset {
  readonly _id: string;
  readonly name: string;
}

/** Creates assets, and changes each once, one after the other until the server is gone; keeps what was answered last. */
async function write(url: string, answered: Map<string, AnsweredAsset>): Promise<void> {
  const send = async (method: string, target: string, body: object) => {
    const response = await fetch(target, { method, headers, body: JSON.stringify(body) });
    const { result } = (await response.json()) as { result: AnsweredAsset };
    expect(response.status).toBe(200);
    answered.set(result._id, result);
    return result._id;
  };
  for (let n = 0; ; n++) {
    const id = await send('POST', url, { _type: 'com.colophon.cms.db.Text', name: `${n} created` });
    await send('PUT', `${url}/${id}`, { name: `${n} changed` });
  }
}

/** Lets several writers write for a moment, then kills the server under them. */
async function writeUntilKilled(
  serving: ServingProcess,
  answered: Map<string, AnsweredAsset>,
): Promise<void> {
  const url = `${serving.url}/api/rest/cma/contents`;
  const writing = Array.from({ length: writers }, () => write(url, answered).catch(failUnlessGone));
  setTimeout(() => serving.signal('SIGKILL'), 20 + Math.random() * 150);
  await Promise.all([...writing, serving.ended]);
}

/** A connection that broke is what a killed server leaves; anything else is a finding. */
function failUnlessGone(error: unknown): void {
  if (!(error instanceof TypeError)) throw error;
}

it(`keeps every answered write over ${kills} kills`, async () => {
  const answered = new Map<string, AnsweredAsset>();
  for (let kill = 0; kill < kills; kill++) {
    const serving = await startServing(environment);
    await writeUntilKilled(serving, answered);
  }
  const serving = await startServing(environment);
  const found = new Map<string, AnsweredAsset>();
  for (let offset = 0; found.size === offset; offset += 1000) {
    const query = `from=com.colophon.cms.db.Text&limit=1000&offset=${offset}`;
    const response = await fetch(`${serving.url}/api/rest/cma/contents?${query}`, { headers });
    const { result } = (await response.json()) as { result: { items: AnsweredAsset[] } };
    for (const asset of result.items) found.set(asset._id, asset);
  }
  await serving.stop();
  expect(answered.size).toBeGreaterThan(kills);
  // The last write of each writer may be there although its answer was lost: later than the answered one, never earlier.
  const lost = [...answered.values()].filter(
    ({ _id, name }) =>
      found.get(_id)?.name !== name && found.get(_id)?.name !== name.replace('created', 'changed'),
  );
  expect(lost).toEqual([]);
}, 300_000);
