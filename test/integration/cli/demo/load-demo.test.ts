/** Loading the demo again after it was interrupted. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { demoTypesFolder } from '../../../../src/cli/demo/demo-types.ts';
import { loadDemo } from '../../../../src/cli/demo/load-demo.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { sqliteLocation } from '../../../support/stores.ts';

let instance: TestInstance;
beforeEach(async () => {
  instance = await startInstance(sqliteLocation(), { typesDir: demoTypesFolder, webhookPrivate: true });
});
afterEach(() => instance.stop());

/** Everything that a load makes. */
async function readAll() {
  const { content, restEndpoints, webhooks } = instance.services;
  const counts = [...content.catalog.types.keys()].map(async (from) => {
    const { count } = await content.find({ from, offset: 0, limit: 0, withCount: true }, {});
    return [from, count];
  });
  const { items } = await content.releases.list({ limit: 10 });
  return {
    counts: await Promise.all(counts),
    releases: items.map(({ name, drafts, publishAt }) => ({ name, drafts, isScheduled: !!publishAt })),
    endpoints: (await restEndpoints.list()).map(({ current }) => current.definition.name),
    webhooks: (await webhooks.list()).map(({ webhook }) => webhook.url),
  };
}

it('continues, and doubles nothing', async () => {
  const { services, url } = instance;
  let pictures = 0;
  const upload: typeof services.upload = (file) =>
    ++pictures > 3 ? Promise.reject(new Error('interrupted')) : services.upload(file);
  const interrupted = { nowMs: () => expect.fail('interrupted') };
  await expect(loadDemo({ ...services, upload }, url)).rejects.toThrow('interrupted');
  await expect(loadDemo({ ...services, clock: interrupted }, url)).rejects.toThrow('interrupted');
  await loadDemo(services, url);
  const loaded = await readAll();
  expect(loaded).toEqual({
    counts: [
      ['com.colophon.cms.db.Site', 0],
      ['com.colophon.cms.db.Text', 1],
      ['com.example.news.Article', 40],
      ['com.example.news.Author', 7],
      ['com.example.news.Event', 5],
      ['com.example.news.Image', 15],
      ['com.example.news.Section', 7],
    ],
    releases: [
      { name: 'drafts', drafts: 0, isScheduled: false },
      { name: 'book-fair', drafts: 1, isScheduled: true },
      { name: 'spring', drafts: 3, isScheduled: false },
    ],
    endpoints: ['News'],
    webhooks: [`${url}/api/news/received`],
  });
  await loadDemo(services, url);
  expect(await readAll()).toEqual(loaded);
});
