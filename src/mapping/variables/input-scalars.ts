/**
 * What a value of each scalar may be, whether it comes as text or as JSON.
 */
import { isExactNumber } from '../../model/exact-numbers.ts';

/** One scalar as a request brings it. */
export interface InputScalar {
  /** What a value must be, fit to stand behind "must be ". */
  readonly expected: string;
  /** Reads a text exactly; what cannot be read so is `undefined`. */
  read(text: string): unknown;
  /** Whether a JSON value, or one that was read, will do. */
  accepts(value: unknown): boolean;
}

/** Finds a scalar by its name. What is not known here takes anything, and a text as it is. */
export function inputScalar(name: string): InputScalar {
  return scalars.get(name) ?? anything;
}

const asIs = (text: string) => text;
const isText = (value: unknown) => typeof value === 'string';

const anything: InputScalar = { expected: 'a value', read: asIs, accepts: () => true };
const text: InputScalar = { expected: 'a text', read: asIs, accepts: isText };

const wholeNumber = /^-?(0|[1-9][0-9]*)$/;
const jsonNumber = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

/** Reads the numbers of a form; minus zero is zero, which adding zero makes of it. */
const numberLike = (form: RegExp) => (text: string) =>
  form.test(text) && isExactNumber(text) ? Number(text) + 0 : undefined;

const scalars: ReadonlyMap<string, InputScalar> = new Map<string, InputScalar>([
  ['String', text],
  ['RichText', text],
  ['Url', text],
  ['ID', { ...text, accepts: (value) => isText(value) || Number.isSafeInteger(value) }],
  [
    'Int',
    {
      expected: 'a whole number from -2147483648 to 2147483647',
      read: numberLike(wholeNumber),
      accepts: (value) => Number.isInteger(value) && Number(value) === (Number(value) | 0),
    },
  ],
  [
    'EpochMillis',
    {
      expected: 'a whole number of milliseconds since 1970',
      read: numberLike(wholeNumber),
      accepts: Number.isSafeInteger,
    },
  ],
  ['Float', { expected: 'a number', read: numberLike(jsonNumber), accepts: Number.isFinite }],
  [
    'Boolean',
    {
      expected: 'true or false',
      read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
      accepts: (value) => typeof value === 'boolean',
    },
  ],
]);
