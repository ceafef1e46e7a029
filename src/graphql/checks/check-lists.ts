/**
 * Checks the arguments of an operation's lists beyond the types that GraphQL knows: filters, predicates with their values, sort
 * keys, offsets, limits, and the paths of fields whose values are counted, as far as the document itself gives them.
 *
 * A stored operation must pass these checks. In a request to a GraphQL endpoint, the list refuses wrong arguments when it runs.
 */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  isScalarType,
  Kind,
  type OperationDefinitionNode,
  type StringValueNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { isDomainError } from '../../base/errors.ts';
import type { Catalog, ContentType } from '../../model/content-type.ts';
import { bindFacets } from '../../query/facets.ts';
import { bindSort } from '../../query/sort.ts';
import type { GraphqlEndpointDefinition } from '../endpoints/graphql-endpoint.ts';
import type { FilterReader } from '../filters/read-filter.ts';
import type { DocumentProblem } from '../operation.ts';
import { fragmentsOf, positionOf } from '../operations/read-document.ts';
import { fieldsIn, isFacets, isList } from '../operations/root-fields.ts';
import { listTypeName } from '../schema/root-names.ts';
import { checkFilter } from './check-filter.ts';
import { checkWhere } from './check-where.ts';
import { createKnownValues, type KnownValue, type KnownValues } from './known-argument.ts';
import { positionInString } from './position-in-string.ts';

/** Finds the problems of the lists of one operation in a valid document. */
export type ListChecker = (document: DocumentNode, operation: OperationDefinitionNode) => DocumentProblem[];

/** Creates the checker for a schema over the content types of a catalog. */
export function createListChecker({
  schema,
  catalog,
  filters,
  limits,
}: {
  schema: GraphQLSchema;
  catalog: Catalog;
  filters: FilterReader;
  limits: Pick<GraphqlEndpointDefinition, 'maxLimit'>;
}): ListChecker {
  const types = new Map<string, ContentType>(
    [...catalog.types.values(), ...catalog.interfaces.values()].map((type) => [listTypeName(type), type]),
  );
  const json = schema.getType('JSON');

  function checkList(
    field: FieldNode,
    { type, known, parts }: { type: ContentType; known: KnownValues; parts: readonly FieldNode[] },
  ): DocumentProblem[] {
    if (!isScalarType(json)) return [];
    const argument = (name: string) => known.argument(field, name);
    const setting = { catalog, classes: catalog.concrete(type), json, known };
    const problems = [
      ...checkFilter(field, { type, filters, resolve: known.resolve }),
      ...checkWhere(field, setting),
      ...checkSort(argument('sortBy'), setting),
      ...checkRange('offset', argument('offset'), Infinity),
      ...checkRange('limit', argument('limit'), limits.maxLimit),
      ...checkCursor(field, known),
      ...parts.filter(isFacets).flatMap((part) => checkFacets(known.argument(part, 'paths'), setting)),
    ];
    return problems.map(({ message, ...place }) => ({
      message: `${field.name.value}, ${message}`,
      ...place,
    }));
  }

  return (document, operation) => {
    const known = createKnownValues(operation);
    const fragments = fragmentsOf(document);
    const found: DocumentProblem[] = [];
    const info = new TypeInfo(schema);
    visit(
      { kind: Kind.DOCUMENT, definitions: [operation, ...fragments.values()] },
      visitWithTypeInfo(info, {
        Field(field) {
          const type = isList(info.getFieldDef()) && types.get(getNamedType(info.getType())?.name ?? '');
          if (!type) return;
          const parts = field.selectionSet ? fieldsIn(field.selectionSet, fragments) : [];
          found.push(...checkList(field, { type, known, parts }));
        },
      }),
    );
    return [...new Map(found.map((problem) => [JSON.stringify(problem), problem])).values()];
  };
}

interface PathSetting {
  readonly catalog: Catalog;
  readonly classes: readonly string[];
  readonly known: KnownValues;
}

/** Checks the sort keys that are known. */
function checkSort(value: KnownValue, { catalog, classes, known }: PathSetting): DocumentProblem[] {
  const items = known.items(value);
  if (items === 'unknown') return [];
  const fields = items.flatMap((item) => {
    const key = known.resolve(item);
    if (typeof key === 'string' || key.kind !== Kind.OBJECT) return [];
    const field = known.resolve(key.fields.find(({ name }) => name.value === 'field')?.value);
    return isText(field) ? [field] : [];
  });
  const check = (keys: readonly StringValueNode[]) => {
    const bound = keys.map((field) => ({ field: field.value, descending: false }));
    return problemOf('sortBy', () => bindSort(catalog, classes, bound), keys.at(-1));
  };
  const alone = fields.flatMap((field) => check([field]));
  if (alone.length > 0) return alone;
  // Each key is checked together with those before it, so only the first key too many is reported.
  return fields
    .slice(0, enoughKeys)
    .flatMap((_, index) => check(fields.slice(0, index + 1)))
    .slice(0, 1);
}

/** The message when there are more sort keys than allowed. */
const enoughKeys = 10;

/** Checks the paths of counted fields that are known. */
function checkFacets(value: KnownValue, { catalog, classes, known }: PathSetting): DocumentProblem[] {
  const items = known.items(value);
  if (items === 'unknown') return [];
  const paths = items.map((item) => known.resolve(item)).filter(isText);
  const check = (some: readonly StringValueNode[]) => {
    const names = some.map((path) => path.value);
    return problemOf('facets', () => bindFacets(catalog, classes, names), some.at(-1));
  };
  const alone = paths.flatMap((path) => check([path]));
  return alone.length > 0 ? alone : check(paths);
}

const isText = (value: KnownValue): value is StringValueNode =>
  typeof value !== 'string' && value.kind === Kind.STRING;

/** Checks that a list which always has a cursor never has an offset. */
function checkCursor(field: FieldNode, known: KnownValues): DocumentProblem[] {
  const [cursor, offset] = [known.fixed(field, 'cursor'), known.fixed(field, 'offset')];
  if (!isText(cursor) || typeof offset === 'string') return [];
  return [{ message: 'offset: cannot be combined with "cursor"', ...positionOf(offset) }];
}

function problemOf(
  argument: string,
  check: () => unknown,
  key: StringValueNode | undefined,
): DocumentProblem[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!key || !isDomainError(error, 'invalid_parameter')) throw error;
    return [{ message: `${argument}: ${error.details.reason}`, ...positionInString(key, 1) }];
  }
}

function checkRange(name: string, value: KnownValue, max: number): DocumentProblem[] {
  if (typeof value === 'string' || value.kind !== Kind.INT) return [];
  const number = Number(value.value);
  if (number < 0) return [{ message: `${name}: must not be negative`, ...positionOf(value) }];
  if (number > max) return [{ message: `${name}: must be at most ${max}`, ...positionOf(value) }];
  return [];
}
