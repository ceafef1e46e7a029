/** Catalogs for tests, made from SDL as an installation's are. */
import type { Catalog } from '../../src/model/content-type.ts';
import { loadTypes } from '../../src/model/load-types.ts';
import { readSuppliedSources, readTypeSources, shippedTypesFolder } from '../../src/model/type-sources.ts';

/** The catalog of the shipped types. */
export function shippedCatalog(): Catalog {
  return loadTypes(readTypeSources(shippedTypesFolder));
}

/** The catalog of one SDL text, with what Colophon supplies. */
export function catalogOf(sdl: string): Catalog {
  return loadTypes([...readSuppliedSources(), { file: 'types.graphql', text: sdl }]);
}
