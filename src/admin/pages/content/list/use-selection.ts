/**
 * The assets that are selected in a list, on all of its pages.
 */
import { useState } from 'react';
import { type Asset, admin, answer, type ContentType } from '../../../api.ts';
import { inRelease } from '../../../parts/releases/work-release.ts';

/** A selected asset with its title. */
export interface SelectedAsset {
  readonly asset: Pick<Asset, '_id' | '_type'>;
  readonly name: string;
}

/** The selection. */
export interface Selection {
  readonly items: readonly SelectedAsset[];
  readonly has: (id: string) => boolean;
  /** Selects assets, or no longer selects them. */
  readonly set: (assets: readonly SelectedAsset[], isSelected: boolean) => void;
  /** Selects these and no others. */
  readonly replace: (assets: readonly SelectedAsset[]) => void;
}

/** Holds the selection while the list is open. */
export function useSelection(): Selection {
  const [selected, setSelected] = useState<ReadonlyMap<string, SelectedAsset>>(new Map());
  return {
    items: [...selected.values()],
    has: (id) => selected.has(id),
    set: (assets, isSelected) =>
      setSelected((before) => {
        const next = new Map(before);
        for (const each of assets) {
          if (isSelected) next.set(each.asset._id, each);
          else next.delete(each.asset._id);
        }
        return next;
      }),
    replace: (assets) => setSelected(new Map(assets.map((each) => [each.asset._id, each]))),
  };
}

/** The most assets that one request returns. */
export const maxSelected = 1000;

/** Returns the assets that still exist, by their IDs; with `fields` only these. `query` names another release than the one to work in. */
export async function findSelected(
  type: ContentType,
  items: readonly SelectedAsset[],
  fields?: readonly string[],
  query: { release?: string } = inRelease(),
): Promise<ReadonlyMap<string, Asset>> {
  const values = items.map(({ asset }) => asset._id);
  const body = { from: type.class, where: '_id in ?', values: [values], limit: maxSelected };
  const found = await answer(
    admin.runQuery({ body: { ...body, ...(fields && { fields: [...fields] }) }, query }),
  );
  return new Map(found.items.map((asset) => [asset._id, asset]));
}

/** Downloads the assets as `colophon import` reads them, in the order of the selection. Returns how many no longer exist. */
export async function exportSelected(type: ContentType, items: readonly SelectedAsset[]): Promise<number> {
  const found = await findSelected(type, items);
  const present = items.flatMap(({ asset }) => found.get(asset._id) ?? []);
  const lines = present.map((asset) => `${JSON.stringify(asset)}\n`);
  const url = URL.createObjectURL(new Blob(lines, { type: 'application/x-ndjson' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: `${type.name}.ndjson` });
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return items.length - present.length;
}
