/**
 * Searches lists and cuts pages out of them.
 */

/** The parameters of a page, as a request has them. */
export interface PageParameters {
  readonly search?: string | undefined;
  readonly offset?: number | string | undefined;
  readonly limit?: number | string | undefined;
}

const defaultLimit = 20;

/** Returns the items of a page. */
export function pageOf<Item>(items: readonly Item[], { offset = 0, limit = defaultLimit }: PageParameters) {
  const start = Number(offset);
  return items.slice(start, start + Number(limit));
}

/** Creates the function that tells whether one of some texts contains what is searched for; without a search, all do. */
export function createSearch({ search }: PageParameters): (texts: readonly string[]) => boolean {
  if (search === undefined) return () => true;
  const wanted = search.toLowerCase();
  return (texts) => texts.some((text) => text.toLowerCase().includes(wanted));
}

/** Orders by name, as people read names. */
export function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name.localeCompare(other.name, 'en');
}
