/** COLOPHON_DELETE=erase: each way of deleting live content leaves nothing of it, and a server finishes what a killed one has left. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { expect, it } from 'vitest';
import { createProgressRecord } from '../../../../src/access/erasure-progress.ts';
import type { Config } from '../../../../src/app/config/config.ts';
import type { ClientHeaders } from '../../../support/instance.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
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
    const { content, store, graphqlEndpoints, runs } = instance.services;
    graphqlHeaders = await instance.createClient({ scopes: ['graphql'] });
    await graphqlEndpoints.create({ name: 'all', path: 'all', access: 'CLIENT_CREDENTIALS', readTypes: [text], writeTypes: [text] });
    for (const name of ['spring', 'autumn']) await content.releases.create({ name });
    await instance.refresh();
    const stays = await createKept(instance, 'staying');
    const words: string[] = [];
    for (const [n, [way, remove]] of Object.entries(ways).entries()) {
      const word = `zanzibar${n}quux`;
      words.push(word);
      const id = await createKept(instance, word);
      await remove(id, { instance, word });
      await store.changes.settle();
      const { entries } = await store.changes.history({ asset: id, limit: 9 });
      expect([way, entries.map(({ action }) => action)]).toEqual([way, ['erase']]);
      // Of drafts too, apart from those that were dropped.
      expect([way, (await content.releases.get('autumn')).drafts]).toEqual([way, 1]);
    }
    const withdrawn = await createKept(instance, 'withdrawn');
    await content.releases.withdraw({ id: withdrawn }, everyone);
    await expect(runs.start('unknown')).rejects.toMatchObject({ code: 'not_found' });
    await instance.services.erasures?.end();
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
    await second.services.erasures?.end();
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
});
