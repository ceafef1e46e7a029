/**
 * The two forms in which a store returns assets, objects and texts, for reads that handle both alike.
 */
import { jsonBytes } from '../../base/json-bytes.ts';
import type { Asset } from '../../model/content-type.ts';
import type { AssetCalls, StoredAsset, StoredText } from '../../store/port.ts';

/** The reads of a store in one form. */
export interface FormedReads<Item> extends Omit<AssetCalls<Item>, 'patch'> {
  fromStored(stored: StoredAsset): Item;
  toStored(item: Item): StoredAsset;
  idOf(item: Item): string;
  bytesOf(item: Item): number;
}

/** How objects are converted. */
export const objectForm = {
  fromStored: (stored: StoredAsset) => stored,
  toStored: (stored: StoredAsset) => stored,
  idOf: ({ asset }: StoredAsset) => asset._id,
  bytesOf: ({ asset }: StoredAsset) => jsonBytes(asset),
};

/** How texts are converted. */
export const textForm = {
  fromStored: ({ asset, version }: StoredAsset): StoredText => ({
    id: asset._id,
    type: asset._type,
    text: JSON.stringify(asset),
    version,
  }),
  // Every stored text is that of an asset.
  toStored: ({ text, version }: StoredText): StoredAsset => ({ asset: JSON.parse(text) as Asset, version }),
  idOf: ({ id }: StoredText) => id,
  bytesOf: ({ text }: StoredText) => Buffer.byteLength(text),
};
