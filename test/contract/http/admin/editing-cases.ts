/** Cases of assets that editors create, read, update and delete. */
import { describe, expect, it } from 'vitest';
import { article, author, site, text } from '../cma/cma-content.ts';
import { type AdminContext, noId } from './admin-caller.ts';

/** Runs the cases. */
export function describeEditing({ call, createAsset, instance, signIn, newName }: AdminContext): void {
  const create = (fields: object) => call('POST', '/contents', { body: { _type: text, ...fields } });
  const pathOf = (id: string) => `/contents/${id}`;
  const newSlug = () => newName().toLowerCase().replace(' ', '-');

  describe('an asset in the admin API', () => {
    it('is created as in the CMA, and can be read through both APIs', async () => {
      const { headers: user } = await signIn();
      const name = newName();
      const { status, headers, body } = await call('POST', '/contents', {
        as: user,
        body: { _type: text, name, text: '<p>One</p>' },
      });
      expect([status, headers.location]).toEqual([201, `/api/admin/contents/${body._id}`]);
      expect(body).toEqual({
        _id: expect.any(String),
        _type: text,
        name,
        text: '<p>One</p>',
        'cms.content.publishDate': expect.any(Number),
        'cms.content.updateDate': expect.any(Number),
      });
      const read = await call('GET', pathOf(body._id), { as: user });
      expect([read.body, read.headers.etag]).toEqual([body, headers.etag]);
      const cma = await fetch(`${instance().cmaUrl}/${body._id}`, { headers: instance().headers });
      expect([await cma.json(), cma.headers.get('ETag')]).toEqual([
        { status: 'ok', result: body },
        headers.etag,
      ]);
    });

    it('may belong to any site', async () => {
      const owner = { _ref: await createAsset({ _type: site, name: newName() }), _type: site };
      const { body } = await create({ name: newName(), 'cms.site.owner': owner });
      const { status, body: changed } = await call('PUT', pathOf(body._id), {
        body: { 'cms.site.owner': null },
      });
      expect([status, 'cms.site.owner' in changed]).toEqual([200, false]);
    });

    it('is updated field by field, and only in the state that If-Match names', async () => {
      const { headers, body } = await create({ name: newName(), text: 'One' });
      const known = { 'If-Match': headers.etag ?? '' };
      const path = pathOf(body._id);
      const changed = await call('PUT', path, { body: { _id: body._id, text: null }, headers: known });
      const { text: _, ...rest } = body;
      expect(changed.body).toEqual({ ...rest, 'cms.content.updateDate': expect.any(Number) });
      expect(changed.headers.etag).not.toBe(headers.etag);
      const stale = await call('PUT', path, { body: { text: 'Two' }, headers: known });
      expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed']);
      expect((await call('DELETE', path, { headers: known })).status).toBe(412);
      const broken = await call('DELETE', path, { headers: { 'If-Match': 'x' } });
      expect([broken.status, broken.body.problems[0].path]).toEqual([400, 'If-Match']);
      expect((await call('GET', path)).body).toEqual(changed.body);
    });

    it('is deleted once', async () => {
      const { headers, body } = await create({ name: newName() });
      const path = pathOf(body._id);
      const known = { 'If-Match': headers.etag ?? '' };
      expect((await call('DELETE', path, { headers: known })).status).toBe(204);
      for (const method of ['GET', 'DELETE']) expect((await call(method, path)).status).toBe(404);
    });

    it('is refused with all its problems', async () => {
      const pathsIn = ({ problems }: { problems: { path: string }[] }) => problems.map(({ path }) => path);
      const wrong = { slug: 5, status: 'DRAFT', readingMinutes: 'x', place: { country: 'DE1' }, title: 'x' };
      const { status, body } = await create({ _type: article, ...wrong });
      expect([status, body.code]).toEqual([400, 'invalid_body']);
      const expected = ['headline', 'place.country', 'place.name', 'readingMinutes', 'slug', 'title'];
      expect(pathsIn(body).toSorted()).toEqual(expected);
      const { body: made } = await create({ _type: author, slug: newSlug(), name: newName() });
      const changes = { slug: null, name: 7, portrait: { _ref: noId, _type: author } };
      const { body: problem } = await call('PUT', pathOf(made._id), { body: changes });
      expect(pathsIn(problem).toSorted()).toEqual(['name', 'portrait._type', 'slug']);
    });

    it.each([
      ['no type', { _type: undefined }, 'invalid_body', '_type'],
      ['an unknown type', { _type: 'com.example.Poem' }, 'unknown_type', '_type'],
      ['an interface as its type', { _type: 'com.example.news.Page' }, 'invalid_body', '_type'],
      ['an invalid _id', { _id: 'x' }, 'invalid_body', '_id'],
    ])('is refused with %s', async (_name, fields, code, path) => {
      const { status, body } = await create({ name: 'A name', ...fields });
      expect([status, body.code, body.problems[0].path]).toEqual([400, code, path]);
    });

    it('must have an unused _id and unused unique values', async () => {
      const slug = newSlug();
      const { body } = await create({ _type: author, slug, name: 'First' });
      const again = await create({ _id: body._id, name: 'Second' });
      expect([again.status, again.body.code, again.body.problems[0].path]).toEqual([409, 'id_in_use', '_id']);
      const twin = await create({ _type: author, slug, name: 'Third' });
      expect([twin.status, twin.body.code, twin.body.problems[0].path]).toEqual([
        409,
        'value_in_use',
        'slug',
      ]);
      const { body: other } = await create({ _type: author, slug: newSlug(), name: 'Fourth' });
      expect((await call('PUT', pathOf(other._id), { body: { slug } })).status).toBe(409);
    });

    it("is never one of Colophon's own records", async () => {
      const { body } = await call('GET', '/graphql-endpoints');
      for (const id of [body.items[0].id, 'x', '..%2f']) {
        expect((await call('GET', pathOf(id))).status).toBe(404);
      }
    });
  });
}
