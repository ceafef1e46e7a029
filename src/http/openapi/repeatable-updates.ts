/**
 * Lets the body of a GET be sent back in the PUT or PATCH of the same path: members that only the server sets are left out of the body
 * when they are as GET returns them, and are a problem otherwise.
 *
 * Which members these are follows from the two schemas of the document: the response has them, the request does not. Members with
 * `x-live: true` change by themselves, so their values are not compared. `x-returned-as` names the member of the response that the
 * update replaces, such as the draft of a REST endpoint.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Operation, ParsedRequest } from 'openapi-backend';
import { invalidBody, type Problem, preconditionFailed } from '../../base/errors.ts';
import { followReference } from '../../documents/document-parts.ts';
import type { OpenApiDocument } from '../../documents/openapi-document.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import type { HttpResponse } from '../error-map.ts';
import { parseIfMatch } from '../response/asset-responses.ts';

/** The schemas of one update and of its record, as their properties. */
interface Update {
  readonly readId: string;
  readonly input: JsonObject;
  readonly output: JsonObject;
  /** The member of the record that the update replaces, if that is not the whole record. */
  readonly whole: string | undefined;
}

/** The members of a body to keep, and the problems of the others. */
interface Split {
  readonly kept: JsonObject;
  readonly problems: readonly Problem[];
}

/** Creates the lookup from a document and its operations. */
export function createRepeatableUpdates(document: OpenApiDocument, operations: readonly Operation[]) {
  const resolve = (part: unknown): JsonObject => followReference(document, part);
  const propertiesOf = (schema: unknown): JsonObject => Object(resolve(schema).properties);
  /** The schema of the JSON of a request body or a response. */
  const contentOf = (part: unknown) => resolve(Object(resolve(part).content)['application/json']?.schema);
  const typeOf = (schema: unknown) => resolve(schema).type;

  /** Tells whether only GET returns this member: the request has none of the name, or takes an object in place of a list of names. */
  const isReturned = (name: string, value: Json, { input, output }: Pick<Update, 'input' | 'output'>) =>
    Object.hasOwn(output, name) &&
    (!Object.hasOwn(input, name) ||
      (Array.isArray(value) && typeOf(output[name]) === 'array' && typeOf(input[name]) === 'object'));

  const within = (name: string, { input, output }: Pick<Update, 'input' | 'output'>) => ({
    input: propertiesOf(input[name]),
    output: propertiesOf(output[name]),
  });

  function isRepeating(body: JsonObject, schemas: Pick<Update, 'input' | 'output'>): boolean {
    return Object.entries(body).some(
      ([name, value]) =>
        isReturned(name, value, schemas) ||
        (isJsonObject(value) && isRepeating(value, within(name, schemas))),
    );
  }

  function split(body: JsonObject, current: JsonObject, schemas: Pick<Update, 'input' | 'output'>): Split {
    const problems: Problem[] = [];
    const kept = Object.entries(body).flatMap(([name, value]): [string, Json][] => {
      const present = current[name];
      if (isReturned(name, value, schemas)) {
        const isLive = Object(schemas.output[name])['x-live'] === true;
        if (!isLive && !isDeepStrictEqual(value, present))
          problems.push({ path: name, message: changedMessage });
        return [];
      }
      if (!isJsonObject(value) || !isJsonObject(present)) return [[name, value]];
      const inner = split(value, present, within(name, schemas));
      problems.push(...inner.problems.map(({ path, message }) => ({ path: `${name}.${path}`, message })));
      return [[name, inner.kept]];
    });
    return { kept: Object.fromEntries(kept), problems };
  }

  function splitRecord(body: JsonObject, current: JsonObject, update: Update): Split {
    const { whole, input } = update;
    const definition = whole === undefined ? undefined : body[whole];
    const isWhole = !Object.keys(body).some((name) => Object.hasOwn(input, name));
    if (whole === undefined || !isJsonObject(definition) || !isWhole) return split(body, current, update);
    return { ...split({ ...body, [whole]: current[whole] ?? null }, current, update), kept: definition };
  }

  const updates = new Map(
    operations.flatMap((operation): [string, Update][] => {
      const { operationId = '', method, path } = operation;
      const read = operations.find((one) => one.path === path && one.method === 'get');
      const body = contentOf(operation.requestBody);
      if (!/^(put|patch)$/.test(method) || !read || body.additionalProperties !== false) return [];
      const { 'x-returned-as': whole } = operation as { readonly 'x-returned-as'?: string };
      const output = propertiesOf(contentOf(read.responses?.[200]));
      return [[operationId, { readId: read.operationId ?? '', input: propertiesOf(body), output, whole }]];
    }),
  );

  return {
    /** Finds the record of an update; nothing when the body has no member that only GET returns. */
    find(
      operationId: string,
      { requestBody: body, headers }: Pick<ParsedRequest, 'requestBody' | 'headers'>,
    ) {
      const update = updates.get(operationId);
      // The reader of bodies has parsed JSON.
      const sent = body as Json | undefined;
      if (!update || !isJsonObject(sent) || !isRepeating(sent, update)) return undefined;
      return {
        /** The operation that reads the record. */
        readId: update.readId,
        /** Returns the body without these members. Errors: invalid_body when they differ from the record, precondition_failed. */
        remove({
          body: read,
          headers: readHeaders = {},
        }: Pick<HttpResponse, 'headers'> & { readonly body?: unknown }): ParsedRequest['requestBody'] {
          const { kept, problems } = splitRecord(sent, Object(read), update);
          if (problems.length === 0) return kept;
          const wanted = parseIfMatch(headers['if-match']?.toString());
          const [version = ''] = parseIfMatch(readHeaders.ETag?.toString()) ?? [];
          if (wanted && !wanted.includes(version)) throw preconditionFailed(String(Object(read).id ?? ''));
          throw invalidBody(problems);
        },
      };
    },
  };
}

const changedMessage = 'is set by the server: leave it out, or send it as GET returns it now';
