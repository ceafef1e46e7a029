/**
 * Reads the selected assets with one request, and downloads them.
 */
import { type Asset, admin, answer, type ContentType } from '../../../../api.ts';
import { inRelease } from '../../../../parts/releases/work-release.ts';
import type { SelectedAsset } from '../use-selection.ts';

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
