/**
 * One page of a list, of which only as much is found as is asked for.
 */
import type { AssetPage } from '../../content/reading/read-chunks.ts';
import type { Asset } from '../../model/content-type.ts';

/** What is asked of a page. */
export interface WantedPage {
  items: boolean;
  count: boolean;
}

/** A page by fields that GraphQL calls when they are selected. */
export interface ListPage {
  items(): Promise<readonly Asset[]>;
  count(): Promise<number | undefined>;
}

/** Makes a page that is found once, when the fields that are called in one tick have said what is wanted. */
export function createListPage(find: (wanted: WantedPage) => Promise<AssetPage>): ListPage {
  const wanted: WantedPage = { items: false, count: false };
  let page: Promise<AssetPage> | undefined;
  const ask = (part: keyof WantedPage): Promise<AssetPage> => {
    wanted[part] = true;
    page ??= Promise.resolve(wanted).then(find);
    return page;
  };
  return {
    items: async () => (await ask('items')).items,
    count: async () => (await ask('count')).count,
  };
}
