/**
 * Loads the titles of assets that pages refer to: those asked for at about the same time with one request.
 */
import { queryOptions } from '@tanstack/react-query';
import { admin, answer, type TitledAsset } from '../../api.ts';
import { inRelease } from '../releases/work-release.ts';

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
