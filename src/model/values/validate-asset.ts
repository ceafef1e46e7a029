/**
 * Validates the fields of an asset in a request, and converts them to the stored form.
 *
 * One validator is compiled for each content type; it reports every problem with its path. It sees one asset
 * alone: `content/` and the store check whether a reference's target exists and a unique value is free.
 */

import type { Problem } from '../../base/errors.ts';
import { memberOf } from '../../base/own-members.ts';
import { isUuid } from '../../base/uuid.ts';
import type {
  Catalog,
  ContentType,
  EmbeddedType,
  Field,
  Json,
  JsonObject,
  TypeCheck,
} from '../content-type.ts';
import {
  type Findings,
  type FoundReference,
  isJsonObject,
  type ResolveReference,
  report,
  reportUnknown,
  suggestFor,
  type ValueCheck,
} from './findings.ts';
import { compileScalar, lengthMessage } from './validate-scalar.ts';

export { type FoundReference, isJsonObject } from './findings.ts';

/** The outcome: with no problems, `set` and `unset` are what to write. */
export interface CheckedFields {
  /** New values by JSON name, in the order of the content type's fields. */
  readonly set: Record<string, Json>;
  /** Fields given as null, to be removed. */
  readonly unset: readonly string[];
  readonly references: readonly FoundReference[];
  readonly problems: readonly Problem[];
}

/**
 * Checks the fields of one content type; `_id` and `_type` of the input are left to the caller. Without `resolve`, references cannot
 * name their target by `_by`.
 */
export interface AssetValidator {
  /** For a whole new asset: an omitted field gets its default, and required fields without one must be there. */
  checkNew(input: JsonObject, resolve?: ResolveReference): CheckedFields;
  /** For some fields of an asset that exists: null clears an optional one. */
  checkChanges(input: JsonObject, resolve?: ResolveReference): CheckedFields;
  /** For a stored asset: required fields must be there, with or without a default. Nothing gets a default. */
  checkStored(asset: JsonObject): CheckedFields;
  /** For some fields of a stored asset: like `checkChanges`, but what is embedded gets no defaults either. */
  checkStoredFields(fields: JsonObject): CheckedFields;
  /**
   * Judges an asset by the rules of its type; with `changed`, the names of changed fields, by those that read one of them. Drafts are judged
   * when they go live.
   */
  checkRules(asset: JsonObject, changed?: readonly string[]): readonly Problem[];
  /** Whether a change of some fields is judged by rules that read others, too. */
  readsOthers(changed: JsonObject): boolean;
}

/** The validators of all content types, by class name. */
export type AssetValidators = ReadonlyMap<string, AssetValidator>;

/**
 * Compiles the validators of a catalog. Those for drafts accept that required values are missing, which is checked when the draft goes
 * live.
 */
export function createAssetValidators(
  catalog: Catalog,
  { forDrafts = false }: { readonly forDrafts?: boolean } = {},
): AssetValidators {
  const compile = createCompiler(catalog, { requires: !forDrafts });
  return new Map(
    [...catalog.types.values()].map((type) => {
      const rules = forDrafts ? [] : type.checks;
      return [type.class, createValidator(type, compile, rules)];
    }),
  );
}

/** Compiles the check of one field's value. */
export function compileFieldCheck(catalog: Catalog, field: Field): ValueCheck {
  return createCompiler(catalog).field(field);
}

function createValidator(type: ContentType, compile: Compiler, rules: readonly TypeCheck[]): AssetValidator {
  const readMembers = compile.members(type.fields, ['_id', '_type']);
  const run = (
    input: JsonObject,
    {
      requireAll,
      appliesDefaults = true,
      hints = true,
      resolve,
    }: {
      requireAll: boolean;
      appliesDefaults?: boolean;
      hints?: boolean;
      resolve?: ResolveReference | undefined;
    },
  ): CheckedFields => {
    const findings: Findings = { problems: [], references: [], resolve, appliesDefaults, hints };
    const { set, unset } = readMembers({ input, prefix: '', requireAll, findings });
    const { problems, references } = findings;
    return { set, unset, problems, references };
  };
  const checkRules: AssetValidator['checkRules'] = (asset, changed) =>
    rules
      .filter(({ fields }) => changed?.some((name) => fields.has(name)) ?? true)
      .filter(({ isBroken }) => isBroken(asset))
      .map(({ path, message }) => ({ path, message }));
  const checkStored = (asset: JsonObject): CheckedFields => {
    const checked = run(asset, { requireAll: true, appliesDefaults: false, hints: false });
    return rules.length === 0
      ? checked
      : { ...checked, problems: [...checked.problems, ...checkRules(asset)] };
  };
  return {
    checkNew: (input, resolve) => run(input, { requireAll: true, resolve }),
    checkChanges: (input, resolve) => run(input, { requireAll: false, resolve }),
    checkStored,
    checkStoredFields: (fields) => run(fields, { requireAll: false, appliesDefaults: false }),
    checkRules,
    readsOthers: (changed) =>
      rules.some(({ fields }) => {
        const isGiven = (name: string) => Object.hasOwn(changed, name);
        const names = [...fields];
        return names.some(isGiven) && !names.every(isGiven);
      }),
  };
}

/** Reads the members of one object: the sound values, and the names given as null. */
type MemberReader = (run: {
  readonly input: JsonObject;
  readonly prefix: string;
  readonly requireAll: boolean;
  readonly findings: Findings;
}) => { readonly set: JsonObject; readonly unset: readonly string[] };

type Compiler = ReturnType<typeof createCompiler>;

function createCompiler(catalog: Catalog, { requires = true } = {}) {
  const embedded = new Map<ReadonlyMap<string, Field>, MemberReader>();
  const kinds = new Map<ReadonlyMap<string, Field>, MemberReader>();

  function compileMembers(fields: ReadonlyMap<string, Field>, others: readonly string[] = []): MemberReader {
    const known = new Set([...fields.keys(), ...others]);
    const members = [...fields.values()].map((field) => ({ field, check: compileField(field) }));
    return ({ input, prefix, requireAll, findings }) => {
      const set: JsonObject = {};
      const unset: string[] = [];
      const appliesDefaults = requireAll && findings.appliesDefaults;
      for (const { field, check } of members) {
        const value = memberOf(input, field.name);
        const path = prefix + field.name;
        if (value === undefined && appliesDefaults && field.default !== undefined) {
          set[field.name] = structuredClone(field.default);
          continue;
        }
        if (value === undefined || value === null) {
          const isLater = value === undefined && appliesDefaults && field.isSupplied;
          if (requires && field.required && !isLater && (requireAll || value === null))
            report(findings, path, 'is required');
          else if (value === null) unset.push(field.name);
          continue;
        }
        const stored = check(value, path, findings);
        if (stored !== undefined) set[field.name] = stored;
      }
      reportUnknown({ input, prefix, findings, known });
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
        return type.type.kinds ? compileBlock(type.type.kinds) : compileEmbedded(type.type.fields);
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

  function compileBlock(types: ReadonlyMap<string, EmbeddedType>): ValueCheck {
    const checkName = compileEnum([...types.keys()]);
    const byFormerName = new Map(
      [...types.values()].flatMap(({ name, formerNames = [] }) =>
        formerNames.map((former) => [former, name]),
      ),
    );
    return (value, path, findings) => {
      if (!isJsonObject(value)) return report(findings, path, 'must be an object');
      const given = memberOf(value, '_type') ?? null;
      const kind = checkName(byFormerName.get(String(given)) ?? given, `${path}._type`, findings);
      const fields = types.get(String(kind))?.fields;
      if (!fields) return undefined;
      const readMembers = kinds.get(fields) ?? compileMembers(fields, ['_type']);
      kinds.set(fields, readMembers);
      const { set } = readMembers({ input: value, prefix: `${path}.`, requireAll: true, findings });
      return { _type: String(kind), ...set };
    };
  }

  return { members: compileMembers, field: compileField };
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
      : report(findings, path, `must be one of ${values.join(', ')}${suggestFor(value, values, findings)}`);
}

// Validates references, and converts them to the stored form.
//
// A reference states the `_ref` of its target. Where the content layer can look assets up, a reference may instead name its target by
// a unique field, `{"_type": …, "_by": {"slug": "ada"}}`.

/** Compiles the check of a reference to assets of the given classes. */
function compileReference(catalog: Catalog, targets: readonly string[]): ValueCheck {
  const expected = targets.join(' or ');
  return (value, path, findings) => {
    const { resolve } = findings;
    if (!isJsonObject(value)) return report(findings, path, 'must be a reference: {"_ref": …, "_type": …}');
    const isBy = resolve !== undefined && Object.hasOwn(value, '_by');
    const known = isBy ? membersWithBy : members;
    reportUnknown({ input: value, prefix: `${path}.`, findings, known });
    if (!isBy && !isId(value._ref)) return report(findings, `${path}._ref`, 'must be a UUID');
    const { _type: type } = value;
    const target = typeof type === 'string' ? catalog.find(type) : undefined;
    if (!target || !targets.includes(target.class)) {
      const hint = suggestFor(type ?? null, targets, findings);
      return report(findings, `${path}._type`, `must be ${expected}${hint}`);
    }
    const ref = isBy ? resolveBy(value, { path, findings, resolve, target }) : String(value._ref);
    if (ref === undefined) return undefined;
    const reference = { _ref: ref.toLowerCase(), _type: target.class };
    findings.references.push({ path, reference });
    return { ...reference };
  };
}

const members: ReadonlySet<string> = new Set(['_ref', '_type']);
const membersWithBy: ReadonlySet<string> = new Set([...members, '_by']);

const isId = (ref: Json | undefined) => typeof ref === 'string' && isUuid(ref);

function resolveBy(
  value: JsonObject,
  {
    path,
    findings,
    resolve,
    target,
  }: { path: string; findings: Findings; resolve: ResolveReference; target: ContentType },
): string | undefined {
  const isTwice = Object.hasOwn(value, '_ref');
  if (isTwice) report(findings, `${path}._by`, 'cannot stand beside _ref');
  const resolved = resolve(target, value._by ?? null, path);
  if (typeof resolved === 'string') return isTwice ? undefined : resolved;
  for (const problem of resolved) report(findings, `${path}.${problem.path}`, problem.message);
  return undefined;
}
