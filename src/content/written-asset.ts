/**
 * What a write of one asset returns: the asset after the write, as an object or as JSON text, and the entry in the change log.
 */
import type { Asset } from '../model/content-type.ts';
import type { ContentStore, StoredAsset, StoredText } from '../store/port.ts';

/** What a write has done. */
export interface Written {
  /** The `id` of the entry in the change log; absent when the store keeps none. */
  readonly change?: string;
}

/** An asset after a write. */
export type WrittenAsset = StoredAsset & Written;

/** An asset after a write, as JSON text. */
export type WrittenText = StoredText & Written;

/** Returns the change of a write, whose entry has this `id` if the store keeps a log. */
export const changeOf = ({ capabilities }: ContentStore, change: string | undefined): Written =>
  change !== undefined && capabilities.changes ? { change } : {};

/** Parses the text of a written asset. */
export function parseWritten({ text, version, change }: WrittenText): WrittenAsset {
  // Every stored text is that of an asset.
  return { asset: JSON.parse(text) as Asset, version, ...(change !== undefined && { change }) };
}
