/**
 * The assets that a run generates: for each content type with required fields and with all fields, from its schema, or from
 * examples where a value cannot be generated.
 */
import type { Asset, Json, JsonObject } from '../../model/content-type.ts';
import type { DocumentedType, DocumentedTypes } from '../apis/content-types.ts';
import { type ContractDocument, objectOf } from '../apis/contract-document.ts';
import type { RandomGenerator } from './random-generator.ts';
import { SampleImpossible, type ValueGenerator } from './sample-value.ts';

/** Generates assets to create, and remembers those that were created. */
export type Samples = ReturnType<typeof createSamples>;

/** Creates samples without any assets. */
export function createSamples({
  document,
  types,
  random,
  make,
  examples,
}: {
  document: ContractDocument;
  types: DocumentedTypes;
  random: RandomGenerator;
  make: ValueGenerator;
  examples: readonly JsonObject[];
}) {
  const byId = new Map<string, Asset>();
  const uses = new Map<string, number>();
  /** The remembered assets, of one class or of all. */
  const kept = (className?: string): readonly Asset[] =>
    [...byId.values()].filter(({ _type }) => className === undefined || _type === className);

  /** A reference to an existing asset; to the asset itself only when there is no other. */
  function refer(targets: readonly string[], self?: JsonObject): JsonObject | undefined {
    const classes = targets.map((name) => types.catalog.find(name)?.class ?? name);
    const target = random.one(kept().filter(({ _type }) => classes.includes(_type)));
    if (target) return { _ref: target._id, _type: target._type };
    return self && classes.includes(String(self._type))
      ? { _ref: self._id ?? '', _type: self._type ?? '' }
      : undefined;
  }

  function makeField(
    type: DocumentedType,
    name: string,
    { full, self }: { full: boolean; self?: JsonObject },
  ): Json {
    const example = nextExample(type, name);
    if (example !== undefined) return example;
    const schema = objectOf(document.at(type.added).properties)[name];
    const isInKey = type.keys.some((names) => names.includes(name));
    try {
      return make(isInKey ? { ...objectOf(schema), 'x-unique': true } : schema, {
        random,
        full,
        refer: (targets) => refer(targets, self),
      });
    } catch (error) {
      if (error instanceof SampleImpossible)
        throw new SampleImpossible(`${type.class}: ${name}: ${error.message}`);
      throw error;
    }
  }

  /** Generates the shortest valid list of a field; an empty one when its items cannot be generated. */
  function shortestList(type: DocumentedType, name: string): readonly Json[] {
    try {
      const items = makeField(type, name, { full: false });
      return Array.isArray(items) ? items : [];
    } catch (error) {
      if (error instanceof SampleImpossible) return [];
      throw error;
    }
  }

  /** Takes the values of examples one after the other, each once for a unique field. References are skipped: they name assets of others. */
  function nextExample(type: DocumentedType, name: string): Json | undefined {
    const field = type.fields.get(name);
    if (!field || field.type.kind === 'reference') return undefined;
    const values = examples.filter(({ _type }) => types.catalog.find(String(_type))?.class === type.class);
    const given = values.flatMap((example) => example[name] ?? []);
    const key = `${type.class} ${name}`;
    const used = uses.get(key) ?? 0;
    uses.set(key, used + 1);
    return field.indexed?.unique ? given[used] : given[used % Math.max(1, given.length)];
  }

  function makeAsset(type: DocumentedType, full: boolean): JsonObject {
    const asset: JsonObject = { _id: random.uuid(), _type: type.class };
    for (const [name, field] of type.fields) {
      // What has a default is sent as well, so that the asset becomes what was sent.
      if (!field.required && field.default === undefined && !full) continue;
      try {
        asset[name] = makeField(type, name, { full, self: asset });
      } catch (error) {
        if (field.required || !(error instanceof SampleImpossible)) throw error;
      }
    }
    return asset;
  }

  /** Makes values until one obeys the rules of a type. */
  function tryMaking<Made>(make: () => Made, isFit: (made: Made) => boolean): Made | undefined {
    for (let attempts = 0; attempts < maxAttempts; attempts++) {
      const made = make();
      if (isFit(made)) return made;
    }
    return undefined;
  }

  return {
    /** Generates an asset to create, with a new `_id`. Throws `SampleImpossible`. */
    make(type: DocumentedType, { full }: { readonly full: boolean }): JsonObject {
      const asset = tryMaking(
        () => makeAsset(type, full),
        (made) => obeys(type, made),
      );
      if (asset) return asset;
      const rules = type.checks.map(({ where }) => where).join(', ');
      throw new SampleImpossible(`${type.class}: no values were found that obey ${rules}`);
    },
    /** One field's value, with which an asset obeys the rules of its type; the value that it has where none was found. Throws `SampleImpossible`. */
    field(type: DocumentedType, name: string, asset: JsonObject): Json {
      const value = tryMaking(
        () => makeField(type, name, { full: true }),
        (made) => obeys(type, { ...asset, [name]: made }),
      );
      return value ?? asset[name] ?? null;
    },
    /** A field's value with a given reference: alone, or as the first of the shortest valid list. */
    referring(type: DocumentedType, name: string, reference: JsonObject): Json {
      if (!type.fields.get(name)?.list) return { ...reference };
      const others = shortestList(type, name);
      return [{ ...reference }, ...others.slice(1)];
    },
    /** Remembers an asset, for references and for cases that query assets. */
    keep: (asset: Asset): void => void byId.set(asset._id, asset),
    kept,
  };
}

/** How often values are made before an asset with rules is given up. */
const maxAttempts = 50;

/** Checks whether an asset obeys the rules of its type. */
export const obeys = ({ checks }: DocumentedType, asset: JsonObject): boolean =>
  !checks.some(({ isBroken }) => isBroken(asset));
