/**
 * Validates the fields of an asset in a request, and converts them to the stored form.
 *
 * One validator is compiled for each content type; it reports every problem with its path. It sees one asset
 * alone: `content/` and the store check whether a reference's target exists and a unique value is free.
 */

import type { Problem } from '../../base/errors.ts';
import { isUuid } from '../../base/uuid.ts';
import type { Catalog, ContentType, Field, Json, JsonObject, Reference } from '../content-type.ts';
import { lengthMessage } from './length-message.ts';
import { compileScalar } from './validate-scalar.ts';

/** A reference found in an input, already in stored form: lower-case `_ref`, class name in `_type`. */
export interface FoundReference {
  readonly path: string;
  readonly reference: Reference;
}

/** The outcome: with no problems, `set` and `unset` are what to write. */
export interface CheckedFields {
  /** New values by JSON name, in the order of the content type's fields. */
  readonly set: Record<string, Json>;
  /** Fields given as null, to be removed. */
  readonly unset: readonly string[];
  readonly references: readonly FoundReference[];
  readonly problems: readonly Problem[];
}

/** Checks the fields of one content type; `_id` and `_type` of the input are left to the caller. */
export interface AssetValidator {
  /** For a whole new asset: required fields must be there. */
  checkNew(input: JsonObject): CheckedFields;
  /** For some fields of an asset that exists: null clears an optional one. */
  checkChanges(input: JsonObject): CheckedFields;
}

/** Collects what one run of a validator finds. */
export interface Findings {
  readonly problems: Problem[];
  readonly references: FoundReference[];
}

/** Checks one value and returns its stored form, or `undefined` after reporting a problem. */
export type ValueCheck = (value: Json, path: string, findings: Findings) => Json | undefined;

/** The validators of all content types, by class name. */
export type AssetValidators = ReadonlyMap<string, AssetValidator>;

/** Compiles the validators of a catalog. */
export function createAssetValidators(catalog: Catalog): AssetValidators {
  const compile = createCompiler(catalog);
  return new Map([...catalog.types.values()].map((type) => [type.class, createValidator(type, compile)]));
}

function createValidator(type: ContentType, compile: Compiler): AssetValidator {
  const readMembers = compile.members(type.fields, (name) => name === '_id' || name === '_type');
  const run = (input: JsonObject, requireAll: boolean): CheckedFields => {
    const findings: Findings = { problems: [], references: [] };
    const { set, unset } = readMembers({ input, prefix: '', requireAll, findings });
    return { set, unset, ...findings };
  };
  return { checkNew: (input) => run(input, true), checkChanges: (input) => run(input, false) };
}

/** Reads the members of one object: the sound values, and the names given as null. */
type MemberReader = (run: {
  readonly input: JsonObject;
  readonly prefix: string;
  readonly requireAll: boolean;
  readonly findings: Findings;
}) => { readonly set: JsonObject; readonly unset: readonly string[] };

interface Compiler {
  members(fields: ReadonlyMap<string, Field>, isExtra?: (name: string) => boolean): MemberReader;
}

function createCompiler(catalog: Catalog): Compiler {
  const embedded = new Map<ReadonlyMap<string, Field>, MemberReader>();

  function compileMembers(fields: ReadonlyMap<string, Field>, isExtra = (_: string) => false): MemberReader {
    const members = [...fields.values()].map((field) => ({ field, check: compileField(field) }));
    return ({ input, prefix, requireAll, findings }) => {
      const set: JsonObject = {};
      const unset: string[] = [];
      for (const { field, check } of members) {
        const value = Object.hasOwn(input, field.name) ? input[field.name] : undefined;
        const path = prefix + field.name;
        if (value === undefined || value === null) {
          if (field.required && (requireAll || value === null)) report(findings, path, 'is required');
          else if (value === null) unset.push(field.name);
          continue;
        }
        const stored = check(value, path, findings);
        if (stored !== undefined) set[field.name] = stored;
      }
      reportUnknown({ input, prefix, findings, isKnown: (name) => fields.has(name) || isExtra(name) });
      return { set, unset };
    };
  }

  function compileField(field: Field): ValueCheck {
    const check = compileValue(field);
    return field.list ? compileList(field, check) : check;
  }

  function compileValue({ type, constraint }: Field): ValueCheck {
    switch (type.kind) {
      case 'scalar':
        return compileScalar(type.scalar, constraint);
      case 'enum':
        return compileEnum(type.values);
      case 'reference':
        return compileReference(catalog, type.targets);
      case 'embedded':
        return compileEmbedded(type.type.fields);
    }
  }

  function compileEmbedded(fields: ReadonlyMap<string, Field>): ValueCheck {
    return (value, path, findings) => {
      if (!isJsonObject(value)) return report(findings, path, 'must be an object');
      // Compiled at first use, since a type may contain itself.
      const readMembers = embedded.get(fields) ?? compileMembers(fields);
      embedded.set(fields, readMembers);
      return readMembers({ input: value, prefix: `${path}.`, requireAll: true, findings }).set;
    };
  }

  return { members: compileMembers };
}

function compileList(
  { constraint: { minItems = 0, maxItems = Infinity } }: Field,
  check: ValueCheck,
): ValueCheck {
  return (value, path, findings) => {
    if (!Array.isArray(value)) return report(findings, path, 'must be a list');
    if (value.length < minItems) report(findings, path, lengthMessage(minItems, 'items'));
    if (value.length > maxItems) return report(findings, path, `must have at most ${maxItems} items`);
    const stored: Json[] = [];
    for (const [index, item] of value.entries()) {
      const itemPath = `${path}[${index}]`;
      const checked =
        item === null ? report(findings, itemPath, 'must not be null') : check(item, itemPath, findings);
      if (checked !== undefined) stored.push(checked);
    }
    return stored;
  };
}

function compileEnum(values: readonly string[]): ValueCheck {
  const known = new Set(values);
  return (value, path, findings) =>
    typeof value === 'string' && known.has(value)
      ? value
      : report(findings, path, `must be one of ${values.join(', ')}`);
}

function compileReference(catalog: Catalog, targets: readonly string[]): ValueCheck {
  const expected = targets.join(' or ');
  return (value, path, findings) => {
    if (!isJsonObject(value)) return report(findings, path, 'must be a reference: {"_ref": …, "_type": …}');
    const { _ref: ref, _type: type } = value;
    const isKnown = (name: string) => name === '_ref' || name === '_type';
    reportUnknown({ input: value, prefix: `${path}.`, findings, isKnown });
    if (typeof ref !== 'string' || !isUuid(ref)) return report(findings, `${path}._ref`, 'must be a UUID');
    const target = typeof type === 'string' ? catalog.find(type) : undefined;
    if (!target || !targets.includes(target.class)) {
      return report(findings, `${path}._type`, `must be ${expected}`);
    }
    const reference = { _ref: ref.toLowerCase(), _type: target.class };
    findings.references.push({ path, reference });
    return { ...reference };
  };
}

function reportUnknown({
  input,
  prefix,
  findings,
  isKnown,
}: {
  input: JsonObject;
  prefix: string;
  findings: Findings;
  isKnown: (name: string) => boolean;
}): void {
  for (const name of Object.keys(input)) {
    if (!isKnown(name)) report(findings, `${prefix}${name}`, 'is not a field of this type');
  }
}

/** Tells whether a JSON value is an object, not a list or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function report({ problems }: Findings, path: string, message: string): undefined {
  problems.push({ path, message });
}
