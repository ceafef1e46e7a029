/**
 * The values that the browser keeps for the next time a route is tried. Nothing that may be secret is kept.
 */
import type { MappingMethod } from 'colophon-client/admin';
import { browserValues } from '../../../kept-values.ts';

/** What the user has chosen and typed. */
export interface TriedValues {
  readonly method?: MappingMethod;
  readonly place?: 'query' | 'body';
  readonly sender?: 'administrator' | 'caller';
  /** The texts of the variables by name. */
  readonly variables: Readonly<Record<string, string>>;
  /** Headers, one in each line. */
  readonly headers: string;
}

/** No values. */
export const noValues: TriedValues = { variables: {}, headers: '' };

/** The headers that are kept: those that say how a request is answered, and never who sends it. */
const keptHeaders = [
  'accept',
  'accept-language',
  'cache-control',
  'if-match',
  'if-none-match',
  'traceparent',
  'x-request-id',
  'x-run',
];

const mayBeSecret = /pass(word|phrase|wd)|secret|token|credential|api[-_]?key/i;

/** Leaves out all headers that may be secret, and the variables whose names say that they are. */
export function withoutSecrets({ variables, headers, ...choices }: TriedValues): TriedValues {
  return {
    ...choices,
    variables: Object.fromEntries(Object.entries(variables).filter(([name]) => !mayBeSecret.test(name))),
    headers: headers
      .split('\n')
      .filter((line) => keptHeaders.includes(line.split(':')[0]?.trim().toLowerCase() ?? ''))
      .join('\n'),
  };
}

/** Reads the values that were kept under a key. */
export function readValues(key: string | undefined): TriedValues {
  return key === undefined ? noValues : toValues(browserValues.getJson(key));
}

/** Keeps values under a key. */
export function keepValues(key: string | undefined, values: TriedValues): void {
  if (key !== undefined) browserValues.set(key, JSON.stringify(withoutSecrets(values)));
}

/** What was kept may be from another version of this page. */
function toValues(kept: unknown): TriedValues {
  if (typeof kept !== 'object' || kept === null) return noValues;
  const { method, place, sender, variables, headers }: Record<keyof TriedValues, unknown> = {
    method: undefined,
    place: undefined,
    sender: undefined,
    variables: undefined,
    headers: undefined,
    ...kept,
  };
  const texts = typeof variables === 'object' && variables !== null ? Object.entries(variables) : [];
  return {
    ...(isOneOf(method, ['GET', 'POST', 'PUT', 'DELETE'] as const) && { method }),
    ...(isOneOf(place, ['query', 'body'] as const) && { place }),
    ...(isOneOf(sender, ['administrator', 'caller'] as const) && { sender }),
    variables: Object.fromEntries(texts.filter(([, text]) => typeof text === 'string')),
    headers: typeof headers === 'string' ? headers : '',
  };
}

function isOneOf<Word extends string>(value: unknown, words: readonly Word[]): value is Word {
  return words.some((word) => word === value);
}
