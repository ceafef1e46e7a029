/** The addresses of the pages that show assets: in the responses of the admin API, and in the policy of the admin UI. */
import { beforeAll, expect, it } from 'vitest';
import { readAdminDocument } from '../../../../src/documents/openapi-document.ts';
import { createContractAssertions } from '../../../support/contract-assertions.ts';
import { keepsHistory } from '../../../support/history.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { makeTypesFolder } from '../../../support/types-folder.ts';
import { createAdminContext } from './admin-caller.ts';

const page = 'lib.Story';
const site = 'com.colophon.cms.db.Site';
const sdl = `
  type Story @contentType(class: "lib.Story") @preview(path: "/news/{slug}/{year}") {
    slug: String
    year: Int
  }
  type Links @contentType(class: "lib.Links") { urls: [String!] }`;

describeOnEachStore('the addresses of pages', (locations) => {
  const folder = makeTypesFolder(sdl);
  let instance: TestInstance;
  let client: ClientHeaders;
  const { call, createAsset } = createAdminContext({
    instance: () => instance,
    client: () => client,
    contract: createContractAssertions(readAdminDocument()),
  });
  beforeAll(async () => {
    const previewUrl = 'https://preview.example.com';
    instance = await startInstance(locations(), { typesDir: folder, previewUrl });
    client = await instance.createClient({ scopes: ['admin'] });
    await instance.refresh();
  });

  const linkOf = async (id: string, query = '') =>
    (await call('GET', `/contents/${id}${query}`)).headers.link;
  const owned = async (urls: string[]) => ({
    'cms.site.owner': { _ref: await createAsset({ _type: site, name: 'A site', urls }), _type: site },
  });

  it('are below the first URL of the site, or else that of the setting', async () => {
    const fields = { _type: page, slug: 'a/b c', year: 2026 };
    const one = await createAsset({
      ...fields,
      ...(await owned(['https://www.example.com/en/?x#y', 'https://b'])),
    });
    expect(await linkOf(one)).toBe('<https://www.example.com/en/news/a%2Fb%20c/2026>; rel="preview"');
    const other = '<https://preview.example.com/news/a%2Fb%20c/2026>; rel="preview"';
    for (const urls of [[], ['no address'], ['ftp://example.com'], ['https://a;b.example.com']])
      expect(await linkOf(await createAsset({ ...fields, ...(await owned(urls)) }))).toBe(other);
    expect(await linkOf(await createAsset(fields))).toBe(other);
    for (const slug of [undefined, '', '..'])
      expect(await linkOf(await createAsset({ ...fields, slug }))).toBeUndefined();
    expect(await linkOf(one.toUpperCase())).toContain('/en/news/');
    expect((await call('GET', `/types/${page}`)).body.previewPath).toBe('/news/{slug}/{year}');
  });

  it('are those of drafts in a release', async ({ skip }) => {
    if (!(await keepsHistory(instance))) skip('the store keeps no change log');
    const id = await createAsset({ _type: page, slug: 'live', year: 1 });
    const drafts = '?release=drafts';
    await call('PUT', `/contents/${id}${drafts}`, { body: { slug: 'drafted' } });
    expect(await linkOf(id, drafts)).toContain('/news/drafted/1');
    expect(await linkOf(id)).toContain('/news/live/1');
  });

  it('begin with those of live sites, whatever is drafted', async ({ skip }) => {
    if (!(await keepsHistory(instance))) skip('the store keeps no change log');
    const fields = { _type: page, slug: 'secret', year: 1 };
    const owner = await owned(['https://www.example.com']);
    const id = await createAsset({ ...fields, ...owner });
    const drafts = '?release=drafts';
    const urls = ['https://elsewhere.example'];
    await call('PUT', `/contents/${owner['cms.site.owner']._ref}${drafts}`, { body: { urls } });
    expect(await linkOf(id, drafts)).toBe('<https://www.example.com/news/secret/1>; rel="preview"');
    const created = await call('POST', `/contents${drafts}`, { body: { _type: site, name: 'New', urls } });
    const other = await createAsset({ _type: 'lib.Links', urls });
    for (const _ref of [created.body._id, other]) {
      const body = { 'cms.site.owner': { _ref, _type: site } };
      expect((await call('PUT', `/contents/${id}${drafts}`, { body })).status).toBe(200);
      expect(await linkOf(id, drafts)).toBe('<https://preview.example.com/news/secret/1>; rel="preview"');
    }
  });

  it('may be shown in frames of the admin UI', async () => {
    await owned(['https://frames.example.com/path']);
    const policy = async () =>
      (await fetch(`${instance.url}/admin`)).headers.get('Content-Security-Policy')?.split(';');
    await expect
      .poll(async () => (await policy())?.find((one) => one.startsWith('frame-src')), { timeout: 5_000 })
      .toMatch(/^frame-src 'self' https:\/\/preview\.example\.com .*https:\/\/frames\.example\.com/);
    expect((await policy())?.join()).not.toContain('a;b');
  });
});
