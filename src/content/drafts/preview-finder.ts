/**
 * Reads for callers of whom each may ask for the live content or for that of a release, as `Caller.release` says.
 */
import type { AssetFinder, AssetQuery, Caller } from '../reading/find-assets.ts';

/** Creates the finder. `finderIn` returns that of a release for a caller. */
export function createPreviewFinder(
  live: AssetFinder,
  finderIn: (release: string, caller: Caller) => AssetFinder,
): AssetFinder {
  const of = (caller: Caller) => (caller.release === undefined ? live : finderIn(caller.release, caller));
  /** Binds the cursors of a query to the release. */
  const bound = (query: AssetQuery, { release }: Caller): AssetQuery =>
    release === undefined ? query : { ...query, boundTo: [...(query.boundTo ?? []), release] };
  return {
    get: (id, caller) => of(caller).get(id, caller),
    getText: (id, caller) => of(caller).getText(id, caller),
    getMany: (ids, caller) => of(caller).getMany(ids, caller),
    find: (query, caller) => of(caller).find(bound(query, caller), caller),
    open: (query, caller) => of(caller).open(bound(query, caller), caller),
    openTexts: (query, caller) => of(caller).openTexts(bound(query, caller), caller),
    check: (terms, caller) => of(caller).check(terms, caller),
    facets: (query, caller) => of(caller).facets(query, caller),
    explain: (query, caller) => of(caller).explain(query, caller),
  };
}
