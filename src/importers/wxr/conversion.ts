/**
 * What the conversion of items and comments of WordPress needs, and the references that it makes.
 */
import { idOf } from '../ids.ts';
import type { Report } from '../output/report.ts';
import type { WxrIndex } from './wxr-index.ts';

/** What conversion needs. */
export interface Conversion {
  readonly index: WxrIndex;
  readonly classPrefix: string;
  readonly report: Report;
  /** The numbers of items that were converted, to find those that are repeated. */
  readonly seen: Set<string>;
}

/** Creates a reference to an asset of a kind. */
export const refer = (
  { index, classPrefix }: Pick<Conversion, 'index' | 'classPrefix'>,
  kind: string,
  id: string,
) => ({
  _ref: idOf(index.site, kind, id),
  _type: `${classPrefix}.${index.typeName(kind)}`,
});
