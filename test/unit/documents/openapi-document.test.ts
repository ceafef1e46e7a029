import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import {
  bundleDocument,
  moveCmaDocument,
  type OpenApiDocument,
  readCmaDocument,
} from '../../../src/documents/openapi-document.ts';
import type { Json, JsonObject } from '../../../src/model/content-type.ts';
import { createAssetValidators } from '../../../src/model/values/validate-asset.ts';
import { catalogOf, shippedCatalog } from '../../support/types.ts';

const id = '01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7';
const articleClass = 'com.example.news.Article';

function bundle(sdl?: string): OpenApiDocument {
  const catalog = sdl === undefined ? shippedCatalog() : catalogOf(sdl);
  return bundleDocument({ source: readCmaDocument(), catalog });
}

function schemasOf(document: OpenApiDocument): Record<string, JsonObject> {
  return Object(document.components.schemas);
}

/** Tells whether a value fits a component. */
function createFit(document: OpenApiDocument): (name: string, value: Json) => boolean {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  return (name, value) => ajv.validate({ $ref: `document#/components/schemas/${name}` }, value);
}

describe('bundleDocument', () => {
  it('does not change the original document', () => {
    const source = readCmaDocument();
    bundleDocument({ source, catalog: shippedCatalog() });
    expect(source).toEqual(readCmaDocument());
  });

  it('is deterministic', () => {
    expect(JSON.stringify(bundle())).toBe(JSON.stringify(bundle()));
  });

  it('discriminates assets by class name, and new ones by type ID too', () => {
    const catalog = shippedCatalog();
    const { Asset, AssetCreate } = schemasOf(bundle());
    const classes = [...catalog.types.keys()];
    const ids = [...catalog.types.values()].map((type) => type.id);
    expect(Object.keys(Object(Asset?.discriminator).mapping)).toEqual(classes);
    expect(Object.keys(Object(AssetCreate?.discriminator).mapping).sort()).toEqual(
      [...classes, ...ids].sort(),
    );
    expect(Object(Asset?.discriminator).mapping[articleClass]).toBe('#/components/schemas/Article');
    expect(Object(AssetCreate?.discriminator).mapping[articleClass]).toBe(
      '#/components/schemas/ArticleCreate',
    );
  });

  it('includes constraints, formats, enums and descriptions in the schemas', () => {
    const { Article, Place, ArticleStatus, Image } = schemasOf(bundle());
    expect(Article).toMatchObject({
      description: 'A piece of news.',
      required: ['_id', '_type', 'slug', 'headline', 'status'],
      additionalProperties: false,
      properties: {
        _type: { const: articleClass },
        headline: { type: 'string', minLength: 1, maxLength: 200 },
        body: { type: 'string', contentMediaType: 'text/html' },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 30 },
        score: { type: 'number', minimum: 0, maximum: 1 },
        readingMinutes: { type: 'integer', format: 'int32', minimum: 0 },
        eventDate: { type: 'integer', format: 'int64' },
        status: { $ref: '#/components/schemas/ArticleStatus' },
      },
    });
    expect(Object(Article?.properties).eventDate.description).toBe(
      'When the reported event happened.\n\nMilliseconds since 1970-01-01T00:00Z.',
    );
    expect(Object(Place?.properties).country).toEqual({ type: 'string', pattern: '^[A-Z]{2}$' });
    expect(Object(Image?.properties).url).toEqual({ type: 'string', format: 'uri' });
    expect(ArticleStatus?.enum).toEqual(['DRAFT', 'REVIEW', 'PUBLISHED', 'ARCHIVED']);
  });

  it('limits references to the target types of the field, by class name and in requests by type ID', () => {
    const catalog = shippedCatalog();
    const { PageReference, PageReferenceInput } = schemasOf(bundle());
    const classes = [articleClass, 'com.example.news.Author', 'com.example.news.Section'];
    expect(Object(PageReference?.properties)._type.enum).toEqual(classes);
    expect(Object(PageReferenceInput?.properties)._type.enum).toEqual([
      ...classes,
      ...classes.map((name) => catalog.find(name)?.id),
    ]);
  });

  const author = { _ref: id, _type: 'com.example.news.Author' };
  const added = {
    _type: articleClass,
    slug: 'a-b',
    headline: 'A',
    status: 'DRAFT',
    author,
    related: [author, { _ref: id, _type: articleClass }],
    place: { name: 'Rome', latitude: 41.9 },
    sources: [{ title: 'S', url: 'https://example.com/', accessed: 0 }],
    importData: { any: ['thing'] },
    'cms.content.publishDate': 1763704800000,
  };
  const stored = { ...added, _id: id };

  it.each<[string, string, JsonObject]>([
    ['Asset', 'a whole article', stored],
    ['AssetCreate', 'a whole article', added],
    ['AssetCreate', 'an article with an _id', stored],
    ['AssetCreate', 'an optional field that is null', { ...added, summary: null }],
    ['AssetUpdate', 'optional fields that are cleared', { summary: null, place: null, tags: null, author }],
  ])('accepts as %s %s', (name, _what, value) => {
    expect(createFit(bundle())(name, value)).toBe(true);
  });

  it.each<[string, string, JsonObject]>([
    ['Asset', 'an optional field that is null', { ...stored, summary: null }],
    ['Asset', 'a member that is no field', { ...stored, title: 'A' }],
    ['Asset', 'an article without _id', added],
    ['AssetCreate', 'a required field that is null', { ...added, headline: null }],
    ['AssetCreate', 'a text that breaks the pattern', { ...added, slug: 'A B' }],
    ['AssetCreate', 'a status that is none', { ...added, status: 'LOST' }],
    [
      'AssetCreate',
      'a reference to a type that does not fit',
      { ...added, author: { ...author, _type: articleClass } },
    ],
    ['AssetCreate', 'an embedded value without its required field', { ...added, place: { country: 'IT' } }],
    ['ArticleUpdate', 'a required field that is cleared', { headline: null }],
  ])('refuses as %s %s', (name, _what, value) => {
    expect(createFit(bundle())(name, value)).toBe(false);
  });

  it('agrees with the validator about recursive embedded values', () => {
    const sdl = `
      type Chapter { title: String! parts: [Chapter!] see: Book }
      type Book @contentType(class: "lib.Book") { chapters: [Chapter!]! @constraint(minItems: 1) }`;
    const fits = createFit(bundle(sdl));
    const validator = createAssetValidators(catalogOf(sdl)).get('lib.Book');
    const chapter = (parts: Json) => ({ title: 'A', parts });
    const cases: [Json, boolean][] = [
      [[chapter([chapter(null)])], true],
      [[chapter([{ parts: [] }])], false],
      [[], false],
      [null, false],
    ];
    for (const [chapters, isSound] of cases) {
      expect(fits('BookCreate', { _type: 'lib.Book', chapters }), JSON.stringify(chapters)).toBe(isSound);
      expect(validator?.checkNew({ _type: 'lib.Book', chapters }).problems.length === 0).toBe(isSound);
    }
  });

  it('renames the schema of a content type that has the name of another component', () => {
    const schemas = schemasOf(
      bundle(`
        type Conflict @contentType(class: "my.Conflict") { name: String! }
        type Problem @contentType(class: "my.Problem") { name: String! }
        type Asset @contentType(class: "my.Asset") { problem: Problem }
        type ProblemCreate @contentType(class: "my.ProblemCreate") { name: String! }`),
    );
    expect(schemas.Problem).toEqual(schemasOf(readCmaDocument()).Problem);
    expect(Object(schemas.Problem2?.properties)._type.const).toBe('my.Problem');
    // The response of the status 409 is called Conflict.
    expect(Object(schemas.Conflict2?.properties)._type.const).toBe('my.Conflict');
    expect(Object(schemas.Asset2?.properties)._type.const).toBe('my.Asset');
    expect(Object(schemas.ProblemCreate?.properties)._type.const).toBe('my.ProblemCreate');
    expect(Object(schemas.ProblemCreate2?.properties)._type.enum).toContain('my.Problem');
    expect(Object(schemas.Asset?.discriminator).mapping['my.Asset']).toBe('#/components/schemas/Asset2');
  });

  it('has an example of each type, valid for its validator and its schema', () => {
    const sdl = `
      type Recipe @contentType(class: "my.Recipe") {
        title: String! @constraint(minLength: 20, maxLength: 30)
        code: String! @constraint(pattern: "^[A-Z]{3}-[0-9]+$")
        steps: [String!]! @constraint(minItems: 2)
        minutes: Int @constraint(min: 40)
        cook: Cook!
        parts: [Part!]
      }
      type Cook @contentType(class: "my.Cook") { name: String! }
      type Part { name: String! parts: [Part!] }
      type Riddle @contentType(class: "my.Riddle") { answer: String! @constraint(pattern: "^x{7}y$") }`;
    const document = bundle(sdl);
    const { Recipe, RecipeCreate, Riddle } = schemasOf(document);
    const [example] = Object(RecipeCreate).examples;
    expect(example).toMatchObject({ code: 'ABC-123', steps: ['Steps', 'Steps'], minutes: 40 });
    expect(createFit(document)('RecipeCreate', example)).toBe(true);
    expect(createFit(document)('Recipe', Object(Recipe).examples[0])).toBe(true);
    expect(Object(Riddle).examples).toBeUndefined();
  });

  it('names enum values that several enums share, for languages with one namespace for all', () => {
    const { Colour, Light } = schemasOf(
      bundle(`
        enum Colour { RED GREEN }
        enum Light { RED OFF }
        type Lamp @contentType(class: "my.Lamp") { colour: Colour light: Light }`),
    );
    expect(Colour).toEqual({ type: 'string', enum: ['RED', 'GREEN'] });
    expect(Light).toMatchObject({ enum: ['RED', 'OFF'], 'x-enum-varnames': ['Light_RED', 'Light_OFF'] });
  });

  it('keeps only examples of assets whose types are in the catalog', () => {
    const examplesOf = (document: OpenApiDocument) =>
      Object.keys(
        Object(document.paths['/api/rest/cma/contents/batch']).post.requestBody.content['application/json']
          .examples,
      );
    expect(examplesOf(bundle())).toEqual(['each', 'byField']);
    expect(examplesOf(bundle('type Poem @contentType(class: "my.Poem") { title: String }'))).toEqual([
      'each',
    ]);
  });
});

describe('moveCmaDocument', () => {
  it('replaces the base path and nothing else', () => {
    const source = readCmaDocument();
    const moved = moveCmaDocument(source, '/contents');
    expect(Object.keys(moved.paths)).toEqual([
      '/contents',
      '/contents/query',
      '/contents/changes',
      '/contents/batch',
      '/contents/files',
      '/contents/{id}',
      '/contents/{id}/history',
      '/contents/{id}/restore',
      '/contents/{id}/withdraw',
      'x-other-paths',
    ]);
    expect(moved.paths['/contents/{id}']).toEqual(source.paths['/api/rest/cma/contents/{id}']);
    expect(moved.components).toEqual(source.components);
  });
});
