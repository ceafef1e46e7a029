/** The schemas of requests that validators are made of. */
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { resolveDiscriminators, toRequestSchemas } from '../../../src/codegen/request-schemas.ts';
import { readSpecification } from '../../../src/codegen/specifications.ts';

const document = readSpecification(
  `openapi: 3.1.0
info: { title: Books, version: '1' }
components:
  requestBodies:
    Book: { required: true, content: { application/vnd.book+json: { schema: { type: object } } } }
  schemas:
    Novel: { type: object, properties: { kind: { const: novel }, pages: { type: integer } } }
    Poem: { type: object, properties: { kind: { const: poem } } }
    Text:
      oneOf: [{ $ref: '#/components/schemas/Novel' }, { $ref: '#/components/schemas/Poem' }]
      discriminator: { propertyName: kind, mapping: { novel: Novel, poem: Poem } }
    Other:
      oneOf: [{ $ref: '#/components/schemas/Novel' }, { $ref: '#/components/schemas/Poem' }]
      discriminator: { propertyName: kind, mapping: { novel: Novel } }
paths:
  /books:
    parameters:
      - { name: limit, in: query, required: true, schema: { type: integer } }
      - { name: order, in: query, schema: { type: string } }
    post:
      operationId: createBook
      parameters:
        - { name: limit, in: query, schema: { type: string } }
      requestBody: { $ref: '#/components/requestBodies/Book' }
      responses: { '200': { description: Done. } }
`,
  'books.yaml',
);

it('has the parameters of an operation in place of those of its path', () => {
  const { createBook } = toRequestSchemas(document).parameters;
  expect(Object(createBook).properties.query).toMatchObject({
    properties: { limit: { type: 'string' }, order: { type: 'string' } },
    required: [],
  });
});

it('follows references to bodies, of any type of JSON', () => {
  expect(toRequestSchemas(document).bodies.createBook).toEqual({
    properties: { requestBody: { type: 'object' } },
    required: ['requestBody'],
  });
});

it.each([
  ['Text', { kind: 'poem' }, true],
  ['Text', { kind: 'novel', pages: 'x' }, false],
  // Its alternative has no value in the mapping.
  ['Other', { kind: 'poem' }, true],
])('resolves the names of schemas in a discriminator: %s %o', (name, value, isValid) => {
  const { schemas } = resolveDiscriminators({ schemas: document.components.schemas });
  const ajv = new Ajv({ strict: false }).addSchema({ components: { schemas } }, 'books');
  expect(ajv.validate(`books#/components/schemas/${name}`, value)).toBe(isValid);
});
