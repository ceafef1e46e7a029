/**
 * Makes the types of a source ones that the server takes: those without fields or members are left out, blocks have no field of two
 * types, and what the server refuses besides is simplified until it does not. Each change is a line of the report.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDomainError, type SourceProblem } from '../../../base/errors.ts';
import { type Catalog, fileTypeName, scalarNames } from '../../../model/content-type.ts';
import { loadTypes } from '../../../types/load-types.ts';
import { readSuppliedFiles } from '../../../types/supplied-files.ts';
import type { ObjectType, WrittenType } from '../../reader.ts';
import { SourceError } from '../../source/source.ts';
import { printTypes } from '../print-types.ts';
import type { Report } from '../report.ts';
import {
  asJson,
  editField,
  findField,
  type Renamed,
  renameType,
  separateKinds,
  withoutType,
} from './edit-types.ts';

/** Types that the server takes. */
export interface FittedTypes {
  readonly types: readonly WrittenType[];
  readonly catalog: Catalog;
  readonly renamed: Renamed;
}

/** Fits types. Errors: SourceError, if a content type itself is refused, as for its class name. */
export function fitTypes(given: readonly WrittenType[], report: Report): FittedTypes {
  const { types, renamed: fields } = separateKinds(withoutEmpty(given, report), report);
  const kinds = new Map<string, string>();
  return { ...simplify(types, report, kinds), renamed: { fields, kinds } };
}

/** Simplifies types until the server takes them. New names of types are added to `renamed`. */
export function simplify(
  given: readonly WrittenType[],
  report: Report,
  renamed = new Map<string, string>(),
): { readonly types: readonly WrittenType[]; readonly catalog: Catalog } {
  let types = given;
  // Each round takes something away, so that they end.
  for (;;) {
    const loaded = loadCatalog(types);
    if ('catalog' in loaded) return { types, catalog: loaded.catalog };
    const [problem] = loaded.problems;
    if (!problem) throw new SourceError('has types that the server refuses');
    types = simplifyOne(types, problem, renamed);
    const { type, field, message } = problem;
    report.lose({
      kind: 'type that the server refuses as it is, and that has another name or a simpler form',
      example: `${field === undefined ? type : `${type}.${field}`}: ${message}`,
    });
  }
}

function simplifyOne(
  types: readonly WrittenType[],
  { type, field, message }: TypeProblem,
  renamed: Map<string, string>,
): WrittenType[] {
  const refused = new SourceError(`makes a type that the server refuses: ${message}`);
  if (field !== undefined) {
    const found = findField(types, { type, field });
    if (!found) throw refused;
    const { directives = [], limits = [] } = found;
    if (directives.length > 0 || limits.length > 0)
      return editField(types, { type, field }, (one) => ({ ...one, directives: [], limits: [] }));
    if (found.type === 'JSON' && !found.isList) throw refused;
    return editField(types, { type, field }, asJson);
  }
  const owner = types.find(({ name }) => name === type);
  // Its name may be one that the server makes for another type.
  const name = `${type}Type`;
  if (owner && !type.endsWith('Type') && !types.some((one) => one.name === name)) {
    renamed.set(type, name);
    return renameType(types, type, name);
  }
  if (!owner || (owner.kind === 'object' && owner.class !== undefined)) throw refused;
  return withoutType(types, type);
}

/** The names of the types that come with Colophon. */
const suppliedTypes: ReadonlySet<string> = new Set([...scalarNames, fileTypeName]);

/** Leaves out embedded types without fields, unions without members and enums without values, and makes JSON of the fields of such types. */
function withoutEmpty(given: readonly WrittenType[], report: Report): readonly WrittenType[] {
  let types = given.map(withoutRepeated);
  for (;;) {
    const known = new Set(types.map(({ name }) => name));
    const used = types.filter(isObject).flatMap(({ fields }) => fields.map(({ type }) => type));
    const unknown = used.find((type) => !known.has(type) && !suppliedTypes.has(type));
    const empty = unknown ?? types.find(isEmpty)?.name;
    if (empty === undefined) return types;
    types = withoutType(types, empty);
    if (used.includes(empty))
      report.lose({ kind: 'type without fields or members, whose values are JSON', example: empty });
  }
}

const isObject = (type: WrittenType): type is ObjectType => type.kind === 'object';

function isEmpty(type: WrittenType): boolean {
  switch (type.kind) {
    case 'object':
      return type.class === undefined && type.fields.length === 0;
    case 'union':
      return type.members.length === 0;
    case 'enum':
      return type.values.length === 0;
  }
}

function withoutRepeated(type: WrittenType): WrittenType {
  switch (type.kind) {
    case 'object':
      return type;
    case 'union':
      return { ...type, members: [...new Set(type.members)] };
    case 'enum':
      return { ...type, values: [...new Set(type.values)] };
  }
}

/** The name of the file with the written types. */
const ownFile = 'content.graphql';

/** What a problem of the types is about: a type, or one of its fields. */
interface TypeProblem {
  readonly type: string;
  /** As it is written in SDL. */
  readonly field?: string | undefined;
  readonly message: string;
}

/** The catalog of the types, or why the server refuses them. */
type Loaded = { readonly catalog: Catalog } | { readonly problems: readonly TypeProblem[] };

function loadCatalog(types: readonly WrittenType[]): Loaded {
  const text = printTypes(types);
  try {
    return { catalog: loadTypes([...readSupplied(), { file: ownFile, text }]) };
  } catch (error) {
    if (!isDomainError(error, 'bad_types')) throw error;
    const lines = text.split('\n');
    return { problems: error.details.problems.map((problem) => locate(problem, lines)) };
  }
}

function readSupplied() {
  const [folder = ''] = ['graphql', '../../../../graphql']
    .map((path) => join(import.meta.dirname, path))
    .filter(existsSync);
  return readSuppliedFiles(folder);
}

/** Finds the type and the field at a line; a problem of a field may be at the line of its description. */
function locate({ file, line, message }: SourceProblem, lines: readonly string[]): TypeProblem {
  if (file !== ownFile) return { type: '', message };
  const typeIn = (text: string | undefined) => /^(?:type|union|enum) (\w+)/.exec(text ?? '')?.[1];
  const isWithin = lines[line - 1]?.startsWith('  ') === true;
  const after = lines.slice(line - 1);
  if (!isWithin) return { type: after.map(typeIn).find(Boolean) ?? '', message };
  const type = lines.slice(0, line).map(typeIn).findLast(Boolean) ?? '';
  const field = after.map((text) => /^ {2}(\w+)/.exec(text)?.[1]).find(Boolean);
  return { type, field, message };
}
