/**
 * The titles of assets.
 */
import { queryOptions } from '@tanstack/react-query';
import type { Asset, ContentType } from 'colophon-client/admin';
import { admin, answer, type TitledAsset } from '../../api.ts';
import { inRelease } from '../releases/work-release.ts';
import { isWithin } from './field-label.ts';

/** The title of an asset with its ID and type; null if it does not exist. */
export const assetTitle = (id: string) =>
  queryOptions({ queryKey: ['contents', 'title', id], queryFn: () => loadTitle(id), staleTime: 60_000 });

/** How many titles the server returns to one request. */
const maxIds = 200;

const loadTitle = createTitleLoader(
  async (ids) => (await answer(admin.listTitles({ body: { ids }, query: inRelease() }))).items,
);

interface Waiting {
  readonly id: string;
  readonly resolve: (title: TitledAsset | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Creates a function that loads the title of one asset, and waits a moment for others to load with it. */
function createTitleLoader(load: (ids: string[]) => Promise<readonly TitledAsset[]>) {
  let waiting: Waiting[] = [];

  async function loadAll(some: readonly Waiting[]): Promise<void> {
    try {
      const titles = await load([...new Set(some.map(({ id }) => id))]);
      const byId = new Map(titles.map((title) => [title._id, title]));
      for (const { id, resolve } of some) resolve(byId.get(id.toLowerCase()) ?? null);
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }

  function sendAll(): void {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += maxIds) void loadAll(all.slice(start, start + maxIds));
  }

  return (id: string) =>
    new Promise<TitledAsset | null>((resolve, reject) => {
      if (waiting.length === 0) setTimeout(sendAll);
      waiting.push({ id, resolve, reject });
    });
}

/** The value at a path of JSON names, which themselves may have dots, in an asset or a draft. */
export function valueAt(holder: unknown, path: string | undefined): unknown {
  if (path === undefined || typeof holder !== 'object' || holder === null) return undefined;
  const found = Object.entries(holder).find(([name]) => isWithin(path, name));
  if (!found) return undefined;
  const [name, value] = found;
  return name === path ? value : valueAt(value, path.slice(name.length + 1));
}

/** The title of an asset; its ID when no field names it or its type is not loaded yet. */
export function titleOf(asset: Asset, type: ContentType | undefined): string {
  const title = valueAt(asset, type?.titleField);
  return typeof title === 'string' && title.trim() !== '' ? title : asset._id;
}

/** The address of the assets of a type. */
export const pathOfType = (className: string) => `/admin/content/${encodeURIComponent(className)}`;

/** The address of the page about a type. */
export const pathOfTypePage = (className: string) => `/admin/types/${encodeURIComponent(className)}`;

/** The address of the form of an asset; `new` in place of an ID makes one. */
export const pathOfAsset = ({ _id, _type }: Pick<Asset, '_id' | '_type'>) =>
  `${pathOfType(_type)}/${encodeURIComponent(_id)}`;
