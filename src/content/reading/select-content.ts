/**
 * Selects what a response has of the assets found: only some fields, the assets that they refer to along chosen paths, and `null` for
 * absent values where asked.
 */

import { invalidParameter, unknownField } from '../../base/errors.ts';
import { getType } from '../../model/catalog.ts';
import {
  type Asset,
  type Catalog,
  type EmbeddedType,
  type Field,
  hasDefault,
  type Json,
  type JsonObject,
  kindOf,
} from '../../model/content-type.ts';
import { type FieldPath, hintAt } from '../../model/field-path.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { findValues } from '../../query/path-values.ts';
import { type FieldSelection, findOwnPath, selectFields } from '../../query/select-fields.ts';
import { type ContentStore, chunkBytes, type StoredText } from '../../store/port.ts';
import { publishDateField } from '../prepare-write.ts';
import { type Caller, isTextVisible } from './find-assets.ts';
import type { OpenPage } from './read-chunks.ts';

/** Which fields a response has. */
interface WantedFields {
  /** Their paths; absent means all. */
  readonly fields?: readonly string[] | undefined;
  /** Whether it has null for absent values that creating the asset would fill. */
  readonly nulls?: boolean | undefined;
}

/** The part of the content service that selects what a response has. */
export interface ContentSelector {
  /** Selects fields of assets `from` a type. Errors: unknown_type, unknown_field, invalid_parameter. */
  selectFields(from: string, wanted: WantedFields): FieldSelection;
  /** Checks the references to follow from assets of a type. Errors: unknown_type, unknown_field, invalid_parameter. */
  resolveIncludes(from: string, include: readonly string[]): readonly IncludeStep[];
  /** Finds the assets that a page refers to and the caller may see. Errors: invalid_parameter. */
  include(
    page: OpenPage<StoredText>,
    steps: readonly IncludeStep[],
    caller: Caller,
  ): Promise<PageWithIncluded>;
}

const everything: FieldSelection = { pick: (asset) => asset, covers: () => true };

export function createContentSelector({
  catalog,
  store: { texts },
}: {
  catalog: Catalog;
  store: ContentStore;
}): ContentSelector {
  const isVisible = (text: StoredText, caller: Caller) =>
    catalog.types.has(text.type) && isTextVisible(text, caller);

  const addNulls = createNullWriter(catalog);

  function selectWanted(from: string, { fields, nulls = false }: WantedFields): FieldSelection {
    const classes = classesOf(from);
    const selected = fields ? selectFields(catalog, { from, classes, fields }) : everything;
    return nulls ? { ...selected, pick: (asset) => selected.pick(addNulls(asset)) } : selected;
  }

  function classesOf(from: string): readonly string[] {
    return catalog.concrete(getType(catalog, from, 'from'));
  }

  return {
    selectFields: selectWanted,
    resolveIncludes: (from, include) => resolveIncludes(catalog, { from, classes: classesOf(from), include }),
    include: (page, steps, caller) => includeAssets({ texts, isVisible }, { page, steps, caller }),
  };
}

/** How many assets a response may include. */
const maxIncluded = 1000;

/** A page, and the assets that it refers to, each once. */
export interface PageWithIncluded {
  /** To be read in place of the page that was given. */
  readonly page: OpenPage<StoredText>;
  readonly included: OpenPage<StoredText>;
  /** The versions of the included assets, in the order of the assets. */
  readonly versions: readonly string[];
}

/** What including needs: the store, and which of its assets the caller may see. */
interface IncludeSource {
  readonly texts: Pick<ContentStore['texts'], 'getChunk'>;
  isVisible(text: StoredText, caller: Caller): boolean;
}

/**
 * Finds the assets that a page refers to by `steps`, and those that the caller may see of them.
 *
 * Errors: invalid_parameter `include` if there are more than 1,000 references to different assets.
 */
async function includeAssets(
  { texts, isVisible }: IncludeSource,
  {
    page: given,
    steps,
    caller,
  }: { page: OpenPage<StoredText>; steps: readonly IncludeStep[]; caller: Caller },
): Promise<PageWithIncluded> {
  const read = (ids: readonly string[]) =>
    readTexts(texts, ids, (text) => {
      caller.signal?.throwIfAborted();
      return isVisible(text, caller);
    });
  const referenced = createReferenced();
  const page = await scan(given, { visit: (text) => referenced.follow(text, steps), read });
  const kept = createKept();
  for (let level = referenced.take(); level.size > 0; level = referenced.take()) {
    // An asset of an earlier level is read again only where a path leads on from it.
    const ids = [...level].filter(([id, next]) => next.length > 0 || !kept.has(id)).map(([id]) => id);
    for await (const chunk of read(ids)) {
      for (const text of chunk) {
        kept.add(text);
        referenced.follow(text, level.get(text.id) ?? []);
      }
    }
  }
  return { page, ...kept.toPage(read) };
}

/** Visits all assets of a page; returns the page, to be read again. */
async function scan(
  page: OpenPage<StoredText>,
  {
    visit,
    read,
  }: {
    visit: (text: StoredText) => void;
    read: (ids: readonly string[]) => AsyncIterable<readonly StoredText[]>;
  },
): Promise<OpenPage<StoredText>> {
  page.first.forEach(visit);
  if (!page.rest) return page;
  const ids: string[] = [];
  for await (const chunk of page.rest) {
    chunk.forEach(visit);
    ids.push(...chunk.map(({ id }) => id));
  }
  return { ...page, rest: read(ids) };
}

/** The assets that were found to be referenced, level by level. */
function createReferenced() {
  const all = new Set<string>();
  let level = new Map<string, IncludeStep[]>();

  function add(id: string, next: IncludeStep | undefined): void {
    if (all.add(id).size > maxIncluded) {
      throw invalidParameter('include', `would include more than ${maxIncluded} assets`);
    }
    const known = level.get(id) ?? [];
    level.set(id, known);
    if (next && !known.includes(next)) known.push(next);
  }

  return {
    /** Adds the assets that an asset refers to. */
    follow({ text }: StoredText, steps: readonly IncludeStep[]): void {
      if (steps.length === 0) return;
      // Every stored text is that of an asset.
      const asset = JSON.parse(text) as Asset;
      for (const step of steps) for (const id of findTargets(asset, step)) add(id, step.next);
    },
    /** Returns the assets added since the last call, each with the references to follow from it. */
    take(): ReadonlyMap<string, readonly IncludeStep[]> {
      const taken = level;
      level = new Map();
      return taken;
    },
  };
}

/** The included assets: the texts of the first ones, and the `_id`s of the rest. */
function createKept() {
  const versions = new Map<string, string>();
  const first: StoredText[] = [];
  const rest: string[] = [];
  let length = 0;
  return {
    has: (id: string) => versions.has(id),
    add(text: StoredText): void {
      if (versions.has(text.id)) return;
      versions.set(text.id, text.version);
      length += text.text.length;
      if (first.length === 0 || length <= chunkBytes) first.push(text);
      else rest.push(text.id);
    },
    toPage(read: (ids: readonly string[]) => AsyncIterable<readonly StoredText[]>) {
      const included = rest.length > 0 ? { first, rest: read(rest) } : { first };
      return { included, versions: [...versions.values()] };
    },
  };
}

/** Reads the assets among `ids` chunk by chunk. Not a generator, since that would keep a chunk until the next one is requested. */
function readTexts(
  texts: IncludeSource['texts'],
  ids: readonly string[],
  isWanted: (text: StoredText) => boolean,
): AsyncIterable<readonly StoredText[]> {
  let left: readonly string[] | undefined = ids.length > 0 ? ids : undefined;
  const next = async (): Promise<IteratorResult<readonly StoredText[], undefined>> => {
    if (!left) return { done: true, value: undefined };
    const { items, rest } = await texts.getChunk(left);
    left = rest;
    return { done: false, value: items.filter(isWanted) };
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

/** A reference to follow from an asset, and the one to follow from its target. */
export interface IncludeStep {
  /** The paths of the reference, by the class names that have it. */
  readonly byClass: ReadonlyMap<string, FieldPath>;
  readonly next?: IncludeStep;
}

const maxLevels = 3;
const maxPaths = 100;

/** Resolves paths for assets of the given classes, found `from` a type. Errors: unknown_field, invalid_parameter `include`. */
function resolveIncludes(
  catalog: Catalog,
  { from, classes, include }: { from: string; classes: readonly string[]; include: readonly string[] },
): readonly IncludeStep[] {
  if (include.length > maxPaths) throw invalidParameter('include', `must have at most ${maxPaths} paths`);
  return include.map((path) => {
    const names = path.split('/');
    if (names.length > maxLevels) {
      const most = `at most ${maxLevels} references, one after the other`;
      throw invalidParameter('include', `may follow ${most}: ${JSON.stringify(path)}`);
    }
    return resolveStep(catalog, { from, classes, names });
  });
}

function resolveStep(
  catalog: Catalog,
  {
    from,
    classes,
    names: [name = '', ...rest],
  }: { from: string; classes: readonly string[]; names: readonly string[] },
): IncludeStep {
  const found = classes.flatMap((className) => {
    const path = findOwnPath(catalog, className, name);
    return path ? [[className, path] as const] : [];
  });
  if (found.length === 0) throw unknownField(name, from, hintAt(catalog, classes[0] ?? '', name, true));
  const byClass = new Map(found.filter(([, { leaf }]) => leaf.kind === 'reference'));
  if (byClass.size === 0) throw invalidParameter('include', `${JSON.stringify(name)} is not a reference`);
  if (rest.length === 0) return { byClass };
  const targets = [...new Set(targetsOf(byClass.values()))];
  const next = resolveStep(catalog, { from: name, classes: targets, names: rest });
  return { byClass, next };
}

/** Lists the class names of the types that steps can lead to. */
export const targetTypes = (steps: readonly IncludeStep[]): readonly string[] =>
  steps.flatMap(({ byClass, next }) => [
    ...targetsOf(byClass.values()),
    ...(next ? targetTypes([next]) : []),
  ]);

const targetsOf = (paths: Iterable<FieldPath>) =>
  [...paths].flatMap(({ leaf }) => (leaf.kind === 'reference' ? leaf.targets : []));

/** Finds the `_id`s that an asset refers to by a step. */
function findTargets(asset: Asset, { byClass }: IncludeStep): readonly string[] {
  const path = byClass.get(asset._type);
  return path ? findValues(asset, path).map(String) : [];
}

export type NullWriter = (asset: Asset) => Asset;

/** Creates the function for the assets of a catalog. */
export function createNullWriter(catalog: Catalog): NullWriter {
  return (asset) => {
    const type = catalog.types.get(asset._type);
    if (!type) return asset;
    const whole = writeNulls(asset, type.fields, ({ name }) => name === publishDateField);
    // Its identity is unchanged.
    return whole as Asset;
  };
}

function writeNulls(
  value: JsonObject,
  fields: ReadonlyMap<string, Field>,
  isAlsoFilled: (field: Field) => boolean = () => false,
): JsonObject {
  const whole = { ...value };
  for (const field of fields.values()) {
    const { name, type, required } = field;
    const given = value[name];
    const isFilled = hasDefault(field) || isAlsoFilled(field);
    if (given === undefined && isFilled && !required) whole[name] = null;
    if (given !== undefined && type.kind === 'embedded') whole[name] = writeWithin(given, type.type);
  }
  return whole;
}

/** What does not fit its type stays as it is. */
function writeWithin(value: Json, type: EmbeddedType): Json {
  if (Array.isArray(value)) return value.map((item) => writeWithin(item, type));
  const kind = isJsonObject(value) ? kindOf(type, value) : undefined;
  return kind && isJsonObject(value) ? writeNulls(value, kind.fields) : value;
}
