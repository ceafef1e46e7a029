/** References that keep their target, in every way in which a sender can delete: what is refused, and what the sender is told. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import {
  bundleDocument,
  readAdminDocument,
  readCmaDocument,
} from '../../../../src/documents/openapi-document.ts';
import { loadTypes } from '../../../../src/types/load-types.ts';
import { readTypeSources } from '../../../../src/types/type-sources.ts';
import { createContractAssertions } from '../../../support/contract-assertions.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { makeTypesFolder } from '../../../support/types-folder.ts';
import { createCaller } from '../cma/caller.ts';
import { open, send } from '../routes/routes-context.ts';

const sdl = `
type Writer @contentType(class: "lib.Writer") { name: String }
type Book @contentType(class: "lib.Book") {
  title: String
  author: Writer @indexed @onDelete(action: RESTRICT)
  readers: [Writer!] @indexed @onDelete(action: RESTRICT)
  reviewer: Writer
}
`;
const site = 'com.colophon.cms.db.Site';

describeOnEachStore('a reference that keeps its target', (locations) => {
  const types = makeTypesFolder(sdl);
  const catalog = loadTypes(readTypeSources(types));
  const contract = createContractAssertions(bundleDocument({ source: readCmaDocument(), catalog }));
  const adminContract = createContractAssertions(readAdminDocument());
  let instance: TestInstance;
  const { call, create } = createCaller({ instance: () => instance, contract });
  let all: ClientHeaders;
  let mine: string;
  let restricted: ClientHeaders;

  const refer = (_ref: string, _type = 'lib.Writer') => ({ _ref, _type });
  const author = (fields: object = {}) => create({ _type: 'lib.Writer', name: 'Ada', ...fields });
  const book = (of: string, fields: object = {}) =>
    create({ _type: 'lib.Book', title: 'Notes', author: refer(of), ...fields });
  const referrers = (...books: { _id: string }[]) => ({
    count: books.length,
    items: books.map(({ _id }) => ({ _id, _type: 'lib.Book', title: 'Notes' })),
  });
  const errorOf = ({
    status,
    body: { error },
  }: {
    status: number;
    body: { error: { message: string } };
  }) => ({
    status,
    ...error,
  });
  const refused = (expected: object) => ({
    status: 409,
    code: 'referenced',
    message: expect.stringContaining('is referred to by'),
    referrers: expected,
  });

  beforeAll(async () => {
    instance = await startInstance(locations(), { typesDir: types });
    all = await instance.createClient({
      scopes: ['cma:read', 'cma:write', 'cma:draft', 'history', 'admin', 'graphql'],
    });
    mine = (await create({ _type: site, name: 'Mine' }))._id;
    restricted = await instance.createClient({ sites: [mine] });
    await instance.services.graphqlEndpoints.create(open);
    await instance.refresh();
  });

  it('refuses a deletion, which validate=true tells before', async () => {
    const { _id } = await author();
    const books = [await book(_id), await book(_id, { author: null, readers: [refer(_id)] })];
    await book(_id, { author: null, reviewer: refer(_id) });
    const path = `/${_id}`;
    for (const query of [{ validate: 'true' }, {}])
      expect(errorOf(await call('DELETE', { path, query }))).toEqual(refused(referrers(...books)));
    expect((await call('GET', { path })).status).toBe(200);
    for (const one of books) await call('DELETE', { path: `/${one._id}` });
    expect((await call('DELETE', { path, query: { validate: 'true' } })).body).toEqual({
      status: 'ok',
      result: null,
    });
    expect((await call('DELETE', { path })).status).toBe(200);
    const both = await call('DELETE', { path, query: { validate: 'true', erase: 'true' } });
    expect(both.body.error).toMatchObject({ code: 'invalid_parameter', path: 'validate' });
  });

  it('tells a client restricted to sites what it sees, and that there are others', async () => {
    const own = { 'cms.site.owner': refer(mine, site) };
    const { _id } = await author(own);
    await book(_id);
    const seen = await book(_id, own);
    const deletion = { path: `/${_id}`, client: restricted };
    expect(errorOf(await call('DELETE', deletion))).toEqual(refused({ ...referrers(seen), others: true }));
    await call('DELETE', { path: `/${seen._id}` });
    const { message, ...error } = errorOf(await call('DELETE', deletion));
    expect(error).toMatchObject({ code: 'referenced', referrers: { count: 0, items: [], others: true } });
    expect(message).toContain('assets that you may not see');
  });

  it('judges the operations of a batch one by one, and those of an atomic one together', async () => {
    const { _id } = await author();
    const one = await book(_id);
    const removals = [_id, one._id].map((id) => ({ action: 'delete', id }));
    const batch = (operations: object[], atomic: boolean, query = {}) =>
      call('POST', { path: '/batch', body: { operations, atomic }, query });
    for (const query of [{ validate: 'true' }, {}]) {
      const { results } = (await batch(removals.slice(0, 1), false, query)).body.result;
      expect(results).toEqual([
        { status: 409, error: expect.objectContaining({ referrers: referrers(one) }) },
      ]);
    }
    const added = { action: 'create', asset: { _type: 'lib.Book', title: 'New', author: refer(_id) } };
    for (const query of [{ validate: 'true' }, {}]) {
      const response = await batch([added, ...removals], true, query);
      expect(errorOf(response)).toMatchObject({ status: 409, code: 'referenced', referrers: { count: 1 } });
      expect(response.body.error.problems).toMatchObject([{ path: 'operations[1]' }]);
    }
    expect((await batch(removals, true, { validate: 'true' })).status).toBe(200);
    expect((await batch(removals, true)).status).toBe(200);
  });

  it('refuses mutations, withdrawals and erasures', async () => {
    const { _id } = await author();
    const one = await book(_id);
    const { body } = await send(instance.url, 'POST', '/graphql/open', {
      json: { query: `mutation { deleteWriter(_id: "${_id}") }` },
    });
    expect(body.errors[0].extensions).toMatchObject({ code: 'referenced', referrers: referrers(one) });
    const withdrawal = await call('POST', { path: `/${_id}/withdraw`, client: all });
    expect(errorOf(withdrawal)).toEqual(refused(referrers(one)));
    const erasure = await call('DELETE', { path: `/${_id}`, query: { erase: 'true' }, client: all });
    expect(errorOf(erasure)).toEqual(refused(referrers(one)));
    const admin = (method: string, path: string, json?: object) =>
      send(instance.url, method, `/api/admin/${path}`, { headers: all, ...(json && { json }) });
    const removal = await admin('DELETE', `contents/${_id}`);
    adminContract.assertDocumented('DELETE', `/api/admin/contents/${_id}`, removal);
    expect(removal.body).toMatchObject({ status: 409, code: 'referenced', referrers: referrers(one) });
    const found = await admin('GET', `contents/${_id}/references`);
    adminContract.assertDocumented('GET', `/api/admin/contents/${_id}/references`, found);
    expect(found.body).toMatchObject({
      count: 1,
      restricting: 1,
      items: [{ _id: one._id, restricts: true }],
    });
  });

  it('is a finding of a release, unless the release changes what refers', async () => {
    const { _id } = await author();
    const one = await book(_id);
    const release = `r-${randomUUID()}`;
    const admin = (path: string, json: object = {}) =>
      send(instance.url, 'POST', `/api/admin/releases${path}`, { headers: all, json });
    await admin('', { name: release });
    const drafted = { query: { release }, client: all };
    expect((await call('DELETE', { path: `/${_id}`, ...drafted })).status).toBe(200);
    const check = await admin(`/${release}/publish`, { dryRun: true });
    adminContract.assertDocumented('POST', `/api/admin/releases/${release}/publish`, check);
    expect(check.body.findings).toMatchObject([
      { asset: _id, code: 'referenced', referrers: referrers(one) },
    ]);
    expect((await admin(`/${release}/publish`)).body).toMatchObject({
      status: 409,
      code: 'publication_refused',
    });
    await call('PUT', { path: `/${one._id}`, body: { author: null }, ...drafted });
    expect((await admin(`/${release}/publish`)).status).toBe(200);
    expect((await call('GET', { path: `/${_id}` })).status).toBe(404);
  });
});
