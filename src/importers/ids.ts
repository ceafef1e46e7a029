/**
 * The `_id`s of assets: UUIDs made of the identifiers of the source, so that the same source gives the same ones.
 */
import { v5 } from 'uuid';

/** Returns the `_id` of an item of a system; `kind` tells items apart that have the same identifier. */
export const idOf = (system: string, kind: string, id: string): string =>
  v5(`https://colophon.example/import/${system}/${kind}/${id}`, v5.URL);
