/**
 * Reads the variables of a mapped request from its query string and body, by the declarations of the stored operation.
 *
 * Ambiguous input is refused, with the parameter's name as it was sent. Parameters of undeclared variables are ignored.
 */

import { decodeQuery } from '../../base/decode-query.ts';
import { invalidParameter } from '../../base/errors.ts';
import { createBareObject } from '../../base/own-members.ts';
import type { InputMember, InputType, VariableDefinition } from '../../graphql/operation.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { isAnyJson } from '../../model/values/scalars.ts';
import { suggest } from '../../text/suggest.ts';
import { checkJson, parseLiteral } from './check-json.ts';
import { convertText } from './convert-text.ts';
import { isReservedVariableName } from './reserved-names.ts';

/** The sources of a request's variables: its path, its query string, and a form or a JSON body or neither. */
export interface VariableSource {
  /** The decoded values of the parameters of the path, by name; each must be a declared variable of a scalar or enum type. */
  readonly path?: ReadonlyMap<string, string>;
  /** The part of the URL after `?`, not decoded; empty for none. */
  readonly query: string;
  /** A form's text, in the same syntax. */
  readonly form?: string;
  /** A parsed JSON body. */
  readonly body?: JsonObject;
}

/** Reads the variables of one operation. */
export type VariableReader = ReturnType<typeof createVariableReader>;

/** Creates the reader of an operation's variables. */
export function createVariableReader({
  variables,
  disableSlashSyntax,
}: {
  readonly variables: readonly VariableDefinition[];
  readonly disableSlashSyntax: boolean;
}) {
  const declared = new Map(variables.map((variable) => [variable.name, variable]));
  const readable = new Map([...declared].filter(([name]) => !isReservedVariableName(name)));

  function readPairs(text: string, whole: string): Branch {
    const tree = createTree();
    for (const [name, value] of decodeQuery(text, whole)) {
      const plain = readable.get(name);
      if (plain)
        placeValue(tree, [name], { kind: 'value', value: convert(value ?? '', plain.type, name), name });
      else if (hasProto(name)) throw invalidParameter(name, 'must not hold a "__proto__"');
      else if (!disableSlashSyntax && readable.has(rootOf(name))) {
        const steps = parseParameterName(name);
        const type = findParameterType(readable, steps, name);
        if (value === undefined && steps.at(-1) === append)
          placeValue(tree, steps.slice(0, -1), { kind: 'value', value: [], name });
        else placeValue(tree, steps, { kind: 'value', value: convertText(value ?? '', type, name), name });
      }
    }
    return tree;
  }

  function readSegments(path: ReadonlyMap<string, string>): Branch {
    const tree = createTree();
    for (const [name, text] of path) {
      const type = readable.get(name)?.type;
      if (type) placeValue(tree, [name], { kind: 'value', value: convertText(text, type, name), name });
    }
    return tree;
  }

  function convert(text: string, type: InputType, name: string): unknown {
    return disableSlashSyntax
      ? checkJson(parseLiteral(text, name), type, name)
      : convertText(text, type, name);
  }

  function readMembers(body: JsonObject): Branch {
    const tree = createTree();
    for (const [name, member] of Object.entries(body)) {
      const variable = readable.get(name);
      if (name === '__proto__') throw invalidParameter(name, 'must not hold a "__proto__"');
      if (!variable) continue;
      placeValue(tree, [name], { kind: 'value', value: checkJson(member, variable.type, name), name });
    }
    return tree;
  }

  return {
    /** Errors: invalid_parameter. */
    read({ path, query, form, body }: VariableSource): Record<string, unknown> {
      const tree = readPairs(query, 'the query string');
      if (path !== undefined) join(tree, readSegments(path), 'in the path and in the query string');
      const twice = `in the ${path ? 'path or the ' : ''}query string and in the body`;
      if (form !== undefined) join(tree, readPairs(form, 'the form'), twice);
      if (body !== undefined) join(tree, readMembers(body), twice);
      return readTree(tree, declared);
    },
  };
}

/** Adds variables to those of other parts of the request; `places` names both parts. Errors: invalid_parameter. */
function join(tree: Branch, other: Branch, places: string): void {
  for (const [step, node] of other.entries) {
    if (tree.entries.has(step)) throw invalidParameter(node.name, `is given twice, ${places}`);
    tree.entries.set(step, node);
  }
}

/** A finished value, and the name of the parameter that gave it. */
interface Leaf {
  readonly kind: 'value';
  readonly value: unknown;
  readonly name: string;
}

/** An object with entries by member, or a list with entries by index. */
interface Branch {
  readonly kind: 'object' | 'indexed' | 'appended';
  readonly entries: Map<Step, Leaf | Branch>;
  /** The first parameter inside it. */
  readonly name: string;
}

/** Begins a tree. */
function createTree(): Branch {
  return { kind: 'object', entries: new Map(), name: '' };
}

/** Puts a value at the end of a path. Errors: invalid_parameter when there is one already, or one of another shape. */
function placeValue(tree: Branch, steps: readonly Step[], leaf: Leaf): void {
  let branch = tree;
  for (const [index, step] of steps.entries()) {
    const key = step === append ? branch.entries.size : step;
    const next = steps[index + 1];
    const node: Leaf | Branch =
      next === undefined ? leaf : { kind: kindOf(next), entries: new Map(), name: leaf.name };
    const there = branch.entries.get(key) ?? node;
    if (there.kind !== node.kind) {
      throw invalidParameter(leaf.name, 'gives a value another shape than an earlier parameter');
    }
    if (there.kind === 'value' && there !== node) throw invalidParameter(leaf.name, 'is given twice');
    if (branch.entries.size >= maxListElements && step === append) {
      throw invalidParameter(leaf.name, `has more than ${maxListElements} elements`);
    }
    branch.entries.set(key, there);
    if (there.kind !== 'value') branch = there;
  }
}

function kindOf(next: Step): Branch['kind'] {
  if (next === append) return 'appended';
  return typeof next === 'number' ? 'indexed' : 'object';
}

/** Reads the values of a tree. Errors: invalid_parameter, with the names of all required values that are missing. */
function readTree(tree: Branch, members: Members): Record<string, unknown> {
  const missing: string[] = [];
  const values = readObject(tree, { members, prefix: '', missing });
  const [first, ...others] = missing;
  if (first === undefined) return values;
  throw invalidParameter(first, `is required${alsoRequired(others)}`);
}

function alsoRequired(others: readonly string[]): string {
  if (others.length === 0) return '';
  const names = new Intl.ListFormat('en').format(others.map((name) => JSON.stringify(name)));
  return `, and so ${others.length === 1 ? 'is' : 'are'} ${names}`;
}

interface Reading {
  readonly members: Members;
  /** Precedes the names of missing members. */
  readonly prefix: string;
  readonly missing: string[];
}

function readObject({ entries }: Branch, { members, prefix, missing }: Reading): Record<string, unknown> {
  const values = createBareObject();
  for (const [step, node] of entries) {
    const type = members.get(String(step))?.type ?? anyJson;
    values[step] = readNode(node, type, { path: prefix + step, missing });
  }
  for (const [name, { required }] of members) {
    if (required && !entries.has(name)) missing.push(prefix + name);
  }
  return values;
}

function readNode(
  node: Leaf | Branch,
  type: InputType,
  { path, missing }: { readonly path: string; readonly missing: string[] },
): unknown {
  if (node.kind === 'value') return node.value;
  if (node.kind === 'object') {
    // A single value given for a list is its only element.
    if (type.kind === 'list') return [readNode(node, type.of, { path, missing })];
    const members = type.kind === 'object' ? type.members : noMembers;
    return readObject(node, { members, prefix: `${path}/`, missing });
  }
  const elementType = type.kind === 'list' ? type.of : type;
  return elementsOf(node).map((element, index) =>
    readNode(element, elementType, { path: `${path}[${index}]`, missing }),
  );
}

const anyJson: InputType = { kind: 'scalar', name: 'JSON', nullable: true };
const noMembers: Members = new Map();

/** Lists the elements of a list by index. */
function elementsOf({ entries }: Branch): (Leaf | Branch)[] {
  const sorted = [...entries].sort(([a], [b]) => Number(a) - Number(b));
  return sorted.map(([step, element], index) => {
    if (step === index) return element;
    throw invalidParameter(element.name, 'leaves out an index: they count from 0 without gaps');
  });
}

// Parses names of parameters in slash syntax: `filter/tags[]`, `items[0]/name`.
//
// A name is a sequence of segments joined by `/`. A segment is a member's name, followed by any indexes such as `[0]`; `[]` at the
// end of the name appends to a list, and without a value is the empty list.

/** The step that appends to a list; no member can have this name. */
const append = '[]';

/** One step into a value: a member's name, an index, or `append`. */
type Step = string | number;

/** Returns the name of the variable that a parameter belongs to. */
function rootOf(name: string): string {
  const end = name.search(/[/[]/);
  return end < 0 ? name : name.slice(0, end);
}

/** Tests whether one part of a name is `__proto__`. */
function hasProto(name: string): boolean {
  return name.includes('__proto__') && name.split(/[/[\]]/).includes('__proto__');
}

/** Splits a name into steps. Errors: invalid_parameter, with the whole name. */
function parseParameterName(name: string): Step[] {
  // Each step begins the name or has one of these before it.
  if (name.split(/[/[]/, maxVariableDepth + 1).length > maxVariableDepth) {
    throw invalidParameter(name, `is nested deeper than ${maxVariableDepth} levels`);
  }
  if (!wellFormed.test(name)) {
    throw invalidParameter(
      name,
      'must be names joined by "/", with indexes such as [0] behind them or [] at the end',
    );
  }
  const steps = (name.match(stepPattern) ?? []).map(toStep);
  if (steps.some((step) => typeof step === 'number' && step >= maxListElements)) {
    throw invalidParameter(name, `has an index above ${maxListElements - 1}`);
  }
  return steps;
}

const segment = String.raw`[^/[\]]+(\[(0|[1-9][0-9]*)\])*`;
const wellFormed = new RegExp(String.raw`^${segment}(/${segment})*(\[\])?$`);
const stepPattern = /\[[0-9]*\]|[^/[\]]+/g;

function toStep(part: string): Step {
  return part.startsWith('[') && part !== append ? Number(part.slice(1, -1)) : part;
}

/** The variables of an operation, as members of one object. */
type Members = ReadonlyMap<string, InputMember>;

/** Finds the type at the end of a path. Errors: invalid_parameter. */
function findParameterType(members: Members, steps: readonly Step[], parameter: string): InputType {
  let type: InputType = { kind: 'object', name: 'variables', members, nullable: false };
  for (const step of steps) type = stepInto(type, step, parameter);
  return type;
}

function stepInto(type: InputType, step: Step, parameter: string): InputType {
  // The parts of a JSON value are JSON values.
  if (type.kind === 'scalar' && isAnyJson(type.name)) return type;
  if (typeof step === 'number' || step === append) {
    if (type.kind === 'list') return type.of;
    throw invalidParameter(parameter, `treats a ${nameOf(type)} as a list`);
  }
  if (type.kind === 'list') return stepInto(type.of, step, parameter);
  if (type.kind !== 'object') throw invalidParameter(parameter, `treats a ${type.name} as an object`);
  const member = type.members.get(step);
  if (!member)
    throw invalidParameter(
      parameter,
      `names no member of ${type.name}${suggest([step], type.members.keys())}`,
    );
  return member.type;
}

function nameOf(type: InputType): string {
  return type.kind === 'list' ? nameOf(type.of) : type.name;
}

/** The deepest nesting of names and indexes in the name of a parameter, the variable's own name included. JSON has `maxJsonDepth`. */
export const maxVariableDepth = 8;

/** The most elements of a list that is written element by element. */
const maxListElements = 1000;
