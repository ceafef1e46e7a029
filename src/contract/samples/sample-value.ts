/**
 * Generates values that fit a JSON Schema, with the required members alone or with all members.
 *
 * Throws `SampleImpossible` where it cannot, such as for a complex pattern; the user can then give an example. Texts that
 * match a pattern have its literals, classes, groups, alternatives and repetitions; not look-around, back-references or Unicode properties.
 */

import type { Json, JsonObject } from '../../model/content-type.ts';
import { targetsOf } from '../apis/content-types.ts';
import { type ContractDocument, objectOf, type Schema } from '../apis/contract-document.ts';
import type { RandomGenerator } from './random-generator.ts';
import { isFileSchema, uploadedFile } from './uploaded-file.ts';
import { formatOf } from './value-formats.ts';

/** Says which value cannot be generated, and why. */
export class SampleImpossible extends Error {}

/** How a value is generated. */
export interface ValueOptions {
  readonly random: RandomGenerator;
  /** Whether to include optional members. */
  readonly full: boolean;
  /** A reference to an asset of one of these classes or type IDs, if there is one. */
  readonly refer: (targets: readonly string[]) => JsonObject | undefined;
}

/** Generates values for schemas of one document. */
export type ValueGenerator = (schema: Json | undefined, options: ValueOptions) => Json;

/** The depth to which optional members are included, since a type may contain itself. */
const maxDepth = 3;

export function createValueGenerator(document: ContractDocument): ValueGenerator {
  function make(node: Json | undefined, options: ValueOptions, depth: number): Json {
    const schema = document.follow(node);
    if (schema.const !== undefined) return schema.const;
    if (Array.isArray(schema.enum)) return options.random.one(schema.enum) ?? null;
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(alternatives)) return make(firstReal(document, alternatives), options, depth);
    switch (typesOf(schema)[0]) {
      case 'object':
        return makeObject(schema, options, depth);
      case 'array':
        return makeList(schema, options, depth);
      case 'string':
        return makeText(schema, options);
      case 'integer':
      case 'number':
        return makeNumber(schema, options);
      case 'boolean':
        return options.random.whole(2) === 1;
      case 'null':
        return null;
      default:
        return { word: options.random.word(6), list: [1, 'two', null, { deep: true }] };
    }
  }

  function makeObject(schema: Schema, options: ValueOptions, depth: number): Json {
    const targets = targetsOf(schema);
    if (targets) {
      const reference = options.refer(targets);
      if (reference) return reference;
      throw new SampleImpossible(`no asset of ${targets[0]} exists to refer to`);
    }
    if (isFileSchema(schema)) return { ...uploadedFile };
    const required = Array.isArray(schema.required) ? schema.required : [];
    const members: JsonObject = {};
    for (const [name, member] of Object.entries(objectOf(schema.properties))) {
      const isRequired = required.includes(name);
      // What has a default is sent as well, so that the value becomes what was sent.
      const isSent = isRequired || objectOf(member).default !== undefined;
      if (!isSent && (!options.full || depth >= maxDepth)) continue;
      try {
        members[name] = make(member, options, depth + 1);
      } catch (error) {
        if (!(error instanceof SampleImpossible)) throw error;
        if (isRequired) throw new SampleImpossible(`${name}: ${error.message}`);
      }
    }
    return members;
  }

  function makeList(schema: Schema, options: ValueOptions, depth: number): Json {
    const least = numberOf(schema.minItems, 0);
    const wanted = options.full && depth < maxDepth ? 2 : 0;
    const length = Math.min(numberOf(schema.maxItems, Infinity), Math.max(least, wanted));
    const items: Json[] = [];
    // Unique items are generated until they differ, for a limited number of attempts.
    for (let attempts = 0; items.length < length && attempts < length + 100; attempts++) {
      const item = make(schema.items, options, depth + 1);
      const isNew = schema.uniqueItems !== true || !items.some((other) => isSame(other, item));
      if (isNew) items.push(item);
    }
    return items;
  }

  return (schema, options) => make(schema, options, 0);
}

/** The types that a schema allows, null last. */
export function typesOf({ type }: Schema): readonly string[] {
  const types = Array.isArray(type) ? type.map(String) : type === undefined ? [] : [String(type)];
  return types.toSorted((a, b) => Number(a === 'null') - Number(b === 'null'));
}

/** A number of a schema, or the given default. */
export function numberOf(value: Json | undefined, absent: number): number {
  return typeof value === 'number' ? value : absent;
}

const isSame = (a: Json, b: Json) => JSON.stringify(a) === JSON.stringify(b);

function firstReal(document: ContractDocument, options: readonly Json[]): Json | undefined {
  return options.find((option) => document.follow(option).type !== 'null');
}

function makeText(schema: Schema, { random }: ValueOptions): string {
  const least = numberOf(schema.minLength, 0);
  const most = numberOf(schema.maxLength, Infinity);
  const sample = formatOf(schema)?.sample;
  if (sample) return sample(random);
  if (schema.format === 'decimal') return String(makeNumber(toNumberSchema(schema), { random }));
  if (typeof schema.pattern === 'string') return matching(schema.pattern, { schema, random, least, most });
  // A few words with letters from beyond ASCII.
  const words = `${random.word(7)} Ärger, ${random.word(5)} ${random.word(9)} 東京`;
  const text = schema.contentMediaType === 'text/html' ? `<p>${words} <b>bold</b></p>` : words;
  const filled = [...text, ...Array.from({ length: Math.max(0, least - [...text].length) }, () => 'x')];
  return filled.slice(0, most).join('');
}

/** A text that matches a pattern; for a unique field the longest of several, which is the least likely to repeat. */
function matching(
  pattern: string,
  { schema, random, least, most }: { schema: Schema; random: RandomGenerator; least: number; most: number },
): string {
  const part = compilePattern(pattern);
  const isMatch = new RegExp(pattern, 'u');
  const wanted = schema['x-unique'] === true ? 20 : 1;
  const found: string[] = [];
  for (let attempt = 0; part && attempt < 400 && found.length < wanted; attempt++) {
    const room = Math.min(most, 8 + (attempt % 50) * Math.max(1, Math.ceil(least / 10)));
    const text = part(random, room);
    const length = [...text].length;
    if (isMatch.test(text) && length >= least && length <= most) found.push(text);
  }
  const [longest] = found.toSorted((a, b) => b.length - a.length);
  if (longest !== undefined) return longest;
  throw new SampleImpossible(
    `a text that matches ${pattern} cannot be generated; give examples with --samples`,
  );
}

/** The schema of the numbers that a Decimal can be; whole ones, so that it needs no digits after the point. */
const toNumberSchema = (schema: Schema): Schema => ({
  type: 'integer',
  ...(typeof schema['x-minimum'] === 'number' && { minimum: schema['x-minimum'] }),
  ...(typeof schema['x-maximum'] === 'number' && { maximum: schema['x-maximum'] }),
  ...(schema['x-unique'] === true && { 'x-unique': true }),
});

function makeNumber(schema: Schema, { random }: Pick<ValueOptions, 'random'>): number {
  const isWhole = typesOf(schema)[0] === 'integer';
  const isDate = schema.format === 'int64';
  const least = numberOf(
    schema.minimum,
    isDate ? 1_500_000_000_000 : Math.min(0, numberOf(schema.maximum, 0)),
  );
  const span = isDate ? 200_000_000_000 : schema['x-unique'] === true ? 1_000_000_000 : 1_000;
  const most = Math.min(numberOf(schema.maximum, Infinity), least + span);
  if (isWhole) return Math.ceil(least) + random.whole(Math.floor(most) - Math.ceil(least) + 1);
  // Fractions that a double holds exactly, so that rounding cannot cause a difference.
  return least + ((most - least) * random.whole(65)) / 64;
}

// Generates texts that match a regular expression with literals, classes, groups, alternatives and repetitions. It gives up on
// look-around, back-references and Unicode properties.

/** A part of an expression: generates a text, with more repetitions the more `room` there is. */
type Part = (random: RandomGenerator, room: number) => string;

/** Compiles a pattern into a generator of texts; `undefined` when it is not supported. */
function compilePattern(pattern: string): Part | undefined {
  const source = [...pattern];
  let at = 0;
  const peek = () => source[at];
  const take = () => source[at++] ?? '';

  function alternatives(): Part {
    const options = [sequence()];
    while (peek() === '|') {
      take();
      options.push(sequence());
    }
    return (random, room) => random.one(options)?.(random, room) ?? '';
  }

  function sequence(): Part {
    const parts: Part[] = [];
    while (peek() !== undefined && peek() !== '|' && peek() !== ')') parts.push(repeated(atom()));
    return (random, room) => parts.map((part) => part(random, room)).join('');
  }

  function atom(): Part {
    const character = take();
    if (character === '(') return group();
    if (character === '[') return oneOf(characterClass());
    if (character === '.') return oneOf([...letters, ...digits]);
    if (character === '^' || character === '$') return () => '';
    return oneOf(character === '\\' ? escaped() : [character]);
  }

  function group(): Part {
    if (peek() === '?') {
      take();
      const kind = take();
      if (kind === '<' && peek() !== '=' && peek() !== '!') while (take() !== '>') assertMore();
      else if (kind !== ':') throw new UnsupportedPattern();
    }
    const inside = alternatives();
    if (take() !== ')') throw new UnsupportedPattern();
    return inside;
  }

  function characterClass(): readonly string[] {
    const isNegated = peek() === '^';
    if (isNegated) take();
    const members: string[] = [];
    while (peek() !== ']') {
      assertMore();
      const first = classMember();
      if (peek() === '-' && source[at + 1] !== ']') {
        take();
        members.push(...range(first[0] ?? '', classMember()[0] ?? ''));
      } else members.push(...first);
    }
    take();
    return isNegated ? [...letters, ...digits].filter((letter) => !members.includes(letter)) : members;
  }

  function classMember(): readonly string[] {
    const character = take();
    return character === '\\' ? escaped() : [character];
  }

  function escaped(): readonly string[] {
    const character = take();
    if (character === 'd') return digits;
    if (character === 'w') return [...letters, ...digits, '_'];
    if (character === 's') return [' '];
    if (character === 'S' || character === 'D') return letters;
    if (character === 'x') return [String.fromCharCode(Number.parseInt(take() + take(), 16))];
    if (/[A-Za-z0-9]/.test(character)) throw new UnsupportedPattern();
    return [character];
  }

  function repeated(part: Part): Part {
    const [least, most] = quantifier();
    if (most === 1 && least === 1) return part;
    if (peek() === '?') take();
    return (random, room) => {
      const count = least + random.whole(Math.min(most, least + room) - least + 1);
      return Array.from({ length: count }, () => part(random, Math.floor(room / 2))).join('');
    };
  }

  function quantifier(): readonly [least: number, most: number] {
    const next = peek();
    if (next === '*' || next === '+' || next === '?') {
      take();
      return [next === '+' ? 1 : 0, next === '?' ? 1 : Number.MAX_SAFE_INTEGER];
    }
    const braces = /^\{(\d+)(,?)(\d*)\}/.exec(source.slice(at, at + 20).join(''));
    if (!braces) return [1, 1];
    const [whole, least = '', comma, most] = braces;
    at += whole.length;
    return [Number(least), most ? Number(most) : comma ? Number.MAX_SAFE_INTEGER : Number(least)];
  }

  function assertMore(): void {
    if (peek() === undefined) throw new UnsupportedPattern();
  }

  try {
    const whole = alternatives();
    return at === source.length ? whole : undefined;
  } catch (error) {
    if (error instanceof UnsupportedPattern) return undefined;
    throw error;
  }
}

/** Says that a pattern is not supported. */
class UnsupportedPattern extends Error {}

const letters = range('a', 'z');
const digits = range('0', '9');

function range(from: string, to: string): string[] {
  const first = from.codePointAt(0) ?? 0;
  const last = to.codePointAt(0) ?? 0;
  if (last < first) throw new UnsupportedPattern();
  // The beginning of a class is enough, since it may span all of Unicode.
  const length = Math.min(last - first + 1, 1_000);
  return Array.from({ length }, (_, index) => String.fromCodePoint(first + index));
}

function oneOf(characters: readonly string[]): Part {
  if (characters.length === 0) throw new UnsupportedPattern();
  return (random) => random.one(characters) ?? '';
}
