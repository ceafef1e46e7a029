/**
 * The formats of values in a CMA's document: for each, a value that has it, and one that does not. A format of a new scalar does not
 * compile until it has a row here.
 */
import type { Json } from '../../model/content-type.ts';
import type { ScalarFormat } from '../../model/values/scalars.ts';
import type { RandomGenerator } from './random-generator.ts';

/** How a format is followed and broken. */
interface ValueFormat {
  /** Makes a text of the format; absent for numbers, and for texts that the rest of the schema describes. */
  readonly sample?: (random: RandomGenerator) => string;
  /** A value of the right type without the format, and what is wrong with it; absent for what every number of its type has. */
  readonly wrong?: readonly [value: Json, wrong: string];
}

const makeMoment = (random: RandomGenerator) =>
  new Date(1_500_000_000_000 + random.whole(200_000_000_000)).toISOString();

const formats: Readonly<Record<ScalarFormat | 'uuid', ValueFormat>> = {
  uuid: { sample: (random) => random.uuid(), wrong: ['no-uuid', 'is not a UUID'] },
  uri: {
    sample: (random) => `https://example.org/${random.word(12)}`,
    wrong: ['no address', 'is not a URL'],
  },
  date: {
    sample: (random) => makeMoment(random).slice(0, 10),
    wrong: ['2023-02-29', 'is no day of the calendar'],
  },
  'date-time': {
    sample: (random) => `${makeMoment(random).slice(0, 19)}.25+05:30`,
    wrong: ['2024-02-29T12:00:00', 'has no offset'],
  },
  decimal: { wrong: ['1e3', 'has an exponent'] },
  int32: { wrong: [2 ** 31, 'has more than 32 bits'] },
  int64: { wrong: [8.64e15 + 1, 'is beyond the dates'] },
  double: {},
};

/** Finds how the format of a schema is followed and broken; `undefined` for a schema without one. */
export const formatOf = ({ format }: { readonly format?: Json }): ValueFormat | undefined =>
  typeof format === 'string' && Object.hasOwn(formats, format)
    ? formats[format as keyof typeof formats]
    : undefined;
