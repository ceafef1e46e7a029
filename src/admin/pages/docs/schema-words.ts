/**
 * Words for a JSON Schema: the name of its type, and what its values are held to.
 */
import { type Json, resolve, toJson, toList, toText } from './read-document.ts';

/** The type of a schema in a few words, such as `list of Article` or `text or null`. */
export function describeType(schema: Json): string {
  const name = refName(schema);
  if (name !== undefined) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = choicesOf(schema);
  if (choices.length > 0) return joinWords(choices.map(describeType));
  const [first] = partsOf(schema);
  if (first) return describeType(first);
  const types = typesOf(schema);
  if (types.length === 0) return schema.properties === undefined ? 'any value' : 'object';
  return joinWords(types.map((type) => (type === 'array' ? listType(schema) : toTypeWord(type, schema))));
}

/** What values of the schema are held to, such as `1 to 64 characters`. */
export function describeRules(schema: Json): string[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, pattern, uniqueItems } = schema;
  return [
    ...rangeWords(minLength, maxLength, 'characters'),
    ...rangeWords(minimum, maximum, ''),
    ...rangeWords(minItems, maxItems, 'items'),
    ...(uniqueItems === true ? ['no item twice'] : []),
    ...(pattern === undefined ? [] : [`matches ${toText(pattern)}`]),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
}

/** The values that a schema allows, if it lists them. */
export const enumOf = (schema: Json): readonly unknown[] =>
  toList(schema.enum).length > 0 ? toList(schema.enum) : toList(toJson(schema.items).enum);

/** The alternatives of a schema. */
const choicesOf = (schema: Json): Json[] => [...toList(schema.oneOf), ...toList(schema.anyOf)].map(toJson);

/** The schemas that all apply together. */
const partsOf = (schema: Json): Json[] => toList(schema.allOf).map(toJson);

/** The name of the schema that a reference points to. */
function refName({ $ref }: Json): string | undefined {
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
}

const typesOf = ({ type }: Json): string[] =>
  Array.isArray(type) ? type.map(String) : type ? [String(type)] : [];

const listType = (schema: Json) =>
  schema.items === undefined ? 'list' : `list of ${describeType(toJson(schema.items))}`;

const typeWords: Readonly<Record<string, string>> = { string: 'text', boolean: 'true or false' };

function toTypeWord(type: string, { format }: Json): string {
  const word = typeWords[type] ?? type;
  return typeof format === 'string' && type !== 'null' ? `${word} (${format})` : word;
}

function joinWords(words: readonly string[]): string {
  const all = [...new Set(words)];
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}

function rangeWords(least: unknown, most: unknown, noun: string): string[] {
  const words = (text: string) => [`${text} ${noun}`.trim()];
  if (typeof least === 'number' && typeof most === 'number') return words(`${least} to ${most}`);
  if (typeof least === 'number') return words(`at least ${least}`);
  return typeof most === 'number' ? words(`at most ${most}`) : [];
}

/** A field of an object. */
export interface SchemaField {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Json;
}

/** What is inside a value. */
interface SchemaContent {
  readonly fields: readonly SchemaField[];
  readonly choices: readonly { readonly name: string; readonly schema: Json }[];
}

/** Finds what is inside values of a schema; of a list, what is inside its items. */
export function findContent(document: Json, schema: Json): SchemaContent {
  const found = resolve(document, schema);
  if (found.items !== undefined) return findContent(document, toJson(found.items));
  const parts = partsOf(found).map((part) => findContent(document, part));
  const required = toList(found.required);
  const fields = Object.entries(toJson(found.properties)).map(([name, property]) => ({
    name,
    isRequired: required.includes(name),
    schema: toJson(property),
  }));
  const others = toJson(found.additionalProperties);
  const any = Object.keys(others).length > 0 ? [{ name: '*', isRequired: false, schema: others }] : [];
  // Null and plain values have nothing inside.
  const choices = choicesOf(found)
    .filter((choice) => refName(choice) !== undefined || choice.properties !== undefined)
    .map((choice) => ({ name: describeType(choice), schema: choice }));
  const all = [...fields, ...any, ...parts.flatMap((part) => part.fields)];
  const [only] = choices;
  if (only && choices.length === 1 && all.length === 0) return findContent(document, only.schema);
  return {
    fields: [...new Map(all.map((field) => [field.name, field])).values()],
    choices: [...choices, ...parts.flatMap((part) => part.choices)],
  };
}

/** Whether there is something to show inside. */
export const hasContent = ({ fields, choices }: SchemaContent): boolean =>
  fields.length > 0 || choices.length > 0;
