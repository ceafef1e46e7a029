/** Kills a server while it writes: every answered write must exist after the restart. */
import { expect, it } from 'vitest';
import {
  credentialsOf,
  environmentOf,
  type ServingProcess,
  startServing,
} from '../../support/command-line.ts';
import { roundsOf } from '../../support/rounds.ts';
import { sqliteLocation } from '../../support/stores.ts';

const kills = roundsOf({ usual: 8, long: 50 });
const writers = 8;
const headers = { 'X-Client-Id': 'writer', 'X-Client-Secret': 'secret', 'Content-Type': 'application/json' };
const location = sqliteLocation();
const environment = {
  ...environmentOf(location),
  ...credentialsOf(headers),
};

interface AnsweredAsset {
  readonly _id: string;
  readonly name: string;
}

/** Creates and changes assets, one after the other, until the server is gone; records the last response for each. */
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

/** Runs several writers for a moment, then kills the server. */
async function writeUntilKilled(
  serving: ServingProcess,
  answered: Map<string, AnsweredAsset>,
): Promise<void> {
  const url = `${serving.url}/api/rest/cma/contents`;
  const writing = Array.from({ length: writers }, () => write(url, answered).catch(failUnlessGone));
  setTimeout(() => serving.signal('SIGKILL'), 20 + Math.random() * 150);
  await Promise.all([...writing, serving.ended]);
}

/** Ignores broken connections, which a killed server causes, and rethrows everything else. */
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
  // A writer's last write may be stored although its response was lost: a later state is allowed, an earlier one is not.
  const lost = [...answered.values()].filter(
    ({ _id, name }) =>
      found.get(_id)?.name !== name && found.get(_id)?.name !== name.replace('created', 'changed'),
  );
  expect(lost).toEqual([]);
}, 300_000);
