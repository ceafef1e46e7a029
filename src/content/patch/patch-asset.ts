/**
 * Changes of an asset that are stated as a patch: JSON Merge Patch (RFC 7396) or JSON Patch (RFC 6902), applied to the asset as it is
 * read. What it changes is written as an update of those fields.
 */

import { isDeepStrictEqual } from 'node:util';
import { invalidBody, type Problem, testFailed } from '../../base/errors.ts';
import { memberOf, setMember } from '../../base/own-members.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { maxJsonDepth, parseBodyText, scanJson } from '../../model/values/parse-json.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';

/** Returns the fields that a patch changes in an asset, with `null` for those that it removes. Errors: invalid_body, test_failed. */
export type PatchAsset = (asset: JsonObject) => JsonObject;

/** Reads a patch of either kind: a list is a JSON Patch. `at` is its path for errors: invalid_body. */
export function readPatch(document: Json | undefined, at = ''): PatchAsset {
  if (Array.isArray(document)) return readJsonPatch(document, at);
  if (isJsonObject(document)) return readMergePatch(document);
  throw invalidBody([{ path: at, message: 'must be an object or a list of operations' }]);
}

/** Reads a merge patch. Errors: invalid_body. */
export function readMergePatch(document: Json): PatchAsset {
  if (!isJsonObject(document)) throw invalidBody([{ path: '', message: 'must be an object' }]);
  return (asset) => changedFields(asset, mergePatch(asset, document));
}

/** Reads a JSON Patch. Errors: invalid_body. */
export function readJsonPatch(document: Json, at?: string): PatchAsset {
  const patch = readOperations(document, at);
  return (asset) => changedFields(asset, applyJsonPatch(asset, patch));
}

function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const merged = isJsonObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else setMember(merged, name, mergePatch(memberOf(merged, name), value));
  }
  return merged;
}

/** Compares the top-level fields. Those that differ have to be within the limits of a body. Errors: invalid_body, too_many_values. */
function changedFields(asset: JsonObject, patched: Json): JsonObject {
  if (!isJsonObject(patched)) throw invalidBody([{ path: '', message: 'must leave an object' }]);
  const changes: JsonObject = {};
  for (const name of Object.keys(asset)) if (!Object.hasOwn(patched, name)) changes[name] = null;
  for (const [name, value] of Object.entries(patched)) {
    if (!isDeepStrictEqual(memberOf(asset, name), value)) setMember(changes, name, value);
  }
  return parseBodyText(JSON.stringify(changes));
}

// JSON Patch (RFC 6902): a list of operations on a JSON value, each of which names its place by a JSON Pointer (RFC 6901).
//
// A pointer reaches the members that an object itself has, and the items of lists, and nothing else. What operations copy and move is
// bounded, because a few of them could otherwise double a value again and again, and every value that is put in is checked for its depth.

/** The parts of a path, decoded; none for the value as a whole. */
type Pointer = readonly string[];

type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: Pointer; readonly value: Json }
  | { readonly op: 'remove'; readonly path: Pointer }
  | { readonly op: 'move' | 'copy'; readonly path: Pointer; readonly from: Pointer };

/** A patch whose operations have been read. */
type JsonPatch = readonly PatchOperation[];

const maxOperations = 1000;
const maxMovedCharacters = 4_194_304;

/** Reads the operations of a patch. Errors: invalid_body, which names all wrong members, such as `[2].path` within `at`. */
export function readOperations(document: Json, at = ''): JsonPatch {
  if (!Array.isArray(document)) throw invalidBody([{ path: at, message: 'must be a list of operations' }]);
  if (document.length > maxOperations) {
    throw invalidBody([{ path: at, message: `must have at most ${maxOperations} operations` }]);
  }
  const problems: Problem[] = [];
  const operations = document.flatMap((operation, index) => {
    const read = readOperation(operation);
    if (!Array.isArray(read)) return [read];
    problems.push(
      ...read.map(({ path, message }) => ({ path: `${at}[${index}]${path && `.${path}`}`, message })),
    );
    return [];
  });
  if (problems.length > 0) throw invalidBody(problems);
  return operations;
}

/** Applies a patch to a copy of a value, and returns the copy. Errors: invalid_body, test_failed. */
export function applyJsonPatch(value: Json, patch: JsonPatch): Json {
  const document: Root = { value: JSON.parse(JSON.stringify(value)), moved: 0 };
  for (const [index, operation] of patch.entries()) {
    const problem = apply(document, operation);
    if (problem === 'test failed') throw testFailed(index);
    if (problem) throw invalidBody([{ ...problem, path: `[${index}].${problem.path}` }]);
  }
  return document.value;
}

interface Root {
  value: Json;
  /** How many characters of JSON the operations have copied and moved. */
  moved: number;
}

function readOperation(operation: Json): PatchOperation | Problem[] {
  if (!isJsonObject(operation)) return [{ path: '', message: 'must be an object' }];
  const { op, value } = operation;
  const path = readPointer(operation.path);
  const from = readPointer(operation.from);
  const problems: Problem[] = path ? [] : [{ path: 'path', message: pointerMessage }];
  switch (op) {
    case 'add':
    case 'replace':
    case 'test':
      if (value === undefined) problems.push({ path: 'value', message: 'is required' });
      return path && value !== undefined ? { op, path, value } : problems;
    case 'remove':
      return path ? { op, path } : problems;
    case 'move':
    case 'copy':
      if (!from) problems.push({ path: 'from', message: pointerMessage });
      return path && from ? { op, path, from } : problems;
    default:
      return [{ path: 'op', message: 'must be one of add, remove, replace, move, copy, test' }, ...problems];
  }
}

const pointerMessage = 'must be a JSON Pointer, such as /tags/0';

function readPointer(text: Json | undefined): Pointer | undefined {
  if (typeof text !== 'string' || /^[^/]|~(?![01])/.test(text)) return undefined;
  return text
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Applies an operation. Returns what is wrong with it, in which case the copy is of no use any more. */
function apply(document: Root, operation: PatchOperation): Problem | 'test failed' | undefined {
  const { path } = operation;
  switch (operation.op) {
    case 'add':
      return add(document, path, copyFor(path, operation.value));
    case 'replace':
      if (find(document.value, path) === undefined) return absent('path');
      return put(document, path, copyFor(path, operation.value));
    case 'test': {
      const found = find(document.value, path);
      return found !== undefined && isDeepStrictEqual(found, operation.value) ? undefined : 'test failed';
    }
    case 'remove':
      return remove(document, path, 'path');
    case 'move':
    case 'copy':
      return transfer(document, operation);
  }
}

/** Copies or moves a value. */
function transfer(
  document: Root,
  { op, path, from }: Extract<PatchOperation, { from: Pointer }>,
): Problem | undefined {
  const found = find(document.value, from);
  if (found === undefined) return absent('from');
  const isWithin = path.length > from.length && from.every((part, index) => path[index] === part);
  if (op === 'move' && isWithin) return { path: 'path', message: 'is within the value that it moves' };
  const text = JSON.stringify(found);
  document.moved += text.length;
  if (document.moved > maxMovedCharacters) {
    return { path: 'from', message: `copies and moves more than ${maxMovedCharacters} characters in all` };
  }
  const value = copyFor(path, found, text);
  const problem = op === 'move' ? remove(document, from, 'from') : undefined;
  return problem ?? add(document, path, value);
}

/** Copies a value that is put in at a path. Errors: invalid_body when the asset would be nested too deeply. */
function copyFor(path: Pointer, value: Json, text = JSON.stringify(value)): Json {
  scanJson(text, { maxDepth: maxJsonDepth - path.length });
  return JSON.parse(text);
}

function add(document: Root, path: Pointer, value: Json): Problem | undefined {
  const parent = find(document.value, path.slice(0, -1));
  const name = path.at(-1);
  if (name === undefined || !Array.isArray(parent)) return put(document, path, value);
  const index = name === '-' ? parent.length : toIndex(name);
  if (index === undefined || index > parent.length) return absent('path');
  parent.splice(index, 0, value);
  return undefined;
}

/** Sets a value at a path whose parent exists. */
function put(document: Root, path: Pointer, value: Json): Problem | undefined {
  const parent = find(document.value, path.slice(0, -1));
  const name = path.at(-1);
  if (name === undefined) document.value = value;
  else if (Array.isArray(parent)) parent[Number(name)] = value;
  else if (isJsonObject(parent)) setMember(parent, name, value);
  else return absent('path');
  return undefined;
}

function remove(document: Root, path: Pointer, member: 'path' | 'from'): Problem | undefined {
  const name = path.at(-1);
  if (name === undefined) return { path: member, message: 'is the asset as a whole, which stays' };
  if (find(document.value, path) === undefined) return absent(member);
  const parent = find(document.value, path.slice(0, -1));
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else if (isJsonObject(parent)) delete parent[name];
  return undefined;
}

const absent = (member: 'path' | 'from'): Problem => ({
  path: member,
  message: 'names a place that does not exist',
});

/** Finds the value at a path; `undefined` when there is none. */
function find(document: Json, path: Pointer): Json | undefined {
  let value: Json | undefined = document;
  for (const name of path) {
    if (Array.isArray(value)) {
      const index = toIndex(name);
      value = index === undefined ? undefined : value[index];
    } else if (isJsonObject(value)) value = Object.hasOwn(value, name) ? value[name] : undefined;
    else return undefined;
  }
  return value;
}

const toIndex = (name: string) => (/^(0|[1-9]\d{0,8})$/.test(name) ? Number(name) : undefined);
