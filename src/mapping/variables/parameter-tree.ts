/**
 * Builds the variables of one request from its parameters: a tree that grows by one parameter at a time and is then read.
 */

import { invalidParameter } from '../../base/errors.ts';
import { createBareObject } from '../../base/own-members.ts';
import type { InputType } from '../../graphql/operation.ts';
import { maxListElements } from './limits.ts';
import { append, type Step } from './parameter-name.ts';
import type { Members } from './parameter-type.ts';

/** A finished value, and the name of the parameter that gave it. */
export interface Leaf {
  readonly kind: 'value';
  readonly value: unknown;
  readonly name: string;
}

/** An object with entries by member, or a list with entries by index. */
export interface Branch {
  readonly kind: 'object' | 'indexed' | 'appended';
  readonly entries: Map<Step, Leaf | Branch>;
  /** The first parameter inside it. */
  readonly name: string;
}

/** Begins a tree. */
export function createTree(): Branch {
  return { kind: 'object', entries: new Map(), name: '' };
}

/** Puts a value at the end of a path. Errors: invalid_parameter when there is one already, or one of another shape. */
export function placeValue(tree: Branch, steps: readonly Step[], leaf: Leaf): void {
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
export function readTree(tree: Branch, members: Members): Record<string, unknown> {
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
