/**
 * Blocks as other systems export them: Portable Text of Sanity as it comes, dynamic zones of Strapi and blocks of Payload with their member
 * for the kind renamed to `_type`. Each is written, found, read by a mapped route with true types, and written by GraphQL.
 */
import request from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/model/content-type.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { makeTypesFolder } from '../../../support/types-folder.ts';

const types = `
type span { _key: String text: String @searchable marks: [String!] }
union Child = span
type link { _key: String href: Url! }
union MarkDefinition = link
type block { _key: String style: String listItem: String level: Int children: [Child!] markDefs: [MarkDefinition!] }
type code { _key: String language: String @indexed code: String! }
union PortableText = block | code
type Post @contentType(class: "sanity.Post") { title: String! body: [PortableText!] }

type ZoneHero { id: Int heading: String! @searchable buttons: [Button!] }
type ZoneQuote { id: Int text: String! @searchable author: Person @indexed }
type ZoneTeam { lead: Person! }
union Zone = ZoneHero | ZoneQuote | ZoneTeam
type Button { id: Int label: String! url: String! }
type Person @contentType(class: "strapi.Person") { name: String! @indexed(unique: true) }
type Landing @contentType(class: "strapi.Landing") { slug: String! @indexed(unique: true) zone: [Zone!] }

interface Block { id: ID blockName: String }
type cta implements Block { id: ID blockName: String label: String! price: Decimal @indexed }
type media implements Block { id: ID blockName: String url: Url! startsAt: DateTime }
type Screen @contentType(class: "payload.Screen") { title: String! layout: [Block!] hero: Block }
`;

const sanity = {
  _type: 'sanity.Post',
  title: 'Lighthouses',
  body: [
    {
      _type: 'block',
      _key: 'a1',
      style: 'normal',
      markDefs: [{ _type: 'link', _key: 'm1', href: 'https://example.com/' }],
      children: [
        { _type: 'span', _key: 's1', text: 'Built in ', marks: [] },
        { _type: 'span', _key: 's2', text: '1811', marks: ['strong', 'm1'] },
      ],
    },
    { _type: 'code', _key: 'a2', language: 'css', code: 'a { }' },
  ],
};

const strapiZone = [
  {
    __component: 'zone.hero',
    id: 1,
    heading: 'Welcome aboard',
    buttons: [{ id: 4, label: 'Go', url: '/go' }],
  },
  { __component: 'zone.quote', id: 2, text: 'No light, no harbour', author: 'Stevenson' },
];

const payloadLayout = [
  { blockType: 'cta', id: '65f', label: 'Book', price: '12.50' },
  {
    blockType: 'media',
    id: '660',
    blockName: 'Clip',
    url: 'https://example.com/a.mp4',
    startsAt: '2026-03-01T09:00:00+01:00',
  },
];

describeOnEachStore('blocks', (locations) => {
  const location = locations();
  const folder = makeTypesFolder(types);
  let instance: TestInstance;
  let headers: ClientHeaders;
  beforeAll(async () => {
    instance = await startInstance(location, { ...location.config, typesDir: folder });
    headers = await instance.createClient({ scopes: ['cma:read', 'cma:write', 'graphql', 'admin'] });
    await instance.refresh();
  });

  const create = async (asset: JsonObject) => {
    const { body } = await request(instance.cmaUrl).post('').set(headers).send(asset);
    expect(body.error).toBeUndefined();
    return body.result;
  };
  const find = async (query: object) => {
    const { body } = await request(instance.cmaUrl).get('').set(headers).query(query);
    expect(body.error).toBeUndefined();
    return body.result;
  };
  const graphql = async (query: string, variables: object = {}) => {
    const { body } = await request(instance.url)
      .post('/graphql/management')
      .set(headers)
      .send({ query, variables });
    expect(body.errors).toBeUndefined();
    return body.data;
  };

  it('store Portable Text as it comes, and find its words and values', async () => {
    const { _id: id, body } = await create(sanity);
    expect(body).toEqual(sanity.body);
    for (const where of [
      "body.children.text matches '1811'",
      "body.language = 'css'",
      "body._type = 'code' and body.children._type = 'span'",
      "body.markDefs.href startsWith 'https://example'",
    ])
      expect(await find({ from: 'sanity.Post', where }), where).toMatchObject({ items: [{ _id: id }] });
    const { facets } = await find({ from: 'sanity.Post', facets: 'body.language' });
    expect(facets).toEqual({ 'body.language': [{ value: 'css', count: 1 }] });
    expect(
      await graphql(`{ postList { items { body {
        ... on block { style children { ... on span { text marks } } markDefs { ... on link { href } } }
        ... on code { language }
      } } } }`),
    ).toEqual({
      postList: {
        items: [
          {
            body: [
              {
                style: 'normal',
                children: [
                  { text: 'Built in ', marks: [] },
                  { text: '1811', marks: ['strong', 'm1'] },
                ],
                markDefs: [{ href: 'https://example.com/' }],
              },
              { language: 'css' },
            ],
          },
        ],
      },
    });
  });

  it('store a dynamic zone whose kinds refer to assets, and serve it on a mapped route with its types', async () => {
    await create({ _type: 'strapi.Person', name: 'Stevenson' });
    const zone = strapiZone.map(({ __component: component, author, ...members }) => ({
      _type: component.replace(/(^|\.)(\w)/g, (_, _dot, letter: string) => letter.toUpperCase()),
      ...members,
      ...(author && { author: { _type: 'strapi.Person', _by: { name: author } } }),
    }));
    const landing = await create({ _type: 'strapi.Landing', slug: 'home', zone } as JsonObject);
    expect(landing.zone.map(({ _type }: JsonObject) => _type)).toEqual(['ZoneHero', 'ZoneQuote']);
    const where = "zone.author/name = 'Stevenson' and zone.heading matches 'aboard'";
    expect(await find({ from: 'strapi.Landing', where })).toMatchObject({ items: [{ slug: 'home' }] });

    const query = `query Landing($slug: String, $kind: ZoneKind) {
      landingList(filter: { slug: { eq: $slug }, zone: { any: { _type: { eq: $kind } } } }) {
        items { zone { kind: __typename ... on ZoneHero { heading buttons { label } } ... on ZoneQuote { text author { name } } } }
      }
    }`;
    const definition = {
      name: 'Landings',
      source: 'management',
      access: 'ANYONE',
      mappings: [{ name: 'one', query }],
    };
    const saved = await request(instance.url).post('/api/admin/rest-endpoints').set(headers).send(definition);
    expect(saved.status).toBe(201);
    const place = `/api/admin/rest-endpoints/${saved.body.id}`;
    const published = await request(instance.url).post(`${place}/publish`).set(headers).send({});
    expect(published.status).toBe(200);
    await instance.refresh();
    const called = await request(instance.url).get('/landings/one').query({ kind: 'ZoneQuote' });
    expect(called.body.data.landingList.items).toEqual([
      {
        zone: [
          { kind: 'ZoneHero', heading: 'Welcome aboard', buttons: [{ label: 'Go' }] },
          { kind: 'ZoneQuote', text: 'No light, no harbour', author: { name: 'Stevenson' } },
        ],
      },
    ]);
    const described = await request(instance.url).get(`${place}/operations`).set(headers);
    expect(JSON.stringify(described.body)).toMatch(/kind\??: .*ZoneHero/);
  });

  it('are of all kinds on an endpoint that lacks the types to which one kind refers', async () => {
    const lead = { _type: 'strapi.Person', _by: { name: 'Stevenson' } };
    await create({ _type: 'strapi.Landing', slug: 'team', zone: [{ _type: 'ZoneTeam', lead }] });
    const types = ['strapi.Landing'];
    const endpoint = { name: 'Alone', readTypes: types, writeTypes: types, access: 'ANYONE' };
    const saved = await request(instance.url)
      .post('/api/admin/graphql-endpoints')
      .set(headers)
      .send(endpoint);
    expect([saved.status, saved.body.detail]).toEqual([201, undefined]);
    await instance.refresh();
    const query = `{ landingList(where: "slug = 'team'") { items { zone { kind: __typename ... on ZoneTeam { _type } } } } }`;
    const { body } = await request(instance.url).post('/graphql/alone').set(headers).send({ query });
    expect(body).toEqual({
      data: { landingList: { items: [{ zone: [{ kind: 'ZoneTeam', _type: 'ZoneTeam' }] }] } },
    });
  });

  it('store blocks of an interface, singly too, and compare their values by meaning', async () => {
    const layout = payloadLayout.map(({ blockType, ...members }) => ({ _type: blockType, ...members }));
    const { _id: id } = await create({
      _type: 'payload.Screen',
      title: 'Tickets',
      layout,
      hero: layout[0],
    } as JsonObject);
    for (const where of [
      'layout.price = 12.5',
      "layout.startsAt = '2026-03-01T08:00:00Z'",
      "hero._type = 'cta' and hero.price < 13",
      "layout.blockName = 'Clip'",
    ])
      expect(await find({ from: 'payload.Screen', where }), where).toMatchObject({ items: [{ _id: id }] });
    expect(await graphql('{ screenList { items { layout { blockName ... on cta { price } } } } }')).toEqual({
      screenList: { items: [{ layout: [{ blockName: null, price: '12.50' }, { blockName: 'Clip' }] }] },
    });
    const input = {
      title: 'Written',
      layout: [{ media: { url: 'https://example.com/b.mp4' } }, { cta: { label: 'Buy' } }],
    };
    expect(
      await graphql(
        'mutation ($input: CreateScreenInput!) { createScreen(input: $input) { layout { kind: __typename ... on cta { label } } } }',
        { input },
      ),
    ).toEqual({ createScreen: { layout: [{ kind: 'media' }, { kind: 'cta', label: 'Buy' }] } });
    const [{ layout: stored }] = (await find({ from: 'payload.Screen', where: "title = 'Written'" })).items;
    expect(stored).toEqual([
      { _type: 'media', url: 'https://example.com/b.mp4' },
      { _type: 'cta', label: 'Buy' },
    ]);
    const changed = await request(instance.cmaUrl)
      .patch(`/${id}`)
      .set(headers)
      .set('Content-Type', 'application/json-patch+json')
      .send(JSON.stringify([{ op: 'add', path: '/layout/0', value: { _type: 'cta', label: 'First' } }]));
    expect(changed.body.result.layout.map(({ _type }: JsonObject) => _type)).toEqual(['cta', 'cta', 'media']);
  });

  it('show the present name of a kind that was written under a former one', async () => {
    const place = locations();
    const sdlOf = (
      kind: string,
    ) => `type Plain { text: String } type ${kind} { text: String! source: String @indexed }
      union Remark = Plain | ${kind.split(' ')[0]} type Note @contentType(class: "x.Note") { body: [Remark!] lead: Remark }`;
    const [before, after] = ['Quote', 'Saying @was(name: "Quote")'].map((kind) =>
      makeTypesFolder(sdlOf(kind)),
    );
    const at = async (types: typeof before) => {
      const server = await startInstance(place, { ...place.config, typesDir: types ?? '' });
      const call = async (method: 'get' | 'post', body: object) => {
        const sent = request(server.cmaUrl)[method]('').set(server.headers);
        const answer = await (method === 'get' ? sent.query(body) : sent.send(body));
        expect(answer.body.error).toBeUndefined();
        return answer.body.result;
      };
      return { ...server, call };
    };
    const first = await at(before);
    const quote = { _type: 'Quote', text: 'Old', source: 'me' };
    await first.call('post', { _type: 'x.Note', body: [{ _type: 'Plain', text: 'a' }, quote], lead: quote });
    await first.stop();
    const second = await at(after);
    await second.call('post', { _type: 'x.Note', body: [{ _type: 'Saying', text: 'New' }], lead: quote });
    for (const where of [
      "body._type = 'Saying'",
      "body any (_type != 'Plain')",
      "lead._type startsWith 'Say'",
    ]) {
      const { items } = await second.call('get', { from: 'x.Note', where, sort: '_id' });
      expect(items, where).toMatchObject([
        { body: [{ _type: 'Plain' }, { _type: 'Saying', text: 'Old' }], lead: { _type: 'Saying' } },
        { body: [{ _type: 'Saying', text: 'New' }], lead: { _type: 'Saying', text: 'Old' } },
      ]);
    }
    await second.stop();
    const third = await at(before);
    const { items } = await third.call('get', { from: 'x.Note', where: "body._type = 'Quote'", sort: '_id' });
    expect(items).toMatchObject([{ lead: quote }, { body: [{ _type: 'Quote', text: 'New' }] }]);
    await third.stop();
    await place.remove();
  });

  describe('that are wrong', () => {
    it.each([
      [{ label: 'x' }, 'layout[0]._type', 'must be one of cta, media'],
      [{ _type: 'video', url: 'https://example.com/' }, 'layout[0]._type', 'must be one of cta, media'],
      [{ _type: 'cta', url: 'https://example.com/' }, 'layout[0].url', 'is not a field of this type'],
      [{ _type: 'cta' }, 'layout[0].label', 'is required'],
      ['cta', 'layout[0]', 'must be an object'],
    ])('%j are refused', async (block, path, message) => {
      const asset = { _type: 'payload.Screen', title: 'x', layout: [block] };
      const { status, body } = await request(instance.cmaUrl).post('').set(headers).send(asset);
      expect([status, body.error.code]).toEqual([400, 'invalid_body']);
      expect(body.error.problems).toContainEqual({ path, message });
    });
  });
});
