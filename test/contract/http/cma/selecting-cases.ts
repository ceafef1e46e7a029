/** Cases of what a response has of the assets found: selected fields, and the assets that they refer to. */
import { describe, expect, it } from 'vitest';
import { article, author, type CmaContext, noAsset, text } from './cma-content.ts';

const section = 'com.example.news.Section';
const page = 'com.example.news.Page';
const image = 'com.example.news.Image';

/** Runs the cases. */
export function describeSelecting({ call, create, instance, newArticle, newSlug }: CmaContext): void {
  const refer = ({ _id, _type }: { readonly _id: string; readonly [name: string]: unknown }) => ({
    _ref: _id,
    _type,
  });
  const newAuthor = (fields: object = {}) =>
    create({ _type: author, slug: newSlug(), name: 'Ada', ...fields });

  describe('selecting fields', () => {
    it('returns the selected fields at their places, of a page and of one asset', async () => {
      const { _id, slug } = await create(
        newArticle({
          place: { name: 'Bern', country: 'CH', latitude: 46.9 },
          sources: [{ title: 'One', url: 'https://example.org/' }, { title: 'Two' }],
          importData: { title: 'kept whole' },
          tags: ['a', 'b'],
        }),
      );
      const picked = {
        _id,
        _type: article,
        slug,
        tags: ['a', 'b'],
        sources: [{ title: 'One' }, { title: 'Two' }],
        place: { country: 'CH', latitude: 46.9 },
        importData: { title: 'kept whole' },
      };
      const fields = 'place.latitude,slug,sources.title,place.country,tags,importData';
      const one = await call('GET', { path: `/${_id}`, query: { fields } });
      expect(one.body).toEqual({ status: 'ok', result: picked });
      const order = Object.keys((await call('GET', { path: `/${_id}` })).body.result);
      expect(Object.keys(one.body.result)).toEqual(order.filter((name) => name in picked));
      const query = { from: article, where: '_id = ?', values: [_id], count: 'false' };
      expect((await call('GET', { query: { ...query, fields } })).body.result).toEqual({ items: [picked] });
      const body = { ...query, count: false, fields: fields.split(',') };
      expect((await call('POST', { path: '/query', body })).body.result).toEqual({ items: [picked] });
      const alone = await call('GET', { query: { ...query, fields: '_id' } });
      expect(alone.body.result.items).toEqual([{ _id, _type: article }]);
    });

    it('knows the fields of all types of an interface, and has the ETag of the asset', async () => {
      const [tag, { _id: by }] = [newSlug(), await newAuthor()];
      const { _id } = await create(newArticle({ tags: [tag] }));
      const query = { from: page, where: '_id in ?', values: `${_id}`, fields: 'headline,name' };
      expect((await call('GET', { query })).body.result.items).toEqual([
        { _id, _type: article, headline: 'A headline' },
      ]);
      const { headers } = await call('GET', { path: `/${by}` });
      const selected = await call('GET', { path: `/${by}`, query: { fields: 'name' } });
      expect([selected.headers.etag, selected.body.result.name]).toEqual([headers.etag, 'Ada']);
      const again = { 'If-None-Match': headers.etag ?? '' };
      expect((await call('GET', { path: `/${by}`, query: { fields: 'name' }, headers: again })).status).toBe(
        304,
      );
    });

    it.each([
      ['nothing', 'unknown_field', 'nothing'],
      ['place.planet', 'unknown_field', 'place.planet'],
      ['importData.title', 'unknown_field', 'importData.title'],
      ['headline,author/name', 'unknown_field', 'author/name'],
      ['__proto__', 'unknown_field', '__proto__'],
      ['', 'invalid_parameter', 'fields'],
      ['headline,', 'invalid_parameter', 'fields'],
      [Array(1001).fill('headline').join(','), 'invalid_parameter', 'fields'],
      [`place${'.place'.repeat(3_000)}`, 'unknown_field', undefined],
    ])('refuses fields=%s with 400', async (fields, code, path) => {
      const { _id } = await create(newArticle());
      for (const query of [{ from: article, fields }, { fields }]) {
        const { status, body } = await call('GET', { path: 'from' in query ? '' : `/${_id}`, query });
        expect([status, body.error.code]).toEqual([400, code]);
        if (path !== undefined) expect(body.error.path).toBe(path);
      }
    });
  });

  describe('including referenced assets', () => {
    it('returns each once, over three levels and through lists, interfaces and embedded values', async () => {
      const top = await create({ _type: section, slug: newSlug(), name: 'Top' });
      const middle = await create({ _type: section, slug: newSlug(), name: 'Middle', parent: refer(top) });
      const low = await create({ _type: section, slug: newSlug(), name: 'Low', parent: refer(middle) });
      const portrait = await create({ _type: image, url: 'https://example.org/', alternativeText: 'x' });
      const ada = await newAuthor({ portrait: refer(portrait) });
      const first = await create(newArticle({ author: refer(ada), section: refer(low) }));
      const second = await create(
        newArticle({ author: refer(ada), section: refer(middle), related: [refer(first), refer(ada)] }),
      );
      const ids = [first._id, second._id];
      const find = async (include: string, more: object = {}) => {
        const query = { from: article, where: `_id in [${ids}]`, include, ...more };
        const { body } = await call('GET', { query });
        expect(body.result.items).toHaveLength(2);
        return body.result.included;
      };
      const all = (...assets: { readonly _id: string }[]) =>
        Object.fromEntries(assets.map((asset) => [asset._id, asset]));
      expect(await find('author')).toEqual(all(ada));
      expect(await find('author/portrait,section')).toEqual(all(ada, portrait, low, middle));
      expect(await find('section/parent/parent')).toEqual(all(low, middle, top));
      expect(await find('related/portrait')).toEqual(all(first, ada, portrait));
      expect(await find('lead')).toEqual({});
      expect(await find('author', { fields: 'slug' })).toEqual(all(ada));
      const body = { from: article, where: '_id in ?', values: [ids], include: ['author/portrait'] };
      const posted = await call('POST', { path: '/query', body });
      expect(posted.body.result.included).toEqual(all(ada, portrait));
      const path = `/${second._id}`;
      const one = await call('GET', { path, query: { include: 'related,author', fields: 'slug' } });
      expect(one.body).toEqual({
        status: 'ok',
        result: { _id: second._id, _type: article, slug: second.slug },
        included: all(first, ada),
      });
    });

    it('changes the ETag of an asset when an included one changes', async () => {
      const ada = await newAuthor();
      const { _id } = await create(newArticle({ author: refer(ada) }));
      const [path, query] = [`/${_id}`, { include: 'author' }];
      const { headers } = await call('GET', { path, query });
      const known = { 'If-None-Match': headers.etag ?? '' };
      expect((await call('GET', { path, query, headers: known })).status).toBe(304);
      await call('PUT', { path: `/${ada._id}`, body: { name: 'Grace' } });
      const changed = await call('GET', { path, query, headers: known });
      expect(changed.body.included[ada._id].name).toBe('Grace');
      const update = { path, body: { headline: 'New' }, headers: { 'If-Match': headers.etag ?? '' } };
      expect((await call('PUT', update)).status).toBe(200);
    });

    it('leaves out what is deleted and what belongs to another site', async () => {
      const own = await create({ _type: 'com.colophon.cms.db.Site', name: 'own' });
      const other = await create({ _type: 'com.colophon.cms.db.Site', name: 'other' });
      const owner = { 'cms.site.owner': refer(own) };
      const hidden = await newAuthor({ 'cms.site.owner': refer(other) });
      const shown = await newAuthor(owner);
      const gone = await newAuthor(owner);
      const related = [hidden, shown, gone].map(refer);
      const { _id } = await create(newArticle({ ...owner, related }));
      await call('DELETE', { path: `/${gone._id}` });
      const client = await instance().createClient({ scopes: ['cma:read'], sites: [own._id] });
      const get = () => call('GET', { path: `/${_id}`, query: { include: 'related' }, client });
      await expect.poll(async () => (await get()).status).toBe(200);
      expect(Object.keys((await get()).body.included)).toEqual([shown._id]);
      const mine = await call('GET', { path: `/${_id}`, query: { include: 'related' } });
      expect(Object.keys(mine.body.included).toSorted()).toEqual([hidden._id, shown._id].toSorted());
    });

    it('streams assets that are too large for memory, and includes at most 1,000', async () => {
      const body = 'x'.repeat(700_000);
      const tag = newSlug();
      const authors = [];
      for (let n = 0; n < 3; n++) authors.push(await newAuthor({ biography: body }));
      for (const author of authors) await create(newArticle({ author: refer(author), tags: [tag], body }));
      const query = { from: article, where: 'tags = ?', values: tag, include: 'author' };
      const { body: found, headers } = await call('GET', { query });
      expect(headers['content-length']).toBeUndefined();
      expect(Object.keys(found.result.included).toSorted()).toEqual(authors.map(({ _id }) => _id).toSorted());
      expect(found.result.items.map((item: { author: object }) => item.author)).toEqual(authors.map(refer));
      const small = await call('GET', { query: { ...query, fields: 'slug', include: '_id' } });
      expect(small.status).toBe(400);
      const operations = Array.from({ length: 1000 }, (_, n) => ({
        action: 'create',
        asset: { _type: author, slug: newSlug(), name: `${n}` },
      }));
      const { results } = (await call('POST', { path: '/batch', body: { operations } })).body.result;
      const many = newSlug();
      const ids = [...results.map(({ _id }: { _id: string }) => _id), authors[0]?._id];
      for (let n = 0; n < ids.length; n += 20) {
        const related = ids.slice(n, n + 20).map((_id) => refer({ _id, _type: author }));
        await create(newArticle({ tags: [many], related }));
      }
      const all = { from: article, where: 'tags = ?', values: many, limit: 50, include: 'related' };
      expect(Object.keys((await call('GET', { query: all })).body.result.included)).toHaveLength(1000);
      const found60 = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const { body: part } = await call('GET', { query: { ...all, limit: 60, cursor } });
        expect(part.result.items.length).toBeLessThan(51);
        found60.push(...part.result.items);
        cursor = part.result.next;
      }
      expect(found60).toHaveLength(51);
      const { status, body: refused } = await call('GET', { query: { ...all, limit: 60 } });
      expect([status, refused.error]).toMatchObject([400, { code: 'invalid_parameter', path: 'include' }]);
    });

    it.each([
      ['nothing', 'unknown_field', 'nothing'],
      ['author/nothing', 'unknown_field', 'nothing'],
      ['headline', 'invalid_parameter', 'include'],
      ['author/name', 'invalid_parameter', 'include'],
      ['section/parent/parent/parent', 'invalid_parameter', 'include'],
      ['author//portrait', 'unknown_field', ''],
      ['', 'invalid_parameter', 'include'],
      [Array(101).fill('author').join(','), 'invalid_parameter', 'include'],
    ])('refuses include=%s with 400', async (include, code, path) => {
      const { status, body } = await call('GET', { query: { from: article, include } });
      expect([status, body.error.code, body.error.path]).toEqual([400, code, path]);
    });

    it('is for the present state only, and refuses unknown types first', async () => {
      const { _id } = await create({ _type: text, name: 'x' });
      const query = { include: 'cms.site.owner', at: 1 };
      const past = await call('GET', { path: `/${_id}`, query });
      expect([past.status, past.body.error.path]).toEqual([403, undefined]);
      const nowhere = await call('GET', { path: `/${noAsset}`, query: { include: 'nothing' } });
      expect(nowhere.status).toBe(404);
    });
  });
}
