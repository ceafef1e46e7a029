/**
 * The items of a feed: what a follower has to do with its copy.
 */
import type { StoredText } from '../../store/port.ts';
import type { FeedQuery } from './feed-query.ts';
import type { TouchedAsset } from './touched-asset.ts';

/** `put`: store this asset. `leave`: it exists, but the feed no longer has it. `delete`: it does not exist any more. */
export type FeedItem =
  | { readonly op: 'put'; readonly text: StoredText }
  | { readonly op: 'leave' | 'delete'; readonly id: string; readonly type: string };

/** Items, and their JSON text, which is made once however many followers get it. */
export class FeedItems {
  readonly items: readonly FeedItem[];
  #json: Buffer | undefined;

  constructor(items: readonly FeedItem[]) {
    this.items = items;
  }

  /** Returns the JSON array in UTF-8. It has no line breaks. */
  toJson(): Buffer {
    this.#json ??= Buffer.from(`[${this.items.map(toText).join(',')}]`);
    return this.#json;
  }

  /** The assets that are sent. */
  get texts(): readonly StoredText[] {
    return this.items.flatMap((item) => (item.op === 'put' ? [item.text] : []));
  }
}

function toText(item: FeedItem): string {
  if (item.op !== 'put') return JSON.stringify(item);
  return `{"op":"put","asset":${item.text.text}}`;
}

/**
 * Decides what the changes of an asset mean for the followers of a query; `undefined` if nothing. Followers have the assets that
 * matched before the first entry, and maybe some as entries up to `sentUpTo` left them.
 */
export function toFeedItem(touched: TouchedAsset, query: FeedQuery, sentUpTo: number): FeedItem | undefined {
  const { id, now, text, entries } = touched;
  if (now && text && query.matches(now)) return { op: 'put', text: query.toSent(text) };
  const about = entries.findLast(({ type }) => query.types.has(type));
  if (!about) return undefined;
  // Nothing is known of an erased asset, so that every feed of its type reports it.
  const wasErased = entries.some(({ action, type }) => action === 'erase' && query.types.has(type));
  if (!wasErased && !touched.statesUpTo(sentUpTo).some(query.matches)) return undefined;
  const op = now && query.types.has(now._type) && !wasErased ? 'leave' : 'delete';
  return { op, id, type: about.type };
}
