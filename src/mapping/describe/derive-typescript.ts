/**
 * Writes the TypeScript declarations of one operation: its variables, its data, and its input objects.
 */
import type {
  InputMember,
  InputType,
  OutputMember,
  OutputShape,
  OutputType,
  PreparedOperation,
} from '../../graphql/operation.ts';
import type { Json } from '../../model/content-type.ts';
import { scalars } from '../../model/values/scalars.ts';
import type { DataPlace } from '../routes/data-place.ts';
import { toPascalCase } from './identifier.ts';

/** An operation to declare types for; `data` is the shape of its data, `result` the place of the whole response, if it has one. */
export interface DeclaredOperation extends Pick<PreparedOperation, 'kind' | 'variables'> {
  readonly name: string;
  readonly data: OutputShape;
  readonly result?: DataPlace | undefined;
}

/** Writes a module of types: for an operation `byId`, `ByIdVariables`, `ByIdData`, with a place `ByIdResult`, and one for each input object. */
export function toTypeScript({ name, kind, variables, data, result }: DeclaredOperation): string {
  const base = toPascalCase(name, 'Operation');
  const inputs = new Map<string, Members<InputMember>>();
  const declareInput = (inputName: string, members: Members<InputMember>, description?: string) =>
    declare(
      inputName,
      [...members].map(([key, { type, required, ...member }]) => ({
        ...member,
        name: key,
        type: inputTypeText(type, inputs),
        optional: !required,
      })),
      description,
    );
  const declarations = [
    declareInput(
      `${base}Variables`,
      new Map(variables.map((variable) => [variable.name, variable])),
      `What the ${kind} \`${name}\` takes.`,
    ),
    declare(`${base}Data`, membersOf(data), `What the ${kind} \`${name}\` answers with.`),
    ...(result
      ? [`/** What the route answers with. */\nexport type ${base}Result = ${placeText(result)};\n`]
      : []),
  ];
  // The iteration also visits entries added meanwhile: input objects that others contain.
  for (const [inputName, members] of inputs) declarations.push(declareInput(inputName, members));
  return declarations.join('\n');
}

type Members<Member> = ReadonlyMap<string, Member>;

/** A member of an interface, with its type as text. */
interface WrittenMember {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
  readonly description?: string;
  readonly deprecated?: string;
  readonly default?: Json;
}

function declare(name: string, members: readonly WrittenMember[], description?: string): string {
  const head = comment(description);
  return members.length === 0
    ? `${head}export type ${name} = ${emptyObject};\n`
    : `${head}export interface ${name} ${block(members)}\n`;
}

/** The type of `{}`: in TypeScript an interface without members would accept any value. */
const emptyObject = 'Record<string, never>';

function block(members: readonly WrittenMember[]): string {
  const lines = members.map(
    ({ name, type, optional, description, ...tags }) =>
      `${comment(description, tags)}${name}${optional ? '?' : ''}: ${type};`,
  );
  return `{\n${lines.join('\n').replace(/^(?=.)/gm, '  ')}\n}`;
}

function comment(
  description: string | undefined,
  { deprecated, default: value }: Pick<WrittenMember, 'deprecated' | 'default'> = {},
): string {
  const tags = [
    ...(value === undefined ? [] : [`@default ${JSON.stringify(value)}`]),
    ...(deprecated === undefined ? [] : [`@deprecated ${deprecated}`]),
  ].join('\n');
  const text = [description ?? '', tags].filter((part) => part !== '').join('\n\n');
  if (text === '') return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

function inputTypeText(type: InputType, inputs: Map<string, Members<InputMember>>): string {
  switch (type.kind) {
    case 'scalar':
      return orNull(scalars[type.name].typescript, type);
    case 'enum':
      return orNull(literals(type.values), type);
    case 'list':
      return orNull(`Array<${inputTypeText(type.of, inputs)}>`, type);
    case 'object':
      inputs.set(type.name, type.members);
      return orNull(type.name, type);
  }
}

function outputTypeText(type: OutputType): string {
  switch (type.kind) {
    case 'scalar':
      return orNull(scalars[type.name].typescript, type);
    case 'enum':
    case 'typename':
      return orNull(literals(type.values), type);
    case 'list':
      return orNull(`Array<${outputTypeText(type.of)}>`, type);
    case 'object':
      return orNull(type.shapes.map(shapeText).join(' | ') || 'never', type);
  }
}

function placeText({ types, nullable }: DataPlace): string {
  const texts = new Set(types.map((type) => outputTypeText({ ...type, nullable: false })));
  return orNull([...texts].join(' | '), { nullable });
}

function shapeText(shape: OutputShape): string {
  return shape.size === 0 ? emptyObject : block(membersOf(shape));
}

function membersOf(shape: Members<OutputMember>): WrittenMember[] {
  return [...shape].map(([name, { type, ...member }]) => ({ ...member, name, type: outputTypeText(type) }));
}

function orNull(text: string, { nullable }: { readonly nullable: boolean }): string {
  return nullable && text !== 'unknown' ? `${text} | null` : text;
}

function literals(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(' | ');
}
