/**
 * The OpenAPI parameters of a mapped route in its path and its query string.
 *
 * In slash syntax every scalar or enum is its own parameter, `filter/name`, and a list is its name with `[]`, repeated; without `=`
 * it is the empty list, which OpenAPI can say in words only. The syntax
 * allows any nesting, but a document must end: a type inside itself is left out, and a list of objects has one element, for which a
 * single object can stand.
 */
import { describeUse } from '../../documents/schema-members.ts';
import type { InputMember, InputType, VariableDefinition } from '../../graphql/operation.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { isAnyJson } from '../../model/values/scalars.ts';
import { maxVariableDepth } from '../variables/variables.ts';
import type { InputSchemas } from './json-schema.ts';

/** Describes the parameters of an operation. */
export function documentParameters({
  variables,
  disableSlashSyntax,
  schemas,
}: {
  readonly variables: readonly VariableDefinition[];
  readonly disableSlashSyntax: boolean;
  readonly schemas: InputSchemas;
}): JsonObject[] {
  if (disableSlashSyntax) return variables.map((variable) => literalParameter(variable, schemas));
  return variables
    .flatMap((variable) =>
      leavesOf({ path: [variable.name], indexed: [variable.name], within: [], member: variable }),
    )
    .filter(({ depth }) => depth <= maxVariableDepth)
    .map((leaf) => leafParameter(leaf, schemas));
}

/** Describes a variable that is a parameter of the path: a text, whatever the syntax of the query string is. */
export function pathParameter(
  { name, type, description, deprecated }: VariableDefinition,
  schemas: InputSchemas,
): JsonObject {
  const schema = schemas.of({ ...type, nullable: false });
  return { name, in: 'path', required: true, ...describeUse(description, deprecated), schema };
}

function literalParameter(
  { name, type, required, description, ...member }: VariableDefinition,
  schemas: InputSchemas,
): JsonObject {
  return {
    name,
    in: 'query',
    required,
    description: [description, 'A JSON literal.'].filter(Boolean).join('\n\n'),
    content: { 'application/json': { schema: { ...schemas.of(type), ...defaultOf(member) } } },
  };
}

/** A value inside a variable, and the objects that contain it, by the names of their types. */
interface NestedValue {
  readonly path: readonly string[];
  /** The path with the index of the first element after each list of objects. */
  readonly indexed: readonly string[];
  readonly within: readonly string[];
  readonly member: InputMember;
}

/** A parameter: a scalar or enum inside a variable, or a list of such. */
interface Leaf {
  readonly name: string;
  readonly depth: number;
  readonly type: InputType & { kind: 'scalar' | 'enum' };
  readonly list: boolean;
  readonly required: boolean;
  readonly description: string;
  readonly deprecated: string | undefined;
  /** A default of `null` is none: a text cannot express it. */
  readonly default?: Json;
}

function leavesOf({ path, indexed, within, member }: NestedValue): Leaf[] {
  const list = member.type.kind === 'list';
  const type = elementOf(member.type);
  if (type.kind !== 'object') return [toLeaf({ path, indexed, within, member }, type)];
  if (within.includes(type.name)) return [];
  return [...type.members].flatMap(([name, inner]) =>
    leavesOf({
      path: [...path, name],
      indexed: [...indexed.slice(0, -1), `${indexed.at(-1)}${list ? '[0]' : ''}`, name],
      within: [...within, type.name],
      member: { ...inner, required: inner.required && member.required },
    }),
  );
}

function toLeaf({ path, indexed, member }: NestedValue, type: Leaf['type']): Leaf {
  const list = member.type.kind === 'list';
  const suffix = list ? '[]' : '';
  const name = path.join('/') + suffix;
  const indexedName = indexed.join('/') + suffix;
  const note = indexedName === name ? '' : `Of the only element; with several, \`${indexedName}\` and so on.`;
  const emptyNote = list ? `\`${name}\` without \`=\` is the empty list.` : '';
  const description = [member.description ?? '', note, emptyNote].filter((part) => part !== '').join('\n\n');
  return {
    name,
    depth: path.length + Number(list),
    type,
    list,
    required: member.required,
    description,
    deprecated: member.deprecated,
    ...defaultOf(member),
  };
}

/** Returns the innermost element type of a list; a single value can stand for a list of one. */
function elementOf(type: InputType): Exclude<InputType, { kind: 'list' }> {
  return type.kind === 'list' ? elementOf(type.of) : type;
}

const defaultOf = ({ default: value }: Pick<InputMember, 'default'>) =>
  value === undefined || value === null ? {} : { default: value };

function leafParameter(
  { name, type, list, required, description, deprecated, ...member }: Leaf,
  schemas: InputSchemas,
): JsonObject {
  // A text cannot express null, and is itself a value where any JSON is allowed.
  const isJson = type.kind === 'scalar' && isAnyJson(type.name);
  const value = isJson ? { type: 'string' } : schemas.of({ ...type, nullable: false });
  return {
    name,
    in: 'query',
    required,
    ...describeUse(description || undefined, deprecated),
    ...(list
      ? { style: 'form', explode: true, schema: { type: 'array', items: value, ...defaultOf(member) } }
      : { schema: { ...value, ...defaultOf(member) } }),
  };
}
