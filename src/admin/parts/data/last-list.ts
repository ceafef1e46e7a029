/**
 * The list that was open last, with its filter, order and page, so that one comes back to it from an asset.
 */
import type { ContentType } from '../../api.ts';
import { tabValues } from '../../kept-values.ts';
import { pathOfType } from './load-titles.ts';

const key = 'colophon.list';

/** Keeps the address of the list of a type for this tab; `search` is its query string with `?`, or empty. */
export function keepList(className: string, search: string): void {
  tabValues.set(key, JSON.stringify([className, search]));
}

/** The address of the list to which an asset of a type leads back: the last one, if it lists this type or an interface of it. */
export function pathOfList({
  class: className,
  interfaces,
}: Pick<ContentType, 'class' | 'interfaces'>): string {
  const [listed, search] = read();
  if (listed === undefined || (listed !== className && !interfaces.includes(listed)))
    return pathOfType(className);
  return pathOfType(listed) + search;
}

function read(): readonly [listed: string | undefined, search: string] {
  const kept = tabValues.getJson(key);
  return Array.isArray(kept) && kept.length === 2 ? [String(kept[0]), String(kept[1])] : [undefined, ''];
}
