/**
 * Compares two OpenAPI documents of one API, for clients that were written for the first one.
 *
 * Operations, parameters, request bodies and the bodies of successful responses are compared; descriptions and errors are not.
 */
import type { Json, JsonObject } from '../model/content-type.ts';
import { attention, breaking, safe } from '../model/types/type-change.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';
import { createSchemaComparer, type DocumentChange, resolve, type SchemaPair } from './compare-schemas.ts';

/** An operation that one of two documents lacks, in the words of a `DocumentChange`. */
export const removedOperation = 'is removed';

interface Comparison {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly compareSchema: (pair: SchemaPair) => DocumentChange[];
}

/** An operation in both documents; `place` is its method and path. */
interface OperationPair {
  readonly old: JsonObject;
  readonly now: JsonObject;
  readonly place: string;
}

/** Finds the differences, in the order of the operations of `before`. */
export function compareDocuments(before: JsonObject, after: JsonObject): DocumentChange[] {
  const comparison = { before, after, compareSchema: createSchemaComparer(before, after) };
  const [olds, news] = [operationsOf(before), operationsOf(after)];
  const added = [...news.keys()].filter((place) => !olds.has(place));
  return [
    ...[...olds].flatMap(([place, old]) => {
      const now = news.get(place);
      return now
        ? compareOperation(comparison, { old, now, place })
        : [{ place, ...breaking(removedOperation) }];
    }),
    ...added.map((place) => ({ place, ...safe('is new') })),
  ];
}

const methods = ['get', 'put', 'post', 'delete'];

function operationsOf({ paths }: JsonObject): ReadonlyMap<string, JsonObject> {
  const items = isJsonObject(paths) ? Object.entries(paths) : [];
  return new Map(
    items.flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = isJsonObject(item) ? item[method] : undefined;
        return isJsonObject(operation) ? [[`${method.toUpperCase()} ${path}`, operation] as const] : [];
      }),
    ),
  );
}

function compareOperation(comparison: Comparison, pair: OperationPair): DocumentChange[] {
  return [
    ...compareParameters(comparison, pair),
    ...compareRequestBody(comparison, pair),
    ...compareResponses(comparison, pair),
  ];
}

function compareParameters(comparison: Comparison, { old, now, place }: OperationPair): DocumentChange[] {
  const { before, after, compareSchema } = comparison;
  const [olds, news] = [parametersOf(before, old), parametersOf(after, now)];
  return [...new Set([...olds.keys(), ...news.keys()])].flatMap((key) => {
    const [was, is] = [olds.get(key), news.get(key)];
    const within = `${place} ${key}`;
    if (!is) return [{ place: within, ...attention('is removed') }];
    const becomesRequired = is.required === true && was?.required !== true;
    if (!was)
      return [{ place: within, ...(becomesRequired ? breaking('is new and required') : safe('is new')) }];
    return [
      ...(becomesRequired ? [{ place: within, ...breaking('is required, and was optional') }] : []),
      ...compareSchema({ old: schemaOf(was), now: schemaOf(is), place: within, direction: 'request' }),
    ];
  });
}

function parametersOf(document: JsonObject, { parameters }: JsonObject): ReadonlyMap<string, JsonObject> {
  const list = Array.isArray(parameters) ? parameters : [];
  return new Map(
    list.map((one) => resolve(document, one).value).map((one) => [`${one.in} parameter ${one.name}`, one]),
  );
}

/** The schema of a parameter, or of a body. */
function schemaOf({ schema, content }: JsonObject): Json | undefined {
  if (schema !== undefined) return schema;
  const [media] = isJsonObject(content) ? Object.values(content) : [];
  return isJsonObject(media) ? media.schema : undefined;
}

function compareRequestBody(comparison: Comparison, { old, now, place }: OperationPair): DocumentChange[] {
  const { before, after, compareSchema } = comparison;
  if (now.requestBody === undefined) return [];
  const [was, is] = [resolve(before, old.requestBody).value, resolve(after, now.requestBody).value];
  const within = `${place} body`;
  const required =
    is.required === true && was.required !== true
      ? [{ place: within, ...breaking('is required, and was optional') }]
      : [];
  const schemas = { old: schemaOf(was), now: schemaOf(is), place: within, direction: 'request' } as const;
  return [...required, ...(schemas.old === undefined ? [] : compareSchema(schemas))];
}

function compareResponses(comparison: Comparison, { old, now, place }: OperationPair): DocumentChange[] {
  const { before, after, compareSchema } = comparison;
  const [olds, news] = [old, now].map(({ responses }) => (isJsonObject(responses) ? responses : {}));
  return Object.keys(olds ?? {})
    .filter((status) => status.startsWith('2'))
    .flatMap((status) => {
      const [was, is] = [resolve(before, olds?.[status]).value, resolve(after, news?.[status]).value];
      const [oldSchema, newSchema] = [schemaOf(was), schemaOf(is)];
      if (oldSchema === undefined || newSchema === undefined) return [];
      return compareSchema({
        old: oldSchema,
        now: newSchema,
        place: `${place} response`,
        direction: 'response',
      });
    });
}
