/** A mapped route behind a real Varnish, which a webhook purges: the cache shows a change soon after it was written. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { describeBehindVarnish, startVarnish, type Varnish } from '../../../support/varnish.ts';
import { createNews } from '../routes/news.ts';

const guide = readFileSync('docs/webhooks.md', 'utf8');
/** The configuration in the guide, with the address of this machine as the only one that may purge. */
const documented = (/```text\n(import xkey;[^`]*)```/.exec(guide)?.[1] ?? '').replace(
  '"10.0.0.0"/8',
  '"127.0.0.1"',
);
const subroutines = `${documented}
sub vcl_deliver { set resp.http.x-hits = obj.hits; }
`;

const by = 'a test';
const mappings = [
  {
    name: 'One',
    query: 'query One($id: ID!) { article(_id: $id) { headline } }',
    cacheSeconds: 3_600,
  },
  {
    name: 'Drafts',
    query: 'query Drafts { articleList(where: "status = DRAFT") { items { slug } } }',
    cacheSeconds: 3_600,
  },
];

describeBehindVarnish('a mapped route behind Varnish', () => {
  let instance: TestInstance;
  let varnish: Varnish;

  beforeAll(async () => {
    instance = await startInstance(sqliteLocation(), { webhookPrivate: true });
    const { graphqlEndpoints, restEndpoints } = instance.services;
    await graphqlEndpoints.create({ name: 'Open', readTypes: ['*'], access: 'ANYONE' });
    const body = { name: 'Cached', source: 'Open', cacheTags: 'xkey', mappings };
    const { id } = await restEndpoints.create({ body, by });
    await restEndpoints.publish({ id, by });
    await instance.refresh();
    varnish = await startVarnish(instance.url, subroutines);
  });
  afterAll(() => varnish.stop());

  const ask = async (path: string) => {
    const response = await fetch(varnish.url + path);
    return { hits: Number(response.headers.get('x-hits')), body: await response.text() };
  };
  const untilShown = (path: string, text: string) =>
    expect.poll(async () => (await ask(path)).body, { timeout: 120_000 }).toContain(text);

  it('is answered by the cache until content changes, and then has the new content', async () => {
    const { content, webhooks } = instance.services;
    const { _id: id } = (await content.create(createNews('first'), {})).asset;
    const paths = [`/cached/one?id=${id}`, '/cached/drafts'] as const;
    for (const path of paths) await ask(path);
    for (const path of paths) expect((await ask(path)).hits).toBeGreaterThan(0);
    // Without purges the cache keeps the former content.
    await content.update({ id, body: { headline: 'Second' } }, {});
    expect((await ask(paths[0])).body).toContain('About first');

    await webhooks.create({
      name: 'Varnish',
      url: varnish.url,
      types: ['*'],
      actions: ['create', 'update', 'delete', 'erase'],
      payload: 'thin',
      purge: { method: 'PURGE', headers: { xkey: '{tags:space}' }, maxTags: 100 },
    });
    await content.update({ id, body: { headline: 'Third' } }, {});
    await untilShown(paths[0], 'Third');
    await content.create(createNews('newly-matching'), {});
    await untilShown(paths[1], 'newly-matching');
    await content.delete({ id }, {});
    await untilShown(paths[0], '"article":null');
  });
});
