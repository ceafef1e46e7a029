/** Reading REST endpoints from a file, and refusing untrusted documents that are invalid. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readEndpoints } from '../../../../src/codegen/client/read-endpoints.ts';
import { temporaryFolder } from '../../../support/opened.ts';

const folder = temporaryFolder();

const file = (content: unknown) => {
  const path = join(folder, 'endpoints.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const operation = {
  operationId: 'pets',
  'x-colophon-variables': { syntax: 'slash', schema: { type: 'object' } },
  responses: { 200: json({ type: 'object', properties: { data: { type: 'object' } } }) },
};
/** A document with one route, with the given changes. */
const endpoint = ({ title = 'Pets', path = '/pets', ...changes }: Record<string, unknown> = {}) => ({
  openapi: '3.1.0',
  info: { title },
  paths: { [String(path)]: { get: { ...operation, ...changes } } },
});

it('reads one document, or a list in the order of the titles', async () => {
  expect(await readEndpoints({ from: file(endpoint()) })).toMatchObject([
    { title: 'Pets', routes: [{ id: 'pets', method: 'GET', path: '/pets', repeatable: false }] },
  ]);
  const documents = await readEndpoints({ from: file([endpoint(), endpoint({ title: 'Cars' })]) });
  expect(documents.map(({ title }) => title)).toEqual(['Cars', 'Pets']);
});

const foreign = (reason: string) =>
  `${join(folder, 'endpoints.json')} is not the OpenAPI document of a REST endpoint: ${reason}`;

it.each<[what: string, from: () => string, message: string]>([
  ['no file', () => '/nowhere/routes.json', 'There is no file /nowhere/routes.json'],
  ['a folder', () => folder, `${folder} is a folder`],
  ['no JSON', () => file('{'), 'endpoints.json is no JSON: '],
  ['no endpoint', () => file([]), 'endpoints.json has no published REST endpoint'],
  ['something else', () => file({ a: 1 }), foreign('it is no OpenAPI 3.1 document')],
  [
    'null',
    () => file('[null]'),
    'endpoints.json[0] is not the OpenAPI document of a REST endpoint: it is no',
  ],
  ['an older OpenAPI', () => file({ ...endpoint(), openapi: '3.0.3' }), foreign('it is no OpenAPI 3.1')],
  [
    'another API',
    () => file([endpoint(), endpoint({ responses: {} })]),
    'endpoints.json[1] is not the OpenAPI document of a REST endpoint: GET /pets does not answer',
  ],
  [
    'variables that are nowhere',
    () => file(endpoint({ 'x-colophon-variables': undefined })),
    foreign('GET /pets has no x-colophon-variables'),
  ],
  [
    'code in the place of a name',
    () => file(endpoint({ operationId: 'x(): void }; }; alert(1); interface Y { y: {' })),
    foreign('the operationId "x(): void }; }; alert(1); interface Y { y: {" is no name for a function'),
  ],
  ['a prototype', () => file(endpoint({ operationId: '__proto__' })), foreign('the operationId "__proto__"')],
  [
    "another server's address behind the own",
    () => file(endpoint({ path: '@evil.example/pets' })),
    foreign('the path "@evil.example/pets" must begin with /'),
  ],
])('fails clearly over %s', async (_what, from, message) => {
  const failed = readEndpoints({ from: from() });
  await expect(failed).rejects.toMatchObject({
    code: 'check_failed',
    message: expect.stringContaining(message),
  });
});
