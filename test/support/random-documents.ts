/**
 * Documents with operations of every kind that is served, each with requests that fit and that do not, and a response.
 */
import fc from 'fast-check';
import type { OpenApiDocument } from '../../src/documents/openapi-document.ts';
import type { Json, JsonObject } from '../../src/model/content-type.ts';

/** A parameter, what a request may say for it, and what it must not. */
interface SampleParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly member: JsonObject;
  readonly good: string;
  readonly bad?: string;
}

interface SampleBody {
  readonly required: boolean;
  readonly type: string;
  readonly schema: JsonObject;
  readonly good: Json;
  readonly bad?: Json;
}

/** The response that the handler of an operation returns; `entry` is the status of the document that it is for. */
interface SampleResponse {
  readonly entry: string;
  readonly status: number;
  readonly member: JsonObject;
  readonly body?: Json;
  readonly bytes?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An operation. */
export interface SampleOperation {
  readonly id: string;
  readonly method: string;
  /** The template. */
  readonly path: string;
  readonly parameters: readonly SampleParameter[];
  /** Whether the parameters are those of the whole path. */
  readonly areShared: boolean;
  readonly isDeprecated: boolean;
  readonly body?: SampleBody;
  readonly responses: readonly SampleResponse[];
  /** The one that it answers with. */
  readonly answer: SampleResponse;
}

const json = (schema: JsonObject) => ({ 'application/json': { schema } });

const scalars = [
  { member: { schema: { type: 'string', maxLength: 3 } }, good: 'a&é', bad: 'long' },
  { member: { schema: { type: 'integer' } }, good: '7', bad: 'seven' },
  { member: { schema: { $ref: '#/components/schemas/more.Colour-1' } }, good: 'red', bad: 'blue' },
  { member: { schema: { type: ['integer', 'null'] } }, good: '7', bad: 'x' },
  {
    member: { schema: { oneOf: [{ type: 'boolean' }, { type: 'string', enum: ['auto'] }] } },
    good: 'auto',
    bad: 'maybe',
  },
];

const numbers = { schema: { type: 'array', items: { type: 'integer' } } };
const lists = [
  { member: { ...numbers }, good: '1', bad: 'one' },
  { member: { ...numbers, explode: false }, good: '1,2', bad: '1,two' },
  { member: { ...numbers, style: 'pipeDelimited' }, good: '1|2', bad: '1|two' },
  { member: { ...numbers, style: 'spaceDelimited', explode: false }, good: '1 2', bad: 'one 2' },
];

/** A path has its parameters by its shape. */
const shapes = [
  { below: '', names: [] },
  { below: '/{constructor}', names: ['constructor'] },
  { below: '/{book-id}.json', names: ['book-id'] },
  { below: '/{a}/x/{b}', names: ['a', 'b'] },
];

const note: JsonObject = {
  type: 'object',
  properties: { constructor: { type: ['string', 'null'] }, size: { type: 'integer' } },
  required: ['size'],
  additionalProperties: false,
};

/** What responses have: no member of JavaScript's objects, which TypeScript requires to be as it is there. */
const answer: JsonObject = {
  ...note,
  properties: { delete: { type: ['string', 'null'] }, size: { type: 'integer' } },
};

const bodies: readonly Omit<SampleBody, 'required'>[] = [
  { type: 'application/json', schema: note, good: { size: 1 }, bad: { size: 'x' } },
  {
    type: 'application/vnd.more+json',
    schema: { type: 'array', items: note, maxItems: 2 },
    good: [{ size: 1 }],
    bad: [{ size: 'x' }],
  },
  {
    type: 'application/json',
    schema: { $ref: '#/components/schemas/moreShape' },
    good: { kind: 'circle', radius: 2 },
    bad: { kind: 'circle', radius: 'wide' },
  },
  { type: 'application/json', schema: { type: ['integer', 'null'] }, good: null, bad: 'x' },
  { type: 'application/octet-stream', schema: { type: 'string', format: 'binary' }, good: 'bytes' },
];

/** What all documents have besides operations. */
const schemas = {
  'more.Colour-1': { type: 'string', enum: ['red', 'green'] },
  moreShape: {
    oneOf: [{ $ref: '#/components/schemas/moreCircle' }, { $ref: '#/components/schemas/moreSquare' }],
    discriminator: {
      propertyName: 'kind',
      mapping: { circle: 'moreCircle', square: '#/components/schemas/moreSquare' },
    },
  },
  moreCircle: {
    type: 'object',
    properties: { kind: { type: 'string', const: 'circle' }, radius: { type: 'number' } },
    required: ['kind', 'radius'],
  },
  moreSquare: {
    type: 'object',
    properties: { kind: { type: 'string', const: 'square' }, side: { type: 'number' } },
    required: ['kind', 'side'],
  },
  // The name that the types of an operation would have.
  DeleteData: { type: 'string' },
};

const tag = { 'X-Tag': { schema: { type: 'string' } } };
const neededTag = { 'X-Tag': { required: true, schema: { type: 'string' } } };
const refusal = json({ $ref: '#/components/schemas/ErrorAnswer' });
const refused = { status: 'error', result: null, error: { code: 'invalid_parameter', message: 'No.' } };
const responses: readonly SampleResponse[] = [
  {
    entry: '200',
    status: 200,
    member: { description: 'Done.', headers: neededTag, content: json(answer) },
    body: { size: 3 },
    headers: { 'X-Tag': 't' },
  },
  {
    entry: '201',
    status: 201,
    member: { description: 'Made.', content: json({ type: ['string', 'null'] }) },
    body: null,
  },
  { entry: '202', status: 202, member: { description: 'Later.' } },
  { entry: '204', status: 204, member: { description: 'Done.' } },
  {
    entry: '206',
    status: 206,
    member: {
      description: 'Bytes.',
      content: { 'image/png': { schema: { type: 'string', format: 'binary' } } },
    },
    bytes: 'PNG',
  },
  { entry: '404', status: 404, member: { $ref: '#/components/responses/moreNothing' } },
  { entry: '400', status: 400, member: { description: 'No.', content: refusal }, body: refused },
  { entry: '4XX', status: 422, member: { description: 'No.', content: refusal }, body: refused },
  {
    entry: 'default',
    status: 502,
    member: { description: 'Else.', headers: tag, content: refusal },
    body: refused,
    headers: { 'X-Tag': 'd' },
  },
];

/** IDs that are words of JavaScript, or differ only in letter case, or begin as types that a schema has. */
const awkwardIds = [
  'delete',
  'class',
  'default',
  'getURL',
  'getUrl',
  'array',
  'await',
  'operation',
  'import',
];

const operation = fc
  .record({
    method: fc.constantFrom('get', 'put', 'post', 'delete', 'patch'),
    shape: fc.constantFrom(...shapes),
    inPath: fc.constantFrom(...scalars),
    others: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom('toString', 'from', 'X-Level', 'order-by', 'delete'),
        place: fc.constantFrom('query' as const, 'header' as const),
        scalar: fc.constantFrom(...scalars),
        list: fc.option(fc.constantFrom(...lists)),
        required: fc.boolean(),
      }),
      { maxLength: 4, selector: ({ name, place }) => `${place} ${name.toLowerCase()}` },
    ),
    areShared: fc.boolean(),
    isDeprecated: fc.boolean(),
    body: fc.option(fc.record({ body: fc.constantFrom(...bodies), required: fc.boolean() })),
    kinds: fc.uniqueArray(fc.constantFrom(...responses), { minLength: 1, maxLength: responses.length }),
    answer: fc.nat(),
  })
  .map(({ method, shape, inPath, others, body, kinds, answer, ...rest }) => ({
    ...rest,
    method,
    below: shape.below,
    parameters: [
      ...shape.names.map((name) => ({ name, in: 'path' as const, required: true, ...inPath })),
      ...others.map(({ name, place, scalar, list, required }) => ({
        name,
        in: place,
        required,
        ...(place === 'query' && list ? list : scalar),
      })),
    ],
    ...(body && method !== 'get' && method !== 'delete'
      ? { body: { ...body.body, required: body.required } }
      : {}),
    responses: kinds,
    answer: answerOf(kinds, answer),
  }));

/** Chooses a response: one of success, if the document has one. */
function answerOf(kinds: readonly SampleResponse[], number: number): SampleResponse | undefined {
  const successes = kinds.filter(({ status }) => status < 400);
  const some = successes.length > 0 ? successes : kinds;
  return some[number % some.length];
}

/** About twenty operations. */
export const sampleOperations: fc.Arbitrary<SampleOperation[]> = fc
  .record({
    operations: fc.array(operation, { minLength: 18, maxLength: 22 }),
    ids: fc.shuffledSubarray(awkwardIds, { minLength: 6 }),
  })
  .map(({ operations, ids }) =>
    operations.map(({ below, ...one }, index) => ({
      ...one,
      id: ids[index] ?? `more${index}`,
      path: `/more/${index}${below}`,
      // A literal for the compiler: each kind has at least one response.
      answer: one.answer as SampleResponse,
    })),
  );

/** Adds operations to a copy of a document. */
export function addOperations(
  document: OpenApiDocument,
  operations: readonly SampleOperation[],
): OpenApiDocument {
  const copy: OpenApiDocument = structuredClone(document);
  Object.assign(copy.components.schemas, schemas);
  Object.assign(Object(copy.components.responses), { moreNothing: { description: 'Nothing.' } });
  for (const one of operations) {
    const parameters = one.parameters.map(({ name, in: place, required, member }) => ({
      name,
      in: place,
      required,
      ...member,
    }));
    const { body } = one;
    copy.paths[one.path] = {
      ...(one.areShared ? { parameters } : {}),
      [one.method]: {
        operationId: one.id,
        ...(one.areShared ? {} : { parameters }),
        ...(one.isDeprecated ? { deprecated: true } : {}),
        ...(body
          ? { requestBody: { required: body.required, content: { [body.type]: { schema: body.schema } } } }
          : {}),
        responses: Object.fromEntries(one.responses.map(({ entry, member }) => [entry, member])),
      },
    };
  }
  return copy;
}
