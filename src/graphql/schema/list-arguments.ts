/**
 * Defines the arguments of lists as SDL: those of `Query`, and those of assets that refer to another.
 */
import type { ContentType } from '../../model/content-type.ts';
import { filterNameOf } from '../filters/filter-types.ts';

/** Defines the arguments of a list of assets of a type; `limit` describes the limits. */
export function listArguments({ name }: Pick<ContentType, 'name'>, limit: string): string {
  return `(
    "What the assets found have in common; combined with \`where\`, both hold." filter: ${filterNameOf(name)}
    "A predicate; without it, all are found." where: String
    "The values for the placeholders of the predicate, in order." values: [JSON!]
    "What to sort by, the most important first; the default is _id." sortBy: [SortInput!]
    "How many to skip." offset: Int
    "${limit}" limit: Int
    "Pages by cursor: an empty text for the first page, then the next of the page before; without offset." cursor: String
  )`;
}
