/**
 * Compares two OpenAPI documents of one API, for clients that were written for the first one.
 *
 * Operations, parameters, request bodies and the bodies of successful responses are compared; descriptions and errors are not.
 */
import type { Json, JsonObject } from '../model/content-type.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';
import { attention, breaking, safe } from '../types/type-change.ts';
import { createSchemaComparer, type DocumentChange, type SchemaPair } from './compare-schemas.ts';
import { followReference } from './document-parts.ts';

/** An operation of the first of two documents, and its changes. */
export interface ComparedOperation {
  /** Its method and path, such as `GET /news/{slug}`. */
  readonly operation: string;
  readonly changes: readonly DocumentChange[];
}

interface Comparison {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly compareSchema: (pair: SchemaPair) => DocumentChange[];
}

/** An operation in both documents; `place` is its method and path in the first one. */
interface OperationPair {
  readonly old: PlacedOperation;
  readonly now: PlacedOperation;
  readonly place: string;
}

/** An operation, with its method and path, which has the names of `parameters`. */
interface PlacedOperation {
  readonly place: string;
  readonly operation: JsonObject;
  readonly parameters: readonly string[];
}

/** Finds the differences, in the order of the operations of `before`. */
export function compareDocuments(before: JsonObject, after: JsonObject): DocumentChange[] {
  const comparison = { before, after, compareSchema: createSchemaComparer(before, after) };
  const [olds, news] = [operationsOf(before), operationsOf(after)];
  const added = [...news].filter(([key]) => !olds.has(key)).map(([, { place }]) => place);
  return [
    ...[...olds].flatMap(([key, old]) => {
      const { place } = old;
      const now = news.get(key);
      return now ? compareOperation(comparison, { old, now, place }) : [{ place, ...breaking('is removed') }];
    }),
    ...added.map((place) => ({ place, ...safe('is new') })),
  ];
}

/**
 * Compares each operation that both documents have by itself: the change of a component is a change of all operations that use it.
 */
export function compareEachOperation(before: JsonObject, after: JsonObject): ComparedOperation[] {
  const news = operationsOf(after);
  return [...operationsOf(before)].flatMap(([key, old]) => {
    const now = news.get(key);
    if (!now) return [];
    const comparison = { before, after, compareSchema: createSchemaComparer(before, after) };
    const changes = compareOperation(comparison, { old, now, place: old.place });
    return [{ operation: old.place, changes }];
  });
}

const methods = ['get', 'put', 'post', 'delete'];

const parameterInPath = /\{([^}]+)\}/g;

/** Returns a path without the names of its parameters, which requests do not contain. */
export const withoutNames = (path: string): string => path.replace(parameterInPath, '{}');

/** Finds the operations, by method and path without the names of its parameters. */
function operationsOf({ paths }: JsonObject): ReadonlyMap<string, PlacedOperation> {
  const items = isJsonObject(paths) ? Object.entries(paths) : [];
  return new Map(
    items.flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = isJsonObject(item) ? item[method] : undefined;
        if (!isJsonObject(operation)) return [];
        const place = `${method.toUpperCase()} ${path}`;
        const parameters = [...path.matchAll(parameterInPath)].flatMap(([, name]) => name ?? []);
        return [[withoutNames(place), { place, operation, parameters }] as const];
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
    const within = `${place} ${describeParameter(was ?? is ?? {})}`;
    // A header such as If-None-Match asks for less work, and the response is right without it.
    if (!is) return [{ place: within, ...(was?.in === 'header' ? attention : breaking)('is removed') }];
    const becomesRequired = is.required === true && was?.required !== true;
    if (!was)
      return [{ place: within, ...(becomesRequired ? breaking('is new and required') : safe('is new')) }];
    return [
      ...(becomesRequired ? [{ place: within, ...breaking('is required, and was optional') }] : []),
      ...compareSchema({ old: schemaOf(was), now: schemaOf(is), place: within, direction: 'request' }),
    ];
  });
}

const describeParameter = ({ in: part, name }: JsonObject) => `${part} parameter ${name}`;

/** Finds the parameters. Those of the path have their position in place of their name. */
function parametersOf(
  document: JsonObject,
  { operation, parameters: names }: PlacedOperation,
): ReadonlyMap<string, JsonObject> {
  const list = Array.isArray(operation.parameters) ? operation.parameters : [];
  return new Map(
    list
      .map((one) => followReference(document, one))
      .map((one) => {
        const position = one.in === 'path' ? names.indexOf(String(one.name)) : undefined;
        return [describeParameter({ ...one, ...(position !== undefined && { name: position }) }), one];
      }),
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
  const { requestBody } = now.operation;
  const within = `${place} body`;
  if (requestBody === undefined)
    return old.operation.requestBody === undefined ? [] : [{ place: within, ...breaking('is removed') }];
  const [was, is] = [followReference(before, old.operation.requestBody), followReference(after, requestBody)];
  const required =
    is.required === true && was.required !== true
      ? [{ place: within, ...breaking('is required, and was optional') }]
      : [];
  const schemas = { old: schemaOf(was), now: schemaOf(is), place: within, direction: 'request' } as const;
  return [...required, ...(schemas.old === undefined ? [] : compareSchema(schemas))];
}

function compareResponses(comparison: Comparison, { old, now, place }: OperationPair): DocumentChange[] {
  const { before, after, compareSchema } = comparison;
  const [olds, news] = [old, now].map(({ operation: { responses } }) =>
    isJsonObject(responses) ? responses : {},
  );
  return Object.keys(olds ?? {})
    .filter((status) => status.startsWith('2'))
    .flatMap((status) => {
      const [was, is] = [followReference(before, olds?.[status]), followReference(after, news?.[status])];
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
