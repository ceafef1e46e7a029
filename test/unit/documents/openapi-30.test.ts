import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { toOpenApi30 } from '../../../src/documents/openapi-30.ts';

describe('the 3.0 form of a document', () => {
  it.each(['cma', 'admin'])('is OpenAPI 3.0: %s', async (name) => {
    const document = JSON.parse(readFileSync(`generated/openapi/${name}.json`, 'utf8'));
    const before = JSON.stringify(document);
    const rewritten = toOpenApi30(document);
    expect(JSON.stringify(document)).toBe(before);
    const { valid, errors } = await new Validator().validate(rewritten);
    expect(errors ?? []).toEqual([]);
    expect([valid, rewritten.openapi]).toEqual([true, '3.0.3']);
  });

  const ref = { $ref: '#/components/schemas/B' };
  it.each<[name: string, schema: object, rewritten: object]>([
    ['null beside a type', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
    [
      'null beside a reference',
      { anyOf: [ref, { type: 'null' }] },
      { type: 'object', allOf: [ref], nullable: true },
    ],
    [
      'null beside alternatives',
      { oneOf: [ref, { type: 'integer' }, { type: 'null' }] },
      { oneOf: [ref, { type: 'integer' }], nullable: true },
    ],
    ['null alone', { type: 'null' }, { type: 'object', maxProperties: 0, nullable: true }],
    ['several types', { type: ['string', 'integer'] }, { anyOf: [{ type: 'string' }, { type: 'integer' }] }],
    ['a constant', { type: 'string', const: 'A' }, { type: 'string', enum: ['A'] }],
    ['a description beside a reference', { ...ref, description: 'A' }, { allOf: [ref], description: 'A' }],
    ['any value', { type: 'array', items: true }, { type: 'array', items: {} }],
    [
      'what 3.0 has no word for',
      { type: 'object', if: {}, else: {}, contentMediaType: 'text/html' },
      { type: 'object' },
    ],
    ['examples', { type: 'string', examples: ['A', 'B'] }, { type: 'string', example: 'A' }],
    [
      'a required member that may be null',
      {
        type: 'object',
        required: ['a', 'b'],
        properties: { a: { type: 'string' }, b: { type: ['string', 'null'] } },
      },
      {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'string' }, b: { type: 'string', nullable: true } },
      },
    ],
    [
      'schemas in schemas',
      {
        type: 'object',
        properties: { type: { type: ['string', 'null'] } },
        additionalProperties: { const: 1 },
      },
      {
        type: 'object',
        properties: { type: { type: 'string', nullable: true } },
        additionalProperties: { enum: [1] },
      },
    ],
  ])('says %s in the words of 3.0', (_name, schema, rewritten) => {
    const document = { openapi: '3.1.0', components: { schemas: { A: schema, B: { type: 'object' } } } };
    expect(toOpenApi30(document).components.schemas.A).toEqual(rewritten);
  });

  it('does not change examples', () => {
    const examples = { one: { value: { schema: { type: ['string', 'null'] } } } };
    const document = { openapi: '3.1.0', paths: { '/': { get: { examples } } } };
    expect(toOpenApi30(document).paths['/'].get.examples).toEqual(examples);
  });
});
