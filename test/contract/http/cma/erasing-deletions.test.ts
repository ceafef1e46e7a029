/** COLOPHON_DELETE=erase: each way of deleting live content leaves nothing of it, and a server finishes what a killed one has left. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { expect, it, vi } from 'vitest';
import { createProgressRecord } from '../../../../src/access/erasure-progress.ts';
import { chooseTypes } from '../../../../src/app/chosen-types.ts';
import { composeContent } from '../../../../src/app/compose/compose-commands.ts';
import { type Config, readConfig } from '../../../../src/app/config/config.ts';
import { createRequestOrigins } from '../../../../src/base/request-origin.ts';
import { randomIds, silentLogger, systemClock } from '../../../../src/base/runtime.ts';
import type { ClientHeaders } from '../../../support/instance.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { passwordCost } from '../../../support/runtime.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { text } from './cma-content.ts';

const erasing = { erasesDeletions: true } satisfies Partial<Config>;
const everyone = {};

/** Reads everything that is kept, as one text. */
async function readAllKept({ dataDir, mongodbUrl }: Pick<Config, 'dataDir' | 'mongodbUrl'>): Promise<string> {
  if (mongodbUrl === undefined)
    return readdirSync(dataDir, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => readFileSync(join(dataDir, name), 'latin1'))
      .join('\n');
  const client = await MongoClient.connect(mongodbUrl);
  try {
    const texts: string[] = [];
    for (const { name } of await client.db().listCollections().toArray())
      texts.push(JSON.stringify(await client.db().collection(name).find().toArray()));
    return texts.join('\n');
  } finally {
    await client.close();
  }
}

describeOnEachStore('deletions that erase', (locations) => {
  const ways: Readonly<
    Record<string, (id: string, context: { instance: TestInstance; word: string }) => Promise<unknown>>
  > = {
    DELETE: async (id, { instance }) => {
      const response = await fetch(`${instance.cmaUrl}/${id}`, {
        method: 'DELETE',
        headers: instance.headers,
      });
      const body = await response.json();
      expect([response.status, body]).toEqual([200, { status: 'ok', result: null }]);
      expect(response.headers.get('x-change')).toEqual(expect.any(String));
      const again = await fetch(`${instance.cmaUrl}/${id}`, { method: 'DELETE', headers: instance.headers });
      expect(again.status).toBe(404);
    },
    'DELETE with a key': async (id, { instance, word }) => {
      const headers = { ...instance.headers, 'Idempotency-Key': `delete-${word}` };
      for (const _ of ['first', 'again']) {
        const response = await fetch(`${instance.cmaUrl}/${id}`, { method: 'DELETE', headers });
        expect([response.status, await response.json()]).toEqual([200, { status: 'ok', result: null }]);
      }
    },
    'an atomic batch': (id, { instance }) => batch(instance, id, true),
    'an independent batch': (id, { instance }) => batch(instance, id, false),
    'a GraphQL mutation': async (id, { instance }) => {
      const response = await fetch(`${instance.url}/graphql/all`, {
        method: 'POST',
        headers: { ...graphqlHeaders, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: `mutation { deleteText(_id: "${id}") }` }),
      });
      expect(await response.json()).toMatchObject({ data: { deleteText: true } });
    },
    'a mapped route': async (id, { instance }) => {
      const response = await fetch(`${instance.url}/pruning/remove?id=${id}`, { method: 'DELETE' });
      expect(await response.json()).toMatchObject({ data: { deleteText: true } });
    },
    'the revert of a run that created it': async (id, { instance, word }) => {
      const { runs } = instance.services;
      const headers = { ...instance.headers, 'Content-Type': 'application/json', 'X-Run': 'created' };
      const body = JSON.stringify({ _type: text, name: `${word} in a run` });
      const response = await fetch(instance.cmaUrl, { method: 'POST', headers, body });
      const { _id } = Object(await response.json()).result;
      instance.advanceClock(70_000);
      await runs.start('created');
      await runs.wait('created');
      await expect(instance.services.content.get(_id, everyone)).rejects.toMatchObject({ code: 'not_found' });
      const { revert } = await runs.get('created');
      expect(revert).toMatchObject({ state: 'finished', written: 1, conflicts: 0 });
      expect(await runs.get(revert?.run ?? '')).toMatchObject({
        isIrreversible: true,
        writes: { delete: 1 },
      });
      await expect(runs.start(revert?.run ?? '')).rejects.toMatchObject({ code: 'run_irreversible' });
      await instance.services.content.delete({ id }, everyone);
    },
    'the publication of a draft': async (id, { instance }) => {
      const { content } = instance.services;
      await content.inRelease('spring', everyone).delete({ id }, everyone);
      const { run } = await content.releases.publish({ release: 'spring' });
      const { writes, isIrreversible } = await instance.services.runs.get(run ?? '');
      expect([writes.delete, isIrreversible]).toEqual([1, true]);
    },
    'a library call': (id, { instance }) => instance.services.content.delete({ id }, everyone),
  };
  let graphqlHeaders: ClientHeaders;

  async function batch(instance: TestInstance, id: string, atomic: boolean): Promise<void> {
    const response = await fetch(`${instance.cmaUrl}/batch`, {
      method: 'POST',
      headers: { ...instance.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ atomic, operations: [{ action: 'delete', id }] }),
    });
    expect(await response.json()).toMatchObject({
      result: { results: [{ status: 200, outcome: 'deleted', _id: id, change: expect.any(String) }] },
    });
  }

  /** Creates an asset whose words are in live content, its history, kept responses, and drafts that exist, were dropped and published. */
  async function createKept({ cmaUrl, headers, services: { content } }: TestInstance, word: string) {
    const response = await fetch(cmaUrl, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': `create-${word}` },
      body: JSON.stringify({ _type: text, name: word, text: `${word} `.repeat(300) }),
    });
    const { result } = Object(await response.json());
    const id = String(result?._id);
    await content.update({ id, body: { name: `${word} again` } }, everyone);
    const [drafts, autumn] = [content.inRelease('drafts', everyone), content.inRelease('autumn', everyone)];
    await drafts.update({ id, body: { name: `${word} published` } }, everyone);
    await content.releases.publish({ release: 'drafts', only: [id] });
    await drafts.update({ id, body: { name: `${word} dropped` } }, everyone);
    await drafts.discard({ id }, everyone);
    await autumn.update({ id, body: { name: `${word} drafted` } }, everyone);
    return id;
  }

  it('leave nothing, by whatever way', async () => {
    const location = locations();
    const instance = await startInstance(location, erasing);
    const { content, store, graphqlEndpoints, restEndpoints, runs } = instance.services;
    graphqlHeaders = await instance.createClient({ scopes: ['graphql'] });
    const endpoint = await graphqlEndpoints.create({
      name: 'all',
      path: 'all',
      access: 'CLIENT_CREDENTIALS',
      readTypes: [text],
      writeTypes: [text],
    });
    const by = 'a test';
    const mappings = [
      { name: 'Remove', methods: ['DELETE'], query: 'mutation Remove($id: ID!) { deleteText(_id: $id) }' },
    ];
    const routes = { name: 'Pruning', pathPrefix: '/pruning', access: 'ANYONE', mappings };
    const { id: restId } = await restEndpoints.create({ body: { ...routes, source: endpoint.id }, by });
    await restEndpoints.publish({ id: restId, by });
    for (const name of ['spring', 'autumn']) await content.releases.create({ name });
    await instance.refresh();
    const stays = await createKept(instance, 'staying');
    const words: string[] = [];
    for (const [n, [way, remove]] of Object.entries(ways).entries()) {
      const word = `zanzibar${n}quux`;
      words.push(word);
      const id = await createKept(instance, word);
      await remove(id, { instance, word });
      await store.changes.waitUntilNumbered();
      const { entries } = await store.changes.history({ asset: id, limit: 9 });
      expect([way, entries.map(({ action }) => action)]).toEqual([way, ['erase']]);
      // Of drafts too, apart from those that were dropped.
      expect([way, (await content.releases.get('autumn')).drafts]).toEqual([way, 1]);
    }
    const checked = await fetch(`${instance.cmaUrl}/batch?validate=true`, {
      method: 'POST',
      headers: { ...instance.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ operations: [{ action: 'delete', id: stays }] }),
    });
    expect(Object(await checked.json()).result.results).toEqual([
      { status: 200, outcome: 'deleted', _id: stays, drafts: ['autumn'] },
    ]);
    const withdrawn = await createKept(instance, 'withdrawn');
    await content.releases.withdraw({ id: withdrawn }, everyone);
    await expect(runs.start('unknown')).rejects.toMatchObject({ code: 'not_found' });
    await instance.services.erasures.end();
    const kept = await readAllKept(location.config);
    expect(words.filter((word) => kept.includes(word))).toEqual([]);
    for (const word of ['staying', 'withdrawn']) expect(kept).toContain(`${word} again`);
    expect(
      (await content.history.list({ id: withdrawn, limit: 9 }, everyone)).entries.length,
    ).toBeGreaterThan(1);
    expect((await content.history.list({ id: stays, limit: 9 }, everyone)).entries.length).toBeGreaterThan(1);
    await instance.stop();
    await location.remove();
  });

  it('are finished by the next server where one was killed, which leaves what came after them', async () => {
    const location = locations();
    const first = await startInstance(location, {});
    await first.services.content.releases.create({ name: 'autumn' });
    const id = await createKept(first, 'zanzibar');
    // As a server that is killed right after the step of the store.
    await first.services.store.delete({ id, type: text, erase: true });
    await first.services.content.create({ _id: id, _type: text, name: 'afterwards' }, everyone);
    const drafts = first.services.content.inRelease('drafts', everyone);
    await drafts.update({ id, body: { name: 'drafted afterwards' } }, everyone);
    expect(await readAllKept(location.config)).toContain('zanzibar');
    await first.stop();
    const second = await startInstance(location, erasing);
    second.services.startBackgroundWork();
    await second.services.erasures.end();
    const kept = await readAllKept(location.config);
    expect(kept.match(/.{30}zanzibar.{30}/g)).toBe(null);
    const { store, content } = second.services;
    expect((await content.get(id, everyone)).asset.name).toBe('afterwards');
    const drafted = await content.inRelease('drafts', everyone).get(id, everyone);
    expect(drafted.asset.name).toBe('drafted afterwards');
    const { last, epoch } = await store.changes.position();
    const progress = await createProgressRecord(second.services.system).read(epoch);
    expect(progress.wholeTo).toBe(progress.copiesTo);
    expect(progress.copiesTo).toBeGreaterThan(0);
    expect(progress.copiesTo).toBeLessThanOrEqual(last);
    await second.stop();
    await location.remove();
  });

  it('are finished by a server whose deletions do not erase', async () => {
    const location = locations();
    const first = await startInstance(location, erasing);
    await first.services.content.releases.create({ name: 'autumn' });
    const id = await createKept(first, 'zanzibar');
    await first.services.erasures.finish();
    // As a server that is killed right after the step of the store.
    await first.services.store.delete({ id, type: text, erase: true });
    expect(await readAllKept(location.config)).toContain('zanzibar');
    await first.stop();
    const second = await startInstance(location, {});
    second.services.startBackgroundWork();
    await vi.waitFor(
      async () => expect((await readAllKept(location.config)).includes('zanzibar')).toBe(false),
      {
        timeout: 20_000,
        interval: 100,
      },
    );
    await second.stop();
    await location.remove();
  });

  it('leave nothing after a command that deletes', async () => {
    const location = locations();
    const instance = await startInstance(location, {});
    await instance.services.content.releases.create({ name: 'autumn' });
    const id = await createKept(instance, 'zanzibar');
    await instance.stop();
    const config = { ...readConfig({}), ...location.config, ...erasing };
    const runtime = {
      logger: silentLogger,
      clock: systemClock,
      ids: randomIds,
      origins: createRequestOrigins(),
    };
    const chosen = await chooseTypes(config, { isCompared: false });
    const command = await composeContent(config, { ...runtime, passwordCost }, { chosen, isReadOnly: false });
    await command.content.delete({ id }, everyone);
    await command.close();
    expect(await readAllKept(location.config)).not.toContain('zanzibar');
    await location.remove();
  });
});
