/** What codegen refuses of an OpenAPI document, with its file and line. */
import { describe, expect, it } from 'vitest';
import { readSpecification } from '../../../src/codegen/specifications.ts';

const head = `openapi: 3.1.0
info: { title: Books, version: '1' }
components:
  schemas:
    Book: { type: object }
    Ids: { type: array, items: { type: string } }
paths:
`;

/** An operation of `/books` that starts in line 9, with one more member. */
const get = (member: string) => `${head}  /books:
    get:
      operationId: listBooks
      responses: { '200': { description: Done. } }
      ${member}`;

const parameter = (text: string) => get(`parameters:\n        - { name: ids, ${text} }`);

const body = (type: string, schema: string) =>
  get(`requestBody: { content: { ${type}: { schema: ${schema} } } }`);

/** What is refused, without the path of the file. */
function refusalsOf(text: string): string[] {
  try {
    readSpecification(text, 'books.yaml');
    return [];
  } catch (error) {
    return String(error)
      .replace(/^DomainError: /, '')
      .split('\n');
  }
}

describe('a document that can be served', () => {
  it.each<[name: string, text: string]>([
    ['an operation without errors, parameters and body', get('summary: All')],
    ['a list that repeats its name', parameter('in: query, schema: { $ref: "#/components/schemas/Ids" }')],
    ['a list with commas', parameter('in: query, explode: false, schema: { type: array }')],
    ['a list with bars', parameter('in: query, style: pipeDelimited, schema: { type: array }')],
    ['a name of JavaScript', get('summary: All').replace('listBooks', 'delete')],
    ['any JSON', body('application/vnd.books+json', '{ type: [array, "null"] }')],
    ['bytes', body('image/*', '{ type: string, format: binary }')],
    ['what looks like a reference in an example', parameter('in: query, example: { $ref: "#/none" }')],
  ])('%s', (_name, text) => {
    expect(refusalsOf(text)).toEqual([]);
  });
});

describe('what is refused', () => {
  const responses = "responses: { '200': { description: Done. } }";
  const inGet = (text: string) => `${head}  /books:\n    ${text}`;
  it.each<[name: string, text: string, line: number, reason: string | RegExp]>([
    ['no operationId', inGet(`get: { ${responses} }`), 9, 'has no operationId'],
    [
      'an ID with a dash',
      inGet(`get: { operationId: list-books, ${responses} }`),
      9,
      /"list-books" must match/,
    ],
    [
      'the ID "then"',
      inGet(`get: { operationId: then, ${responses} }`),
      9,
      /"then" must match .* none of then, client/,
    ],
    [
      'an ID twice',
      `${get('summary: All')}\n    post: { operationId: listBooks, ${responses} }`,
      13,
      /listBooks is that of another/,
    ],
    ['no responses', inGet('get: { operationId: listBooks }'), 9, 'has no responses'],
    ['HEAD', inGet(`head: { operationId: headBooks, ${responses} }`), 9, 'HEAD is not served by operations'],
    [
      'a path in another place',
      inGet('$ref: "#/components/schemas/Book"'),
      9,
      'a path is written in its place',
    ],
    ['a cookie', parameter('in: cookie, schema: { type: string }'), 13, /"ids": cookies are not parameters/],
    [
      'an object in a query',
      parameter('in: query, style: deepObject, schema: { $ref: "#/components/schemas/Book" }'),
      13,
      /"ids": objects/,
    ],
    ['a list in a header', parameter('in: header, schema: { type: [array, "null"] }'), 13, /"ids": lists/],
    [
      'a style that is not served',
      parameter('in: query, style: spaceDelimited, explode: true, schema: { type: array }'),
      13,
      /this style/,
    ],
    [
      'JSON in a parameter',
      parameter('in: query, content: { application/json: {} }'),
      13,
      /"content" is not served/,
    ],
    ['the name "__proto__"', parameter('in: query').replace('ids', '__proto__'), 13, /__proto__/],
    [
      'a parameter that its path lacks',
      parameter('in: path, required: true, schema: { type: string }'),
      9,
      'has no "{ids}" in its path',
    ],
    [
      'a path without its parameter',
      get('summary: All').replace('/books', '/books/{id}'),
      9,
      /has no parameter "id"/,
    ],
    ['a form', body('application/x-www-form-urlencoded', '{ type: object }'), 12, /must be JSON/],
    [
      'a reference to nothing',
      body('application/json', '{ $ref: "#/components/schemas/None" }'),
      12,
      /None is not a place/,
    ],
    [
      'a reference to another file',
      body('application/json', '{ $ref: "other.yaml" }'),
      12,
      /other.yaml is not a place/,
    ],
    ['a type that codegen needs', get('summary: All').replace('Book:', 'Operations:'), 5, /name of a type/],
    ['another version of OpenAPI', get('summary: All').replace('3.1.0', '3.0.3'), 1, 'must be 3.1'],
    ['no YAML', `${get('summary: All')}\n  x: [`, 13, /./],
  ])('%s', (_name, text, line, reason) => {
    const refusals = refusalsOf(text);
    expect(refusals).toEqual([expect.stringMatching(reason)]);
    expect(refusals).toEqual([expect.stringMatching(new RegExp(`^books.yaml:${line}: `))]);
  });
});
