import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toOperationCurl } from '../../../src/admin/pages/docs/curl-line.ts';
import {
  documentPlaces,
  operationPlaces,
  sectionPlaces,
} from '../../../src/admin/pages/docs/guide-places.ts';
import { readDocument } from '../../../src/admin/pages/docs/read-document.ts';
import { describeRules, describeType, findContent } from '../../../src/admin/pages/docs/schema-words.ts';
import { packageRoot } from '../../../src/base/package-root.ts';

const load = (name: string) =>
  JSON.parse(readFileSync(join(packageRoot, `generated/openapi/${name}.json`), 'utf8'));
const cma = load('cma');
const admin = load('admin');

const operationsOf = (document: Record<string, unknown>) =>
  readDocument(document).sections.flatMap(({ operations }) => operations);
const operation = (document: Record<string, unknown>, id: string) =>
  operationsOf(document).find((one) => one.id === id) ?? expect.fail(id);

/** The IDs of all operations and messages, found without the code under test. */
const idsIn = (document: object) => [
  ...new Set([...JSON.stringify(document).matchAll(/"operationId":"(\w+)"/g)].map(([, id = '']) => id)),
];

describe('the reference', () => {
  it.each([
    ['cma', cma],
    ['admin', admin],
  ])('shows every operation of the document %s once', (_name, document) => {
    const shown = operationsOf(document).map(({ id }) => id);
    expect(shown.toSorted()).toEqual(idsIn(document).toSorted());
    expect(new Set(shown).size).toBe(shown.length);
  });

  it('knows operations, tags and places of the guide that exist, and each section of the admin API has one', () => {
    const tags = readDocument(admin).sections.map(({ name }) => name);
    expect(tags.filter((tag) => !(tag in sectionPlaces))).toEqual([]);
    expect(Object.keys(operationPlaces).filter((id) => !idsIn(cma).includes(id))).toEqual([]);
    const places = [documentPlaces, sectionPlaces, operationPlaces].flatMap((all) => Object.values(all));
    const isMissing = (path: string) => {
      const [page = '', part] = path.split('#');
      const file = join(packageRoot, `docs/${page}.md`);
      if (!existsSync(file)) return true;
      const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => text);
      const anchors = headings.map((text) => text.toLowerCase().replaceAll(/[^\w]+/g, '-'));
      return part !== undefined && !anchors.includes(part);
    };
    expect(places.map(({ path }) => path).filter(isMissing)).toEqual([]);
  });

  it('shows the parameters, the role and what is required', () => {
    const query = operation(cma, 'queryAssets');
    const from = query.parameters.find(({ name }) => name === 'from');
    expect(from).toMatchObject({ place: 'query', isRequired: true, example: 'com.colophon.cms.db.Site' });
    expect(query.responses.map(({ status }) => status)).toContain('400');
    expect(operation(admin, 'listUsers')).toMatchObject({
      method: 'GET',
      path: '/api/admin/users',
      role: 'admin',
    });
  });

  it('says in words what values are', () => {
    expect(describeType({ type: ['string', 'null'] })).toBe('text or null');
    expect(describeType({ type: 'array', items: { $ref: '#/components/schemas/Article' } })).toBe(
      'list of Article',
    );
    expect(describeType({ oneOf: [{ $ref: '#/components/schemas/Site' }, { type: 'null' }] })).toBe(
      'Site or null',
    );
    expect(describeRules({ minLength: 1, maxLength: 64, default: 'a' })).toEqual([
      '1 to 64 characters',
      'default "a"',
    ]);
  });

  it('finds the fields of objects, of all their parts, and of types that contain themselves', () => {
    const schemas = {
      Tree: {
        allOf: [
          { $ref: '#/components/schemas/Named' },
          { properties: { below: { items: { $ref: '#/components/schemas/Tree' } } } },
        ],
      },
      Named: { required: ['name'], properties: { name: { type: 'string' } } },
    };
    const document = { components: { schemas } };
    const { fields } = findContent(document, { $ref: '#/components/schemas/Tree' });
    expect(fields.map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ['name', true],
      ['below', false],
    ]);
    const [, below] = fields;
    expect(findContent(document, below?.schema ?? {}).fields.map(({ name }) => name)).toEqual([
      'name',
      'below',
    ]);
  });

  it('makes commands that a shell reads as they are meant', () => {
    const command = toOperationCurl(operation(cma, 'updateAsset'), "http://cms.example/it's");
    const words = execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
      .trimEnd()
      .split('\n');
    expect(words.slice(0, 5)).toEqual([
      'curl',
      '-X',
      'PUT',
      '-H',
      'Authorization: Bearer <client ID>.<client secret>',
    ]);
    expect(words.at(-1)).toBe("http://cms.example/it's/api/rest/cma/contents/<id>");
    expect(toOperationCurl(operation(cma, 'queryAssets'), '')).toContain(
      'contents?from=com.colophon.cms.db.Site',
    );
  });
});
