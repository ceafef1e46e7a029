import { beforeAll, describe, expect, it } from 'vitest';
import { type ServingProcess, startCommand, untilListening } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/opened.ts';

const folder = temporaryFolder();
let demo: ServingProcess;
const start = async () => {
  demo = await untilListening(startCommand(['demo'], { COLOPHON_PORT: '0' }, { cwd: folder }));
};
beforeAll(start);

const cma = '/api/rest/cma/contents';
// biome-ignore lint/suspicious/noExplicitAny: answers differ from request to request
async function ask(path: string, method = 'GET', body?: object): Promise<any> {
  const headers = { Authorization: 'Bearer demo.demo', 'Content-Type': 'application/json' };
  const response = await fetch(demo.url + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.ok, path).toBe(true);
  return response.status === 204 ? undefined : response.json();
}

const find = async (type: string, query = '') =>
  (await ask(`${cma}?from=com.example.news.${type}&limit=100${query}`)).result.items;
const all = async () =>
  (await Promise.all(['Page', 'Image', 'Event'].map((type) => find(type)))).flat().map(({ _id }) => _id);

describe('the demo', () => {
  it('prints requests that work', async () => {
    const printed = [...demo.stdout().matchAll(/curl '?(http[^\s']+)/g)].map(([, url]) => url ?? '');
    expect(printed).toHaveLength(2);
    for (const url of printed) expect(await (await fetch(url)).text()).toContain('"headline"');
    expect((await fetch(`${demo.url}/api/news/nothing`)).status).toBe(404);
  });

  it('has pictures, blocks of each kind and references', async () => {
    const articles = await find('Article');
    const blocks = articles.flatMap((article: { blocks: { _type: string }[] }) => article.blocks);
    const kinds = new Set(blocks.map(({ _type }: { _type: string }) => _type));
    expect([articles.length, [...kinds].toSorted()]).toEqual([40, ['Box', 'Picture', 'Quote']]);
    const { hash, name } = (await find('Image'))[0].file;
    const picture = await fetch(`${demo.url}/files/${hash}/${name}`);
    expect(picture.headers.get('Content-Type')).toBe('image/png');
  });

  it('has no field that looks like the states of assets', async () => {
    const { fields } = await ask('/api/admin/types/com.example.news.Article');
    const names = fields.map(({ name }: { name: string }) => name);
    expect(names).toContain('headline');
    expect(names).not.toContain('status');
  });

  it('has content that no longer fits', async () => {
    const { unfit } = await ask(`${cma}?from=com.example.news.Event`);
    expect(unfit.map(({ path }: { path: string }) => path).toSorted()).toEqual(['day', 'price', 'town']);
  });

  it('has a release under way, which its routes show, and a scheduled one', async () => {
    const { items } = await ask('/api/admin/releases');
    expect(items).toMatchObject([
      { name: 'drafts' },
      { name: 'book-fair', drafts: 1, publishAt: expect.any(Number) },
      { name: 'spring', drafts: 3 },
    ]);
    expect(items[1].publishAt).toBeGreaterThan(Date.now() + 86_400_000);
    const checked = await ask('/api/admin/releases/book-fair/publish', 'POST', { dryRun: true });
    expect(checked).toMatchObject({ findings: [] });
    const headline = async (query: string) =>
      (await ask(`/api/news/aldmoor-gets-a-night-bus${query}`)).headline;
    expect([await headline(''), await headline('?release=spring')]).toEqual([
      'Aldmoor gets a night bus',
      'Aldmoor gets a second night bus',
    ]);
  });

  it('receives the messages of its webhook', async () => {
    const webhook = async () => (await ask('/api/admin/webhooks')).items[0];
    await expect
      .poll(webhook, { timeout: 30_000 })
      .toMatchObject({ url: `${demo.url}/api/news/received`, behind: 0, lastSuccessAt: expect.any(Number) });
  });

  it('keeps what people have changed and deleted, and doubles nothing', async () => {
    const [first, second] = await find('Article');
    await ask(`${cma}/${first._id}`, 'PUT', { headline: 'Changed' });
    await ask(`${cma}/${second._id}`, 'DELETE');
    await ask('/api/admin/releases/spring?drafts=3', 'DELETE');
    const before = await all();
    const { id } = (await ask('/api/admin/webhooks')).items[0];
    await demo.stop();
    await start();
    expect(await all()).toEqual(before);
    expect(before).not.toContain(second._id);
    expect((await ask(`${cma}/${first._id}`)).result.headline).toBe('Changed');
    expect((await ask('/api/admin/releases')).items).toHaveLength(2);
    // The port of this start is another one.
    expect((await ask('/api/admin/webhooks')).items).toMatchObject([
      { id, url: `${demo.url}/api/news/received` },
    ]);
  });
});
