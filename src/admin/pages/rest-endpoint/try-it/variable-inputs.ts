/**
 * The inputs for the variables of an operation, made from their JSON Schema, and the values of what is typed into them.
 */

/** What one variable is typed into. */
export interface VariableInput {
  readonly name: string;
  readonly isRequired: boolean;
  /** `any` may be anything; `json` is a list or an object. */
  readonly kind: 'text' | 'whole' | 'number' | 'boolean' | 'choice' | 'any' | 'json';
  /** What there is to choose from. */
  readonly choices: readonly string[];
  readonly description: string | undefined;
}

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The values that were typed, by name, and the errors of those that cannot be read. */
export interface TypedVariables {
  readonly values: Readonly<Record<string, Json>>;
  readonly problems: Readonly<Record<string, string>>;
}

/** The part of JSON Schema that the variables of operations are described with. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The inputs for an object of variables. */
export function toInputs(variables: Record<string, unknown>): VariableInput[] {
  const { properties = {}, required = [] }: Schema = variables;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    isRequired: required.includes(name),
    kind: kindOf(schema),
    choices: (schema.enum ?? []).filter((choice) => choice !== null),
    description: schema.description,
  }));
}

function kindOf({ type, enum: choices, anyOf, $ref }: Schema): VariableInput['kind'] {
  if (choices) return 'choice';
  if (anyOf || $ref) return 'json';
  switch (typeof type === 'object' ? type.find((one) => one !== 'null') : type) {
    case 'string':
      return 'text';
    case 'integer':
      return 'whole';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
    case 'object':
      return 'json';
    default:
      return 'any';
  }
}

/**
 * Reads what was typed. What is left empty is not given, unless it is a text that is required.
 *
 * Where `anyAsText`, a variable that may be anything is the text as it is typed; elsewhere it is a JSON literal.
 */
export function readInputs(
  inputs: readonly VariableInput[],
  typed: Readonly<Record<string, string>>,
  { anyAsText }: { anyAsText: boolean },
): TypedVariables {
  const values: Record<string, Json> = {};
  const problems: Record<string, string> = {};
  for (const { name, kind, isRequired } of inputs) {
    const text = typed[name] ?? '';
    if (text === '') {
      if (isRequired && kind === 'text') values[name] = '';
      else if (isRequired) problems[name] = 'Required';
      continue;
    }
    const value = readText(text, kind === 'any' && anyAsText ? 'text' : kind);
    if (value === undefined) problems[name] = expectations[kind] ?? 'Not readable';
    else values[name] = value;
  }
  return { values, problems };
}

/** Returns the text that a value is typed as; '' for no value. */
export function toText(
  value: unknown,
  { kind }: VariableInput,
  { anyAsText }: { anyAsText: boolean },
): string {
  if (value === undefined || value === null) return '';
  const isText = kind === 'text' || kind === 'choice' || (kind === 'any' && anyAsText);
  return isText && typeof value === 'string' ? value : JSON.stringify(value);
}

function readText(text: string, kind: VariableInput['kind']): Json | undefined {
  if (kind === 'text' || kind === 'choice') return text;
  const value = parseJson(text);
  const isRight =
    kind === 'any' ||
    (kind === 'json' && typeof value === 'object') ||
    (kind === 'boolean' && typeof value === 'boolean') ||
    (kind === 'number' && typeof value === 'number') ||
    (kind === 'whole' && Number.isInteger(value));
  return isRight ? value : undefined;
}

const expectations: Partial<Record<VariableInput['kind'], string>> = {
  whole: 'Not a whole number',
  number: 'Not a number',
  any: 'Not a JSON literal: put texts in double quotes',
  json: 'Not a JSON list or object',
};

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
