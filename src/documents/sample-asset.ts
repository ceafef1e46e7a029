/**
 * Builds example assets for the schemas of content types: plausible, deterministic and valid for the type.
 */

import {
  type Constraint,
  type ContentType,
  type EmbeddedType,
  type Field,
  isFileType,
  type Json,
  type JsonObject,
  type ScalarName,
  type ValueType,
} from '../model/content-type.ts';
import type { AssetValidator } from '../model/values/validate-asset.ts';
import { compilePattern } from '../text/compile-pattern.ts';

/** The `_id` in examples. */
export const sampleId = '01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7';
/** The time in examples, in milliseconds since 1970-01-01T00:00Z. */
export const sampleMs = 1_763_704_800_000;

/** The depth from which examples leave out optional fields. */
const maxDepth = 2;

/** Builds the fields of an example; `undefined` when no sample text matches a required pattern. */
export function toSampleFields(type: ContentType, validator: AssetValidator): JsonObject | undefined {
  const sample = sampleOf(type.fields, 0);
  return validator.checkNew({ _type: type.class, ...sample }).problems.length === 0 ? sample : undefined;
}

function sampleOf(fields: ReadonlyMap<string, Field>, depth: number): JsonObject {
  const members = [...fields.values()].flatMap((field) => {
    if (!field.required && (depth >= maxDepth || isSystemField(field))) return [];
    const value = fieldSample(field, depth);
    return value === undefined ? [] : [[field.name, value] as const];
  });
  return Object.fromEntries(members);
}

/** Tells whether the server sets a field. Every type has these fields. */
const isSystemField = ({ name }: Field) => name.startsWith('cms.');

function fieldSample(field: Field, depth: number): Json | undefined {
  const value = valueSample(field, depth);
  if (!field.list || value === undefined) return value;
  return Array.from({ length: Math.max(1, field.constraint.minItems ?? 1) }, () => value);
}

function valueSample({ name, type, constraint }: Field, depth: number): Json | undefined {
  switch (type.kind) {
    case 'scalar':
      return scalarSample(type.scalar, constraint, name);
    case 'enum':
      return type.values[0];
    case 'reference':
      return referenceSample(type);
    case 'embedded':
      return embeddedSample(type.type, depth + 1);
  }
}

/** Builds an example of an embedded value; of blocks, one of the first kind. */
function embeddedSample(type: EmbeddedType, depth: number): JsonObject {
  if (isFileType(type)) return sampleFile;
  const [kind] = type.kinds?.values() ?? [];
  return kind ? { _type: kind.name, ...sampleOf(kind.fields, depth) } : sampleOf(type.fields, depth);
}

const sampleFile: JsonObject = {
  hash: '6a1f0d7c4be2935e8801c7ad53b9f24e06d8173fca5592eb4e7710bd93a6c25f',
  name: 'harbour.jpg',
  mediaType: 'image/jpeg',
  bytes: 184_320,
  width: 1600,
  height: 1067,
  alt: 'Fishing boats in a harbour',
};

function referenceSample({ targets }: Extract<ValueType, { kind: 'reference' }>): Json | undefined {
  const [target] = targets;
  return target === undefined ? undefined : { _ref: sampleId, _type: target };
}

function scalarSample(scalar: ScalarName, constraint: Constraint, name: string): Json | undefined {
  switch (scalar) {
    case 'String':
    case 'ID':
      return textSample(constraint, [words(name), ...texts]);
    case 'RichText':
      return textSample(constraint, [`<p>${words(name)}</p>`, ...texts]);
    case 'Url':
      return textSample(constraint, ['https://example.com/', 'https://example.com/about-us']);
    case 'Int':
      return numberSample(constraint, [20, 1, 0]);
    case 'Float':
      return numberSample(constraint, [0.5, 1, 0]);
    case 'EpochMillis':
      return numberSample(constraint, [sampleMs]);
    case 'Date':
      return '2026-01-31';
    case 'DateTime':
      return '2026-01-31T18:30:00+01:00';
    case 'Decimal':
      return numberSample(constraint, [12.5, 1, 0])?.toString();
    case 'Boolean':
      return true;
    case 'JSON':
      return { key: 'value' };
  }
}

/** Texts in forms that patterns often require. */
const texts = [
  'about-us',
  'about_us',
  'about',
  'About',
  'A1',
  'ABC',
  'ABC-123',
  'a',
  'A',
  '1',
  '12',
  '2026-01-31',
];
const moreTexts = [
  '2026',
  '12:30',
  'ada@example.com',
  '+49 30 123456',
  '#aabbcc',
  '1.0.0',
  'en',
  'en-GB',
  sampleId,
];

function textSample({ pattern, minLength = 0, maxLength = Infinity }: Constraint, wanted: readonly string[]) {
  const matches = pattern === undefined ? undefined : compilePattern(pattern);
  return [...wanted, ...moreTexts]
    .map((text) => text.padEnd(minLength, text.at(-1)))
    .find((text) => [...text].length <= maxLength && (matches?.(text) ?? true));
}

function numberSample({ min, max }: Constraint, wanted: readonly number[]): number | undefined {
  const bounds = [min, max].flatMap((bound) => (bound === undefined ? [] : [bound]));
  return [...wanted, ...bounds].find((number) => number >= (min ?? -Infinity) && number <= (max ?? Infinity));
}

/** Turns a field name such as `firstName` into words: `First name`. */
function words(name: string): string {
  const text = name
    .replaceAll(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
