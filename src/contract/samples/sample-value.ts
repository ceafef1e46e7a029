/**
 * Makes up values that fit a JSON Schema: the least that is required, or all of it.
 *
 * What cannot be made up, such as a text of an intricate pattern, is said by `SampleImpossible`; an example can stand in.
 */
import type { Json, JsonObject } from '../../model/content-type.ts';
import { targetsOf } from '../apis/content-types.ts';
import { type ContractDocument, objectOf, type Schema } from '../apis/contract-document.ts';
import { compilePattern } from './pattern-text.ts';
import type { Draw } from './random-generator.ts';

/** Says which value cannot be made up, and why. */
export class SampleImpossible extends Error {}

/** What a value is made with. */
export interface Making {
  readonly draw: Draw;
  /** Whether optional members are wanted, too. */
  readonly full: boolean;
  /** A reference to an asset of one of these classes or type IDs, if there is one. */
  readonly refer: (targets: readonly string[]) => JsonObject | undefined;
}

/** Makes values that fit schemas of one document. */
export type ValueMaker = (schema: Json | undefined, making: Making) => Json;

/** How deep optional members are made inside one another, for a type may contain itself. */
const maxDepth = 3;

/** Makes a maker of values. */
export function createValueMaker(document: ContractDocument): ValueMaker {
  function make(node: Json | undefined, making: Making, depth: number): Json {
    const schema = document.follow(node);
    if (schema.const !== undefined) return schema.const;
    if (Array.isArray(schema.enum)) return making.draw.one(schema.enum) ?? null;
    const options = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(options)) return make(firstReal(document, options), making, depth);
    switch (typesOf(schema)[0]) {
      case 'object':
        return makeObject(schema, making, depth);
      case 'array':
        return makeList(schema, making, depth);
      case 'string':
        return makeText(schema, making);
      case 'integer':
      case 'number':
        return makeNumber(schema, making);
      case 'boolean':
        return making.draw.whole(2) === 1;
      case 'null':
        return null;
      default:
        return { drawn: making.draw.word(6), list: [1, 'two', null, { deep: true }] };
    }
  }

  function makeObject(schema: Schema, making: Making, depth: number): Json {
    const targets = targetsOf(schema);
    if (targets) {
      const reference = making.refer(targets);
      if (reference) return reference;
      throw new SampleImpossible(`there is no asset of ${targets[0]} to refer to`);
    }
    const required = Array.isArray(schema.required) ? schema.required : [];
    const made: JsonObject = {};
    for (const [name, member] of Object.entries(objectOf(schema.properties))) {
      const isRequired = required.includes(name);
      if (!isRequired && (!making.full || depth >= maxDepth)) continue;
      try {
        made[name] = make(member, making, depth + 1);
      } catch (error) {
        if (!(error instanceof SampleImpossible)) throw error;
        if (isRequired) throw new SampleImpossible(`${name}: ${error.message}`);
      }
    }
    return made;
  }

  function makeList(schema: Schema, making: Making, depth: number): Json {
    const least = numberOf(schema.minItems, 0);
    const wanted = making.full && depth < maxDepth ? 2 : 0;
    const length = Math.min(numberOf(schema.maxItems, Infinity), Math.max(least, wanted));
    const items: Json[] = [];
    // Items that may not repeat are drawn until they differ; what has too few of them ends the attempts.
    for (let attempts = 0; items.length < length && attempts < length + 100; attempts++) {
      const item = make(schema.items, making, depth + 1);
      const isNew = schema.uniqueItems !== true || !items.some((other) => isSame(other, item));
      if (isNew) items.push(item);
    }
    return items;
  }

  return (schema, making) => make(schema, making, 0);
}

/** The types that a schema allows, null last. */
export function typesOf({ type }: Schema): readonly string[] {
  const types = Array.isArray(type) ? type.map(String) : type === undefined ? [] : [String(type)];
  return types.toSorted((a, b) => Number(a === 'null') - Number(b === 'null'));
}

/** A number of a schema, or what stands for its absence. */
export function numberOf(value: Json | undefined, absent: number): number {
  return typeof value === 'number' ? value : absent;
}

const isSame = (a: Json, b: Json) => JSON.stringify(a) === JSON.stringify(b);

function firstReal(document: ContractDocument, options: readonly Json[]): Json | undefined {
  return options.find((option) => document.follow(option).type !== 'null');
}

function makeText(schema: Schema, { draw }: Making): string {
  const least = numberOf(schema.minLength, 0);
  const most = numberOf(schema.maxLength, Infinity);
  if (schema.format === 'uuid') return draw.uuid();
  if (schema.format === 'uri') return `https://example.org/${draw.word(12)}`;
  if (typeof schema.pattern === 'string') return matching(schema.pattern, { schema, draw, least, most });
  // A few words, some letters of which no alphabet is the whole story.
  const words = `${draw.word(7)} Ärger, ${draw.word(5)} ${draw.word(9)} 東京`;
  const text = schema.contentMediaType === 'text/html' ? `<p>${words} <b>bold</b></p>` : words;
  const filled = [...text, ...Array.from({ length: Math.max(0, least - [...text].length) }, () => 'x')];
  return filled.slice(0, most).join('');
}

/** A text of a pattern; of several that would do the longest, where no two may be the same. */
function matching(
  pattern: string,
  { schema, draw, least, most }: { schema: Schema; draw: Draw; least: number; most: number },
): string {
  const part = compilePattern(pattern);
  const isMatch = new RegExp(pattern, 'u');
  const wanted = schema['x-unique'] === true ? 20 : 1;
  const found: string[] = [];
  for (let attempt = 0; part && attempt < 400 && found.length < wanted; attempt++) {
    const room = Math.min(most, 8 + (attempt % 50) * Math.max(1, Math.ceil(least / 10)));
    const text = part(draw, room);
    const length = [...text].length;
    if (isMatch.test(text) && length >= least && length <= most) found.push(text);
  }
  const [longest] = found.toSorted((a, b) => b.length - a.length);
  if (longest !== undefined) return longest;
  throw new SampleImpossible(
    `a text that matches ${pattern} cannot be made up; give examples with --samples`,
  );
}

function makeNumber(schema: Schema, { draw }: Making): number {
  const isWhole = typesOf(schema)[0] === 'integer';
  const isDate = schema.format === 'int64';
  const least = numberOf(
    schema.minimum,
    isDate ? 1_500_000_000_000 : Math.min(0, numberOf(schema.maximum, 0)),
  );
  const span = isDate ? 200_000_000_000 : schema['x-unique'] === true ? 1_000_000_000 : 1_000;
  const most = Math.min(numberOf(schema.maximum, Infinity), least + span);
  if (isWhole) return Math.ceil(least) + draw.whole(Math.floor(most) - Math.ceil(least) + 1);
  // Fractions that a double holds exactly, so that no store can be blamed for rounding.
  return least + ((most - least) * draw.whole(65)) / 64;
}
