/** Cases of a client restricted to certain sites: through a GraphQL endpoint it reads and writes only their assets. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { ClientHeaders } from '../../../support/instance.ts';
import {
  article,
  author,
  type GraphqlContext,
  reference,
  type StoredContent,
  section,
  site,
} from './graphql-context.ts';

/** Runs the cases. */
export function describeSites({
  ask,
  create,
  cma,
  createClient,
  createEndpoint,
  createKey,
  newSlug,
}: GraphqlContext): void {
  describe('a client restricted to sites', () => {
    let client: ClientHeaders;
    let sites: Record<'mine' | 'other', StoredContent>;
    let own: Record<'author' | 'article', StoredContent>;
    let foreign: Record<'author' | 'article' | 'nobodys', StoredContent>;

    beforeAll(async () => {
      const [mine, other] = [
        await create({ _type: site, name: 'Mine' }),
        await create({ _type: site, name: 'Other' }),
      ];
      const createAuthor = (fields: object) =>
        create({ _type: author, slug: newSlug(), name: 'held', ...fields });
      const createArticle = (writer: StoredContent, fields: object) =>
        create({
          _type: article,
          slug: newSlug(),
          headline: 'held',
          status: 'DRAFT',
          author: reference(writer, author),
          ...fields,
        });
      const owned = (owner: StoredContent) => ({ 'cms.site.owner': reference(owner, site) });
      const hidden = await createAuthor(owned(other));
      const seen = await createAuthor(owned(mine));
      own = {
        author: seen,
        article: await createArticle(hidden, {
          ...owned(mine),
          related: [reference(hidden, author), reference(seen, author)],
        }),
      };
      foreign = {
        author: hidden,
        article: await createArticle(seen, owned(other)),
        nobodys: await createArticle(seen, {}),
      };
      sites = { mine, other };
      client = await createClient({ sites: [mine._id] });
    });

    const asClient = async (query: string, variables: Record<string, unknown> = {}) =>
      (await ask('management', { query, variables }, client)).body;

    it('finds only their assets, by ID and in lists', async () => {
      const query = `query ($own: ID!, $foreign: ID!, $nobodys: ID!, $hidden: JSON!) {
        own: article(_id: $own) { _id } foreign: article(_id: $foreign) { _id } nobodys: article(_id: $nobodys) { _id }
        articleList(where: "headline = held") { count items { _id } }
        pageList { count items { _id } }
        byAuthor: articleList(where: "author = ?", values: [$hidden]) { count } }`;
      const ids = {
        own: own.article._id,
        foreign: foreign.article._id,
        nobodys: foreign.nobodys._id,
        hidden: foreign.author._id,
      };
      const found = [own.author._id, own.article._id].toSorted().map((_id) => ({ _id }));
      expect(await asClient(query, ids)).toEqual({
        data: {
          own: { _id: own.article._id },
          foreign: null,
          nobodys: null,
          articleList: { count: 1, items: [{ _id: own.article._id }] },
          pageList: { count: 2, items: found },
          byAuthor: { count: 1 },
        },
      });
    });

    it('follows references only to their assets', async () => {
      const query =
        'query ($id: ID!) { article(_id: $id) { author { _id } related { _id } cms_site_owner { name } } }';
      // The site itself belongs to the global site.
      expect(await asClient(query, { id: own.article._id })).toEqual({
        data: { article: { author: null, related: [null, { _id: own.author._id }], cms_site_owner: null } },
      });
    });

    it('cannot find assets by fields of assets that it may not see', async () => {
      const parent = await create({ _type: section, slug: newSlug(), name: 'held' });
      const mine = { 'cms.site.owner': reference(sites.mine, site) };
      const child = await create({
        _type: section,
        slug: newSlug(),
        name: 'held',
        parent: reference(parent, section),
        ...mine,
      });
      const compared = await create({
        _type: article,
        slug: newSlug(),
        headline: 'compared',
        status: 'DRAFT',
        author: reference(own.author, author),
        section: reference(child, section),
        ...mine,
      });
      const found = async (where: string) => {
        const query = 'query ($where: String) { articleList(where: $where) { items { _id } } }';
        const { data } = await asClient(query, { where });
        return data.articleList.items.map(({ _id }: { _id: string }) => _id);
      };
      const [hidden, seen] = [own.article._id, compared._id];
      expect(await found("author/name = 'held'")).toEqual([seen]);
      expect(await found("author/name startsWith 'h' or author/email = 'x@y.z'")).toEqual([seen]);
      expect(await found("not author/name = 'held'")).toEqual([hidden]);
      expect(await found('author/name = missing')).toEqual([hidden]);
      expect(await found("section/name = 'held' and section/parent = missing")).toEqual([]);
      expect(await found("section/parent/name = 'held'")).toEqual([]);
      expect(await found("section/parent/name = missing and section/name = 'held'")).toEqual([seen]);
      const slugOf = (page: StoredContent) => `slug = '${page.slug}'`;
      expect(await found(`related/${slugOf(own.author)}`)).toEqual([hidden]);
      expect(await found(`related/${slugOf(foreign.author)}`)).toEqual([]);
      expect(await found(`related/_id = '${foreign.author._id}'`)).toEqual([]);
      expect(await found(`related any (${slugOf(foreign.author)} or not true)`)).toEqual([]);
      expect(await found(`related every (${slugOf(own.author)}) and related any (true)`)).toEqual([hidden]);
      expect(await found(`related none (${slugOf(foreign.author)}) and related != null`)).toEqual([hidden]);
      await asClient('mutation ($id: ID!) { deleteArticle(_id: $id) }', { id: seen });
      await asClient('mutation ($id: ID!) { deleteSection(_id: $id) }', { id: child._id });
    });

    it('changes and deletes only their assets', async () => {
      const change =
        'mutation ($id: ID!) { updateArticle(_id: $id, input: {headline: "changed"}) { headline } }';
      const remove = 'mutation ($id: ID!) { deleteArticle(_id: $id) }';
      for (const { _id: id } of [foreign.article, foreign.nobodys]) {
        const { data, errors } = await asClient(change, { id });
        expect([data, errors[0].extensions]).toEqual([null, { code: 'not_found', http: { status: 404 } }]);
        expect(await asClient(remove, { id })).toEqual({ data: { deleteArticle: false } });
        expect((await cma('GET', `/${id}`)).result.headline).toBe('held');
      }
      const { data } = await asClient(change, { id: own.article._id });
      expect(data).toEqual({ updateArticle: { headline: 'changed' } });
    });

    it('creates assets only for its sites, and cannot move an asset to another site', async () => {
      const creation = `mutation ($owner: ReferenceInput) {
        createText(input: {name: "owned", cms_site_owner: $owner}) { _id } }`;
      const forbidden = { code: 'forbidden', http: { status: 403 } };
      for (const owner of [undefined, null, { _ref: sites.other._id }]) {
        expect((await asClient(creation, { owner })).errors[0].extensions).toEqual(forbidden);
      }
      const { data } = await asClient(creation, { owner: { _ref: sites.mine._id } });
      const gift = `mutation ($id: ID!, $owner: ReferenceInput) {
        updateText(_id: $id, input: {cms_site_owner: $owner}) { _id } }`;
      for (const owner of [null, { _ref: sites.other._id }]) {
        const { errors } = await asClient(gift, { id: data.createText._id, owner });
        expect(errors[0].extensions).toEqual(forbidden);
      }
      const removal = await asClient('mutation ($id: ID!) { deleteText(_id: $id) }', {
        id: data.createText._id,
      });
      expect(removal.data).toEqual({ deleteText: true });
    });

    it('refers to their assets alone', async () => {
      const change = `mutation ($id: ID!, $author: ReferenceInput) {
        updateArticle(_id: $id, input: {author: $author}) { _id } }`;
      const messageFor = async (_ref: string) => {
        const variables = { id: own.article._id, author: { _ref, _type: article } };
        return (await asClient(change, variables)).errors[0].message;
      };
      const absent = '0190a0c0-0000-7000-8000-000000000000';
      const refused = (await messageFor(foreign.article._id)).replaceAll(foreign.article._id, absent);
      expect(refused).toBe(await messageFor(absent));
      const same = { id: own.article._id, author: reference(foreign.author, author) };
      expect((await asClient(change, same)).data.updateArticle).toEqual({ _id: own.article._id });
    });

    it('is restricted on endpoints that do not read the type of sites too', async () => {
      await createEndpoint({ name: 'no-sites', readTypes: [article, author], access: 'CLIENT_CREDENTIALS' });
      const query = 'query ($id: ID!) { articleList { count } article(_id: $id) { _id } pageList { count } }';
      const { body } = await ask('no-sites', { query, variables: { id: foreign.article._id } }, client);
      expect(body).toEqual({ data: { articleList: { count: 1 }, article: null, pageList: { count: 2 } } });
    });

    it('is restricted by an API key too', async () => {
      const { secret } = await createKey(client);
      const { body } = await ask('delivery', '{ articleList { count } }', { 'X-API-Key': secret });
      expect(body).toEqual({ data: { articleList: { count: 1 } } });
    });
  });
}
