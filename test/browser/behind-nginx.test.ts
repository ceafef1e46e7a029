/** The whole server behind a real nginx, below a path: with TLS, compression and cookies. nginx strips the path or leaves it. */
import { expect, it } from 'vitest';
import { describeJourneys, finish, type Journey } from '../support/browser.ts';
import { describeBehindNginx, startNginx } from '../support/nginx.ts';

const [site, text] = ['com.colophon.cms.db.Site', 'com.colophon.cms.db.Text'];

const journeys = [
  { name: 'that strips the path', basePath: '/site/cms', target: '/' },
  { name: 'that leaves the path', basePath: '/cms', target: '' },
];

describeBehindNginx('nginx', () => {
  for (const { name, basePath, target } of journeys) {
    describeJourneys(name, (journey) => defineJourney(journey, basePath), {
      settings: { publicUrl: `https://127.0.0.1${basePath}`, basePath, trustedProxies: 1 },
      startProxy: (url) => startNginx({ server: `location ${basePath}/ { proxy_pass ${url}${target}; }` }),
    });
  }
});

function defineJourney({ instance, open, openSignedIn }: Journey, basePath: string): void {
  it('shows the admin UI, whose pages, links and session stay below the path', async () => {
    const { headers, cmaUrl } = instance();
    const created = await fetch(cmaUrl, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ _type: text, name: 'A text behind nginx' }),
    });
    const location = created.headers.get('Location') ?? '';
    expect(location).toMatch(new RegExp(`^${basePath}/api/rest/cma/contents/`));

    const page = await openSignedIn(`${basePath}/`);
    expect(new URL(page.url()).pathname).toBe(`${basePath}/admin`);
    const cookies = await page.context().cookies();
    expect(cookies.map(({ path, secure, httpOnly }) => ({ path, secure, httpOnly }))).toEqual(
      cookies.map(() => ({ path: basePath, secure: true, httpOnly: true })),
    );
    await page.goto(`${basePath}/admin/content/${text}/${location.split('/').at(-1)}`);
    await page.getByRole('heading', { name: 'A text behind nginx' }).first().waitFor();
    await page.getByRole('link', { name: 'All content' }).click();
    await page.waitForURL((url) => url.pathname === `${basePath}/admin/content`);
    await page.goto(`${basePath}/docs`);
    await page.getByRole('button', { name: /^GET .*Find assets/ }).click();
    await page.getByText(`${new URL(page.url()).origin}${basePath}/api/rest/cma/contents?from=`).waitFor();
    const guide = page.getByRole('link', { name: 'Query assets' });
    expect(await guide.getAttribute('href')).toBe(`${basePath}/docs/guide/cma#query-assets`);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'GraphQL' }).click();
    await page.locator('.graphiql-container').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email').waitFor();
    await finish(page);
  });

  it('shows the guide', async () => {
    const page = await open(`${basePath}/docs/guide`);
    await page.getByRole('link', { name: 'Get started' }).click();
    await page.getByRole('heading', { name: 'Getting started', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`${basePath}/docs/guide/getting-started`);
    await page.reload();
    await page.getByRole('heading', { name: 'Load the demo' }).waitFor();
    await finish(page);
  });

  it('serves the APIs: large bodies and pages, weak ETags, and OpenAPI documents that name the public URL', async () => {
    const page = await open(`${basePath}/admin/sign-in`);
    const { request } = page.context();
    const admin = await instance().createClient({ scopes: ['admin', 'cma:read', 'cma:write'] });
    await instance().refresh();
    const send = (path: string, headers: Readonly<Record<string, string>> = {}) =>
      request.get(basePath + path, { headers: { ...admin, ...headers } });

    const contents = `${basePath}/api/rest/cma/contents`;
    const sent = Array.from({ length: 4 }, (_, n) => ({
      _type: text,
      name: `Large ${n}`,
      text: `${n}`.repeat(1_000_000),
    }));
    const batch = { operations: sent.map((asset) => ({ action: 'create', asset })) };
    const written = await request.post(`${contents}/batch`, { headers: admin, data: batch });
    expect(await written.text()).toContain('"failed":0');
    const found = await send(`/api/rest/cma/contents?from=${text}&limit=100`);
    expect(found.status(), await found.text()).toBe(200);
    const { items }: { items: { name: string; text: string }[] } = (await found.json()).result;
    const large = new Map(items.map((item) => [item.name, item.text]));
    expect(sent.filter((asset) => large.get(asset.name) !== asset.text).map((asset) => asset.name)).toEqual(
      [],
    );

    const document = await (await send('/api/admin/cma/openapi.json')).json();
    expect(document.servers).toEqual([{ url: `https://127.0.0.1${basePath}` }]);

    const { graphqlEndpoints, restEndpoints } = instance().services;
    const { id: source } = await graphqlEndpoints.create({
      name: 'News',
      readTypes: [site, text],
      writeTypes: [],
      access: 'ANYONE',
    });
    const mappings = [
      { name: 'Texts', query: 'query Texts { textList(limit: 100) { items { _id name } } }' },
    ];
    const { id } = await restEndpoints.create({ body: { name: 'News', source, mappings }, by: 'the test' });
    await restEndpoints.publish({ id, by: 'the test' });
    await instance().refresh();
    const first = await send('/news/texts');
    const tag = first.headers().etag ?? '';
    expect([first.status(), first.headers()['content-encoding'], tag.slice(0, 3)]).toEqual([
      200,
      'gzip',
      'W/"',
    ]);
    expect((await send('/news/texts', { 'If-None-Match': tag })).status()).toBe(304);

    const result = await request.post(`${basePath}/graphql/news`, {
      data: { query: '{ textList { items { name } } }' },
    });
    expect((await result.json()).data.textList.items).toContainEqual({ name: 'Large 3' });
    expect((await send('/nothing')).status()).toBe(404);
    await finish(page);
  });
}
