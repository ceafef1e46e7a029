/** Types that change: defaults of new assets, deprecated fields in every schema, and former class names in requests. */
import request from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleDocument, readCmaDocument } from '../../../../src/documents/openapi-document.ts';
import { typeIdOf } from '../../../../src/model/catalog.ts';
import { loadTypes } from '../../../../src/types/load-types.ts';
import { readTypeSources } from '../../../../src/types/type-sources.ts';
import { createContractAssertions } from '../../../support/contract-assertions.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { makeTypesFolder } from '../../../support/types-folder.ts';
import { type Caller, createCaller } from '../cma/caller.ts';
import { createRoutesContext, open, type RoutesContext } from '../routes/routes-context.ts';

const book = 'lib.Book';
const volume = 'lib.Volume';
const oldId = '0190a0c0-0000-7000-8000-000000000001';

/** The types when the first asset is written. */
const before = `type Book @contentType(class: "${book}") { title: String! }`;

/** The types when it is served. */
const after = `
  type Book @contentType(class: "${book}") @was(class: "${volume}") {
    title: String!
    pages: Int! @default(value: 100) @deprecated(reason: "Use length.")
    state: Access! @default(value: OPEN)
    tags: [String!] @default(value: ["new"])
    place: Shelf @default(value: { street_name: "Main" })
    subtitle: String @deprecated(reason: "Use title.")
    code: String! @deprecated(reason: "Nobody reads it.") @default(value: "none")
    sequel: Book
  }
  type Shelf { street_name: String! @json(name: "street.name") city: String! @default(value: "Oslo") }
  enum Access { OPEN SHUT @deprecated(reason: "Use OPEN.") }
  type Note @contentType(class: "lib.Note") { text: String! @deprecated(reason: "Old.") }
`;

const defaults = {
  pages: 100,
  state: 'OPEN',
  tags: ['new'],
  place: { 'street.name': 'Main', city: 'Oslo' },
  code: 'none',
};

describeOnEachStore('types that change', (locations) => {
  let location: StoreLocation;
  let instance: TestInstance;
  let cma: Caller;
  let routes: RoutesContext;

  beforeAll(async () => {
    location = locations();
    const [former, present] = [makeTypesFolder(before), makeTypesFolder(after)];
    const callerOf = (folder: string) =>
      createCaller({
        instance: () => instance,
        contract: createContractAssertions(
          bundleDocument({ source: readCmaDocument(), catalog: loadTypes(readTypeSources(folder)) }),
        ),
      });
    instance = await startInstance(location, { typesDir: former });
    await callerOf(former).create({ _id: oldId, _type: book, title: 'Old' });
    await instance.stop();
    instance = await startInstance(location, { typesDir: present });
    cma = callerOf(present);
    routes = createRoutesContext(() => instance);
    await instance.services.graphqlEndpoints.create(open);
    await instance.refresh();
  });

  async function ask(query: string, variables: object = {}) {
    const { body } = await routes.call('POST', '/graphql/open', { json: { query, variables } });
    expect(body.errors).toBeUndefined();
    return body.data;
  }

  describe('a new asset gets the default of a field that it omits', () => {
    it('from the CMA, unless the field is given', async () => {
      expect(await cma.create({ _type: book, title: 'A' })).toMatchObject({ title: 'A', ...defaults });
      const given = { pages: 1, state: 'SHUT', tags: [], place: { 'street.name': 'Side', city: 'Rome' } };
      expect(await cma.create({ _type: book, title: 'B', ...given })).toMatchObject(given);
    });

    it('but not in the place of null', async () => {
      const created = await cma.create({ _type: book, title: 'C', tags: null });
      expect(created).not.toHaveProperty('tags');
      const { status, body } = await cma.call('POST', { body: { _type: book, title: 'C', pages: null } });
      expect([status, body.error.path, body.error.message]).toEqual([400, 'pages', 'pages is required']);
    });

    it('in a batch', async () => {
      const operations = [{ action: 'create', asset: { _type: book, title: 'D' } }];
      for (const atomic of [false, true]) {
        const { body } = await cma.call('POST', { path: '/batch', body: { operations, atomic } });
        const made = await cma.call('GET', { path: `/${body.result.results[0]._id}` });
        expect(made.body.result).toMatchObject({ title: 'D', ...defaults });
      }
    });

    it('from GraphQL, whose schema shows the defaults', async () => {
      const fields = 'title pages state tags place { street_name city } code';
      const place = { street_name: 'Main', city: 'Oslo' };
      const { createBook } = await ask(`mutation { createBook(input: { title: "E" }) { ${fields} } }`);
      expect(createBook).toEqual({ title: 'E', ...defaults, place });
      const byVariable = await ask(
        `mutation Make($input: CreateBookInput!) { createBook(input: $input) { ${fields} } }`,
        { input: { title: 'F', tags: null, place: { street_name: 'Side' } } },
      );
      expect(byVariable.createBook).toEqual({
        title: 'F',
        ...defaults,
        tags: null,
        place: { street_name: 'Side', city: 'Oslo' },
      });
    });

    it('from a mapped route, whose document shows the defaults', async () => {
      const query = `mutation Make($input: CreateBookInput!) { createBook(input: $input) { title pages } }`;
      await routes.publish({
        name: 'Books',
        pathPrefix: '/books',
        mappings: [{ name: 'make', path: '/make', methods: ['POST'], query }],
      });
      const made = await routes.call('POST', '/books/make', { json: { input: { title: 'G' } } });
      expect(made.body.data.createBook).toEqual({ title: 'G', pages: 100 });
    });
  });

  it('an update of other fields leaves a stored asset without the field as it is', async () => {
    const { status, body } = await cma.call('PUT', { path: `/${oldId}`, body: { title: 'Older' } });
    expect([status, body.result]).toEqual([200, expect.objectContaining({ _id: oldId, title: 'Older' })]);
  });

  it('an update does not bring defaults back', async () => {
    const { _id } = await cma.create({ _type: book, title: 'H', tags: null });
    const { body } = await cma.call('PUT', { path: `/${_id}`, body: { subtitle: 'h' } });
    expect(body.result).not.toHaveProperty('tags');
    const { updateBook } = await ask(
      `mutation { updateBook(_id: "${_id}", input: { title: "I" }) { title tags } }`,
    );
    expect(updateBook).toEqual({ title: 'I', tags: null });
  });

  describe('deprecations are shown', () => {
    it('in the GraphQL schema, but on no input that is required', async () => {
      const { __schema } = await ask('{ __schema { directives { name } } }');
      const names = __schema.directives.map(({ name }: { name: string }) => name);
      expect(names).not.toEqual(expect.arrayContaining(['was']));
      expect(names).not.toEqual(expect.arrayContaining(['default']));
      const all = '(includeDeprecated: true) { name isDeprecated deprecationReason }';
      const { type, input, note, state } = await ask(`{
        type: __type(name: "Book") { fields${all} }
        input: __type(name: "CreateBookInput") {
          inputFields(includeDeprecated: true) { name isDeprecated deprecationReason defaultValue type { kind } }
        }
        note: __type(name: "CreateNoteInput") { inputFields${all} }
        state: __type(name: "Access") { enumValues${all} }
      }`);
      const reasons = (list: { name: string; deprecationReason: string | null }[]) =>
        Object.fromEntries(
          list.flatMap(({ name, deprecationReason }) =>
            deprecationReason ? [[name, deprecationReason]] : [],
          ),
        );
      const ofBook = { pages: 'Use length.', subtitle: 'Use title.', code: 'Nobody reads it.' };
      expect(reasons(type.fields)).toEqual(ofBook);
      expect(reasons(input.inputFields)).toEqual(ofBook);
      expect(reasons(note.inputFields)).toEqual({});
      expect(reasons(state.enumValues)).toEqual({ SHUT: 'Use OPEN.' });
      const pages = input.inputFields.find(({ name }: { name: string }) => name === 'pages');
      expect(pages).toMatchObject({ defaultValue: '100', type: { kind: 'NON_NULL' } });
    });

    it('in the OpenAPI document of the CMA, with defaults and former classes', async () => {
      const client = await instance.createClient({ scopes: ['admin'] });
      await instance.refresh();
      const get = async (path: string) => {
        const { body } = await request(instance.url)
          .get(`/api/admin${path}`)
          .set({ ...client });
        return body;
      };
      const { schemas } = (await get('/cma/openapi.json')).components;
      expect(schemas.Book.required).toEqual(['_id', '_type', 'title', 'pages', 'state', 'code']);
      expect(schemas.Book.properties.pages).toMatchObject({
        deprecated: true,
        description: 'Deprecated: Use length.',
      });
      expect(schemas.BookCreate.required).toEqual(['_type', 'title']);
      expect(schemas.BookCreate.properties).toMatchObject({
        _type: { enum: [book, typeIdOf(book), volume, typeIdOf(volume)] },
        pages: { default: 100, deprecated: true },
        place: { default: defaults.place },
      });
      expect(schemas.BookUpdate.properties.pages).not.toHaveProperty('default');
      const shown = await get(`/types/${volume}`);
      expect(shown).toMatchObject({ class: book, formerClasses: [volume] });
      const pages = shown.fields.find(({ name }: { name: string }) => name === 'pages');
      expect(pages).toMatchObject({ default: 100, deprecated: 'Use length.' });
    });
  });

  describe.each([volume, typeIdOf(volume)])('the former name %s names the type', (name) => {
    it('in a body, in a reference and in a query; responses have the present name', async () => {
      const first = await cma.create({ _type: name, title: 'First' });
      expect(first._type).toBe(book);
      const next = await cma.create({
        _type: book,
        title: 'Next',
        sequel: { _ref: first._id, _type: name },
      });
      expect(next.sequel).toEqual({ _ref: first._id, _type: book });
      const path = `/${first._id}`;
      expect((await cma.call('PUT', { path, body: { _type: name, title: 'Changed' } })).status).toBe(200);
      const query = { from: name, where: `_id = '${first._id}' and _type = '${name}'` };
      const { body } = await cma.call('GET', { query });
      expect(body.result.items).toMatchObject([{ _id: first._id, _type: book, title: 'Changed' }]);
    });

    it('in a GraphQL endpoint', async () => {
      const types = { readTypes: [name], writeTypes: [] };
      const made = await instance.services.graphqlEndpoints.create({ ...open, name: `By ${name}`, ...types });
      expect(made.readTypes).toEqual([book]);
      await instance.refresh();
      const path = `/graphql/by-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
      const query = '{ bookList(limit: 1) { items { _type } } }';
      const { status, body } = await routes.call('POST', path, { json: { query } });
      expect([status, body]).toEqual([200, { data: { bookList: { items: [{ _type: book }] } } }]);
    });
  });
});
