/** Generators of assets of a content type, with awkward values from small pools. */
import fc from 'fast-check';
import type {
  Asset,
  ContentType,
  EmbeddedType,
  Field,
  Json,
  JsonObject,
  Reference,
  ScalarName,
  ValueType,
} from '../../src/model/content-type.ts';
import * as awkward from './awkward-values.ts';

/**
 * Generates assets of one content type; they are valid, but may break a `@constraint`.
 *
 * Shapes: a reference field gets one of `references` whose type it accepts (the asset need not exist) and is absent when there
 * is none; `_id` is one of `ids`.
 */
export function arbitraryAsset(request: {
  type: ContentType;
  ids: readonly string[];
  references: readonly Reference[];
}): fc.Arbitrary<Asset> {
  const { type, ids, references } = request;
  return fc
    .tuple(fc.constantFrom(...ids), arbitraryMembers(type.fields, references, 0))
    .map(([_id, members]) => ({ _id, _type: type.class, ...members }));
}

/**
 * Generates one asset per ID, of the given types in turn. They reference one another, and sometimes an asset that does not exist.
 */
export function arbitraryAssets(request: {
  types: readonly ContentType[];
  ids: readonly string[];
}): fc.Arbitrary<Asset[]> {
  const kinds = request.ids.map((id, index) => ({ id, type: request.types[index % request.types.length] }));
  const placed = kinds.flatMap(({ id, type }) => (type ? [{ id, type }] : []));
  const references = placed.map(({ id, type }) => ({ _ref: id, _type: type.class }));
  const dangling = request.types.map(({ class: _type }) => ({ _ref: danglingId, _type }));
  const assets = placed.map(({ id, type }) =>
    arbitraryAsset({ type, ids: [id], references: [...references, ...references, ...dangling] }),
  );
  return fc.tuple(...assets);
}

/** An id that no generated asset has. */
const danglingId = 'dddddddd-dddd-4ddd-8ddd-dddddddddddd';

function arbitraryMembers(
  fields: ReadonlyMap<string, Field>,
  references: readonly Reference[],
  depth: number,
): fc.Arbitrary<JsonObject> {
  const members = [...fields.values()].flatMap((field) => {
    const value = arbitraryField(field, references, depth);
    return value
      ? [{ name: field.name, value: field.required ? value : fc.option(value, { nil: undefined }) }]
      : [];
  });
  return fc.tuple(...members.map(({ value }) => value)).map((values) => {
    const entries = members.map(({ name }, index) => [name, values[index]] as const);
    // fromEntries defines members, so that no name such as __proto__ is special.
    return Object.fromEntries(
      entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  });
}

function arbitraryField(
  field: Field,
  references: readonly Reference[],
  depth: number,
): fc.Arbitrary<Json> | undefined {
  const value = arbitraryValue(field.type, references, depth);
  if (!value) return undefined;
  return field.list ? fc.array(value, { maxLength: 3 }) : value;
}

function arbitraryValue(
  type: ValueType,
  references: readonly Reference[],
  depth: number,
): fc.Arbitrary<Json> | undefined {
  switch (type.kind) {
    case 'scalar':
      return fc.constantFrom(...pools[type.scalar]);
    case 'enum':
      return fc.constantFrom(...type.values);
    case 'reference': {
      const fitting = references.filter(({ _type }) => type.targets.includes(_type));
      return fitting.length === 0
        ? undefined
        : fc.constantFrom(...fitting).map((reference) => ({ ...reference }));
    }
    case 'embedded':
      return depth < 2 ? arbitraryEmbedded(type.type, references, depth + 1) : undefined;
  }
}

function arbitraryEmbedded(
  type: EmbeddedType,
  references: readonly Reference[],
  depth: number,
): fc.Arbitrary<JsonObject> {
  const blocks = [...(type.kinds?.values() ?? [])].map((kind) =>
    arbitraryMembers(kind.fields, references, depth).map((members) => ({ _type: kind.name, ...members })),
  );
  return type.kinds ? fc.oneof(...blocks) : arbitraryMembers(type.fields, references, depth);
}

/** Values of each scalar. */
export const pools: { readonly [name in ScalarName]: readonly Json[] } = {
  String: awkward.awkwardTexts,
  ID: awkward.awkwardTexts,
  RichText: awkward.awkwardRichTexts,
  Url: awkward.awkwardUrls,
  Int: awkward.awkwardIntegers,
  Float: awkward.awkwardFloats,
  EpochMillis: awkward.awkwardMillis,
  Date: awkward.awkwardOrderedTexts.Date,
  DateTime: awkward.awkwardOrderedTexts.DateTime,
  Decimal: awkward.awkwardOrderedTexts.Decimal,
  Boolean: [true, false],
  JSON: awkward.awkwardJson,
};
