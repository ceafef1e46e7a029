/**
 * Names the counted values of fields by their paths.
 */
import { invalidParameter } from '../../base/errors.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { FacetValue } from '../../query/facets.ts';
import { toWrittenValue } from '../../query/order-keys.ts';
import type { FoundFacets } from '../../store/facets.ts';

/** The most frequent values of each field by its path. */
export type Facets = Readonly<Record<string, readonly FacetValue[]>>;

/** Longer texts are no values to choose from, and many of them would make a response too large. */
const maxCharacters = 2_000;

/** Returns the values of each path. Errors: invalid_parameter `facets` for a field with a text of more than 2,000 characters. */
export function toFacets(paths: readonly FieldPath[], found: FoundFacets): Facets {
  return Object.fromEntries(
    paths.map((path, n) => {
      const { text } = path;
      const values = (found[n] ?? []).map(({ value, count }) => ({
        value: toWrittenValue(path, value),
        count,
      }));
      const long = values.some(({ value }) => typeof value === 'string' && value.length > maxCharacters);
      if (!long) return [text, values];
      const reason = `cannot count the values of ${JSON.stringify(text)}: one has more than ${maxCharacters} characters`;
      throw invalidParameter('facets', reason);
    }),
  );
}
