/**
 * Checks the arguments of an operation's lists beyond the types that GraphQL knows: filters, predicates with their values, sort
 * keys, offsets, limits, and the paths of fields whose values are counted, as far as the document itself gives them.
 *
 * A stored operation must pass these checks. In a request to a GraphQL endpoint, the list refuses wrong arguments when it runs.
 */

import {
  type DocumentNode,
  type FieldNode,
  type GraphQLScalarType,
  type GraphQLSchema,
  getLocation,
  getNamedType,
  isScalarType,
  Kind,
  type OperationDefinitionNode,
  type SourceLocation,
  type StringValueNode,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { isDomainError, locateError } from '../../base/errors.ts';
import { count } from '../../base/problems.ts';
import type { Catalog, ContentType } from '../../model/content-type.ts';
import { type CheckedPredicate, checkPredicate } from '../../query/check.ts';
import { bindFacets } from '../../query/facets.ts';
import { parsePredicate } from '../../query/parse.ts';
import { bindPredicate, checkValue } from '../../query/prepare.ts';
import { bindSort } from '../../query/sort.ts';
import type { GraphqlEndpointDefinition } from '../endpoints/graphql-endpoint.ts';
import type { FilterReader } from '../filters/read-filter.ts';
import type { DocumentProblem } from '../operation.ts';
import { fragmentsOf, positionOf } from '../operations/read-document.ts';
import { fieldsIn, isFacets, isList } from '../operations/root-fields.ts';
import { listTypeName } from '../schema/root-names.ts';
import { checkFilter, createKnownValues, type KnownValue, type KnownValues } from './check-filter.ts';

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

/** The context of a check: the assets that the predicate filters, and a reader of literals. */
interface WhereSetting {
  readonly catalog: Catalog;
  readonly classes: readonly string[];
  readonly json: GraphQLScalarType;
  readonly known: KnownValues;
}

/**
 * Finds all problems of the predicate of a list. The default of a variable is checked as text only: a request can send another
 * predicate, so the number of its values cannot be checked here.
 */
function checkWhere(field: FieldNode, setting: WhereSetting): DocumentProblem[] {
  const { catalog, classes, known } = setting;
  const where = known.argument(field, 'where');
  const values = known.fixed(field, 'values');
  const items = known.items(values);
  if (where === 'unknown') return [];
  const isFixed = known.fixed(field, 'where') !== 'unknown' && items !== 'unknown';
  if (where === 'absent') return isFixed ? checkUnused(items) : [];
  if (where.kind !== Kind.STRING) return [];
  let checked: CheckedPredicate;
  try {
    checked = checkPredicate({ catalog, root: classes, predicate: parsePredicate(where.value) });
  } catch (error) {
    return [{ message: `where: ${reasonOf(error)}`, ...positionInString(where, columnOf(error)) }];
  }
  return isFixed ? checkItems(checked, { where, values, items }, setting) : [];
}

function checkUnused([first]: readonly ValueNode[]): DocumentProblem[] {
  return first ? [{ message: 'values: needs a predicate in "where" to fill', ...positionOf(first) }] : [];
}

function checkItems(
  checked: CheckedPredicate,
  { where, values, items }: { where: ValueNode; values: KnownValue; items: readonly ValueNode[] },
  { json }: WhereSetting,
): DocumentProblem[] {
  const at = positionOf(typeof values === 'string' ? where : values);
  if (items.length !== checked.placeholders) {
    const placeholders = count(checked.placeholders, 'placeholder');
    const message = `values: the predicate has ${placeholders}, and there ${isOrAre(items.length)}`;
    return [{ message, ...at }];
  }
  const given = items.map((item) => readLiteral(item, json));
  const problems = items.flatMap((item, index) => {
    const value = given[index];
    return value ? problemOfPredicate(() => checkValue(checked, index, value.json), positionOf(item)) : [];
  });
  if (problems.length > 0 || given.includes(undefined)) return problems;
  return problemOfPredicate(
    () =>
      bindPredicate(
        checked,
        given.map((value) => value?.json),
      ),
    at,
  );
}

const isOrAre = (length: number) => `${length === 1 ? 'is' : 'are'} ${count(length, 'value')}`;

/** Reads a literal; returns nothing when it contains a variable or GraphQL refuses it. */
function readLiteral(value: ValueNode, json: GraphQLScalarType): { json: unknown } | undefined {
  if (hasVariable(value)) return undefined;
  try {
    return { json: json.parseLiteral(value, undefined) };
  } catch {
    return undefined;
  }
}

function hasVariable(value: ValueNode): boolean {
  let found = false;
  visit(value, {
    Variable() {
      found = true;
    },
  });
  return found;
}

function problemOfPredicate(
  check: () => unknown,
  place: { line: number; column: number },
): DocumentProblem[] {
  try {
    check();
    return [];
  } catch (error) {
    return [{ message: `values: ${reasonOf(error)}`, ...place }];
  }
}

/** Returns the message of an expected error, without the column in the predicate. Rethrows any other error. */
function reasonOf(error: unknown): string {
  if (!isDomainError(error)) throw error;
  return error.message.replace(/^Column \d+: /, '');
}

function columnOf(error: unknown): number {
  const { column = 1 } = isDomainError(error) ? locateError(error) : {};
  return column;
}

/** Finds the position of a character of a string's value. `column` counts its characters from 1; one more means the end. */
export function positionInString(node: StringValueNode, column: number): SourceLocation {
  const { loc, value } = node;
  if (!loc) return { line: 1, column: 1 };
  const raw = loc.source.body.slice(loc.start, loc.end);
  const offsets = node.block ? blockOffsets(raw) : quotedOffsets(raw);
  let unit = 0;
  for (let left = column - 1; left > 0 && unit < value.length; left--) {
    unit += (value.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  }
  return getLocation(loc.source, loc.start + (offsets[unit] ?? 0));
}

const character = /\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|.)|./gs;

/** Lists the offset in the literal of each code unit of the value, and of its end. */
function quotedOffsets(raw: string): number[] {
  const end = raw.length - 1;
  const offsets: number[] = [];
  for (const { 0: written, index } of raw.slice(1, end).matchAll(character)) {
    offsets.push(index + 1);
    if (isPair(written)) offsets.push(index + 1);
  }
  return [...offsets, end];
}

/** Tests whether an escape such as `\u{1F600}` gives two code units. */
function isPair(written: string): boolean {
  return written.startsWith('\\u{') && Number.parseInt(written.slice(3, -1), 16) > 0xffff;
}

interface Line {
  readonly text: string;
  /** The offsets in the literal of each code unit of the text, and of the end of the line. */
  readonly offsets: readonly number[];
}

/** The same for a block string: GraphQL removes the common indentation, and blank lines at both ends. */
function blockOffsets(raw: string): number[] {
  const lines = readLines(raw);
  const isFilled = ({ text }: Line) => indentOf(text) < text.length;
  const indents = lines
    .slice(1)
    .filter(isFilled)
    .map(({ text }) => indentOf(text));
  const common = Math.min(...indents, raw.length);
  const kept = lines.slice(lines.findIndex(isFilled), lines.findLastIndex(isFilled) + 1);
  return kept.flatMap((line) => (line === lines[0] ? line.offsets : dropFirst(line, common)));
}

function readLines(raw: string): Line[] {
  const lines: Line[] = [];
  let [text, offsets]: [string, number[]] = ['', []];
  const content = raw.slice(0, -3);
  for (const { 0: written, index } of content.matchAll(/\\"""|\r\n|./gs)) {
    if (index < 3) continue;
    if (/^[\r\n]/.test(written)) {
      lines.push({ text, offsets: [...offsets, index] });
      [text, offsets] = ['', []];
    } else {
      const units = written.replace('\\"""', '"""');
      for (let unit = 0; unit < units.length; unit++)
        offsets.push(index + (units === written ? 0 : unit + 1));
      text += units;
    }
  }
  return [...lines, { text, offsets: [...offsets, content.length] }];
}

/** Removes the first code units of a line; its end stays. */
function dropFirst({ offsets }: Line, count: number): readonly number[] {
  return offsets.slice(Math.min(count, offsets.length - 1));
}

const indentOf = (text: string) => /^[ \t]*/.exec(text)?.[0].length ?? 0;
