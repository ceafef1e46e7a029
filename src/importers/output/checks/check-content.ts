/**
 * Checks all written assets as the server does: each one by its content type, then that no two have the same `_id` or the same key, and that
 * every reference has its target.
 */
import { isDomainError } from '../../../base/errors.ts';
import {
  type Catalog,
  type ContentType,
  type EmbeddedType,
  type Field,
  type Json,
  type JsonObject,
  kindOf,
} from '../../../model/content-type.ts';
import { bodyLimits, scanJson } from '../../../model/values/parse-json.ts';
import {
  type AssetValidators,
  compileFieldCheck,
  createAssetValidators,
  isJsonObject,
} from '../../../model/values/validate-asset.ts';
import { createKeysOf } from '../../../query/unique-values.ts';
import { readLines } from '../../source/source.ts';

/** Something in an asset that the server refuses. */
export interface ContentFlaw {
  readonly _id: string;
  readonly _type: string;
  /** Which line of the files has the asset, counted from 0. */
  readonly line: number;
  /** What to leave out: a field, an item of a list, or an unknown member. Empty for the asset. */
  readonly path: string;
  readonly reason: string;
  /** The field, and the type that has it; absent where no field is concerned. */
  readonly found?: Pick<FoundField, 'owner' | 'field'>;
  /** The rules of the field that the value breaks, where the value fits its type: arguments of `@constraint`, `required` or `unique`. */
  readonly rules: readonly string[];
}

/** The assets of some files, one after the other. */
export async function* readAssets(paths: readonly string[]): AsyncGenerator<{
  readonly asset: JsonObject;
  readonly text: string;
  readonly line: number;
  readonly path: string;
}> {
  let line = 0;
  for (const path of paths)
    for await (const text of readLines(path)) {
      // The importer has written the lines.
      yield { asset: JSON.parse(text) as JsonObject, text, line, path };
      line++;
    }
}

/** Checks the assets of some files. References lead only to assets of the same file and of the files before it. */
export async function* checkContent(paths: readonly string[], catalog: Catalog): AsyncGenerator<ContentFlaw> {
  const validators = createAssetValidators(catalog);
  const explain = createExplanation(catalog);
  const known = createKnown(catalog);
  const classes = new Map<string, string>();
  for await (const { asset, text, line } of readAssets(paths)) {
    const [_id, _type] = [String(asset._id), String(asset._type)];
    const about = { _id, _type, line };
    const excess = findExcess(text);
    if (excess !== undefined) {
      yield { ...about, path: '', reason: excess, rules: [] };
      continue;
    }
    if (classes.has(_id)) {
      yield { ...about, path: '', reason: 'has the _id of another asset', rules: [] };
      continue;
    }
    classes.set(_id, catalog.find(_type)?.class ?? '');
    for (const flaw of checkOne(asset, { validators, explain })) yield { ...about, ...flaw };
    for (const flaw of known(asset)) yield { ...about, ...flaw };
  }
  yield* checkReferences(paths, { catalog, validators, classes });
}

/** What a batch has around an asset: the body, its list of operations, and the operation. */
const levelsAround = 3;

/** Finds why an asset is too much for a request, such as values that are nested too deeply. */
function findExcess(text: string): string | undefined {
  try {
    scanJson(text, { ...bodyLimits, maxDepth: bodyLimits.maxDepth - levelsAround });
    return undefined;
  } catch (error) {
    if (isDomainError(error)) return error.message;
    throw error;
  }
}

type Flaw = Omit<ContentFlaw, '_id' | '_type' | 'line'>;

function checkOne(
  asset: JsonObject,
  { validators, explain }: { validators: AssetValidators; explain: ReturnType<typeof createExplanation> },
): Flaw[] {
  const validator = validators.get(String(asset._type));
  if (!validator) return [{ path: '', reason: 'is of a type that there is not', rules: [] }];
  const { problems } = validator.checkNew(asset);
  return problems.length > 0 ? explain(asset, problems) : [];
}

/** Finds what each problem of an asset is about. */
function createExplanation(catalog: Catalog) {
  const checks = new Map<string, ReturnType<typeof compileFieldCheck>>();

  function breaks({ owner, field, value, path }: FoundField, rule: string | undefined, at: string): boolean {
    const key = `${owner} ${field.name} ${rule ?? ''}`;
    const limits = Object.entries(field.constraint).filter(([name]) => name === rule);
    const check =
      checks.get(key) ?? compileFieldCheck(catalog, { ...field, constraint: Object.fromEntries(limits) });
    checks.set(key, check);
    const findings = {
      problems: [],
      references: [],
      resolve: undefined,
      appliesDefaults: true,
      hints: false,
    };
    check(value ?? null, path, findings);
    return findings.problems.some((problem: { path: string }) => problem.path === at);
  }

  return (asset: JsonObject, problems: readonly { path: string; message: string }[]): Flaw[] => {
    const fields = [...walkFields(catalog, asset)];
    return problems.map(({ path: at, message: reason }): Flaw => {
      const found = fields
        .filter(({ path }) => at === path || at.startsWith(`${path}.`) || at.startsWith(`${path}[`))
        .reduce<FoundField | undefined>(
          (longest, one) => (longest && longest.path.length >= one.path.length ? longest : one),
          undefined,
        );
      if (!found) return { path: at, reason, rules: [] };
      const { owner, field, value, path } = found;
      if (value === undefined || value === null)
        return { path, reason, found: { owner, field }, rules: ['required'] };
      const isOdd = breaks(found, undefined, at);
      const rules = isOdd ? [] : Object.keys(field.constraint).filter((rule) => breaks(found, rule, at));
      // Members of a reference and of a block are refused with it.
      const [item = ''] = /^\[\d+\]/.exec(at.slice(path.length)) ?? [];
      return { path: path + item, reason, found: { owner, field }, rules };
    });
  };
}

/** Creates the check that no two assets have the same key. */
function createKnown(catalog: Catalog) {
  const keysOf = createKeysOf(catalog);
  const known = new Set<string>();
  return (asset: JsonObject): Flaw[] =>
    // The importer writes both members of all assets.
    keysOf(asset as JsonObject & { _id: string; _type: string }).flatMap(({ text, paths }) => {
      const path = paths[0]?.text ?? '';
      const found = [...walkFields(catalog, asset)].find((one) => one.path === path);
      if (!known.has(text) || !found) {
        known.add(text);
        return [];
      }
      const { owner, field } = found;
      return [{ path, reason: 'is the value of another asset', found: { owner, field }, rules: ['unique'] }];
    });
}

async function* checkReferences(
  paths: readonly string[],
  {
    catalog,
    validators,
    classes,
  }: { catalog: Catalog; validators: AssetValidators; classes: ReadonlyMap<string, string> },
): AsyncGenerator<ContentFlaw> {
  for await (const { asset, line } of readAssets(paths)) {
    const [_id, _type] = [String(asset._id), String(asset._type)];
    const { references } = validators.get(_type)?.checkNew(asset) ?? { references: [] };
    const missing = references.filter(({ reference }) => classes.get(reference._ref) !== reference._type);
    if (missing.length === 0) continue;
    const fields = [...walkFields(catalog, asset)];
    for (const { path } of missing) {
      const found = fields.find((one) => one.path === path.replace(/\[\d+\]$/, ''));
      if (!found) continue;
      const { owner, field } = found;
      yield { _id, _type, line, path, reason: missingTarget, found: { owner, field }, rules: [] };
    }
  }
}

/** Why a reference is left out. */
export const missingTarget = 'refers to an asset that there is not';

/** Counts the values of fields in the assets of some files; each item of a list counts. */
export async function countValues(
  paths: readonly string[],
  { catalog, fields }: { catalog: Catalog; fields: ReadonlySet<string> },
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const sizeOf = (value: Json | undefined) =>
    Array.isArray(value) ? value.length : value === undefined || value === null ? 0 : 1;
  for await (const { asset } of readAssets(paths))
    for (const found of walkFields(catalog, asset)) {
      const key = keyOfField(found);
      if (fields.has(key)) counts.set(key, (counts.get(key) ?? 0) + sizeOf(found.value));
    }
  return counts;
}

/** Identifies a field of a type. */
export const keyOfField = ({ owner, field }: Pick<FoundField, 'owner' | 'field'>): string =>
  `${owner}.${field.graphqlName}`;

/** A field of an asset or of a value in it. */
interface FoundField {
  /** The type that has the field. */
  readonly owner: string;
  readonly field: Field;
  /** Where it is, as the server writes it: `blocks[0].text`. */
  readonly path: string;
  /** Absent where the field has no value. */
  readonly value: Json | undefined;
}

/** Lists the fields of an asset. */
function* walkFields(catalog: Catalog, asset: JsonObject): Generator<FoundField> {
  const type = catalog.find(String(asset._type));
  if (type) yield* walkMembers(type, asset, '');
}

function* walkMembers(
  { name, fields }: Pick<ContentType | EmbeddedType, 'name' | 'fields'>,
  holder: JsonObject,
  prefix: string,
): Generator<FoundField> {
  for (const field of fields.values()) {
    const value = Object.hasOwn(holder, field.name) ? holder[field.name] : undefined;
    const path = prefix + field.name;
    yield { owner: name, field, path, value };
    if (value === undefined || field.type.kind !== 'embedded') continue;
    for (const [at, item] of itemsOf(value, path)) {
      const kind = isJsonObject(item) ? kindOf(field.type.type, item) : undefined;
      if (kind && isJsonObject(item)) yield* walkMembers(kind, item, `${at}.`);
    }
  }
}

const itemsOf = (value: Json, path: string): [string, Json][] =>
  Array.isArray(value) ? value.map((item, index) => [`${path}[${index}]`, item]) : [[path, value]];
