/**
 * One page of a list, of which only the selected parts are read: its items, its count, or both.
 */
import type { Asset } from '../../model/content-type.ts';

/** The parts of a page that an operation selects. */
export interface WantedPage {
  items: boolean;
  count: boolean;
}

/** The parts that were read. */
export interface ReadPage {
  readonly items: readonly Asset[];
  readonly count?: number;
}

/** A page whose parts are read when they are asked for. */
export interface ListPage {
  items(): Promise<readonly Asset[]>;
  count(): Promise<number>;
}

/** Creates a page that `find` reads once, for all parts asked for in the same tick. */
export function createListPage(find: (wanted: WantedPage) => Promise<ReadPage>): ListPage {
  const wanted: WantedPage = { items: false, count: false };
  let page: Promise<ReadPage> | undefined;
  const ask = (part: keyof WantedPage): Promise<ReadPage> => {
    wanted[part] = true;
    page ??= Promise.resolve(wanted).then(find);
    return page;
  };
  return {
    items: async () => (await ask('items')).items,
    async count() {
      const { count } = await ask('count');
      if (count === undefined) throw new Error('the page was read without its count');
      return count;
    },
  };
}
