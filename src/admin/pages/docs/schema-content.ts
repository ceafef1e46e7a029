/**
 * What is inside values of a JSON Schema: the fields of objects and the alternatives, with references followed one step at a time.
 */
import { type Json, resolve, toJson, toList } from './read-document.ts';
import { choicesOf, describeType, partsOf, refName } from './schema-words.ts';

/** A field of an object. */
export interface SchemaField {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Json;
}

/** What is inside a value. */
export interface SchemaContent {
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
