/**
 * One page of a list, of which only the selected parts are read: its items, its count, the cursor of the next page, or counted values
 * of fields.
 */
import type { Asset } from '../../model/content-type.ts';
import type { FacetValue } from '../../query/facets.ts';

/** The parts of a page that an operation selects. */
export interface WantedPage {
  items: boolean;
  count: boolean;
  next: boolean;
}

/** The parts that were read. */
export interface ReadPage {
  readonly items: readonly Asset[];
  readonly count?: number;
  readonly next?: string;
}

/** The most frequent values of a field; `path` has JSON names. */
export interface CountedField {
  readonly path: string;
  readonly values: readonly FacetValue[];
}

/** A page whose parts are read when they are asked for. */
export type ListPage = ReturnType<typeof createListPage>;

export interface PageReads {
  /** Reads a page once, for all parts asked for in the same tick. Checks all arguments of the list, whatever is wanted. */
  find(wanted: WantedPage): Promise<ReadPage>;
  facets(paths: readonly string[]): Promise<readonly CountedField[]>;
}

export function createListPage({ find, facets }: PageReads) {
  const wanted: WantedPage = { items: false, count: false, next: false };
  let page: Promise<ReadPage> | undefined;
  const read = (): Promise<ReadPage> => {
    page ??= Promise.resolve(wanted).then(find);
    return page;
  };
  const ask = (part: keyof WantedPage): Promise<ReadPage> => {
    wanted[part] = true;
    return read();
  };
  return {
    items: async (): Promise<readonly Asset[]> => (await ask('items')).items,
    async count(): Promise<number> {
      const { count } = await ask('count');
      if (count === undefined) throw new Error('the page was read without its count');
      return count;
    },
    /** Returns null when nothing follows, and for a page without a cursor. */
    next: async (): Promise<string | null> => (await ask('next')).next ?? null,
    async facets(paths: readonly string[]): Promise<readonly CountedField[]> {
      const [counted] = await Promise.all([facets(paths), read()]);
      return counted;
    },
  };
}
