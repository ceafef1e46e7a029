/** Catalogs for tests, loaded from SDL as in an installation. */
import { loadSystemTypes } from '../../src/access/system-types.ts';
import { isDomainError } from '../../src/base/errors.ts';
import type { Catalog } from '../../src/model/content-type.ts';
import { loadTypes } from '../../src/types/load-types.ts';
import { readSuppliedSources, readTypeSources, shippedTypesFolder } from '../../src/types/type-sources.ts';

let shipped: Catalog | undefined;
let system: Catalog | undefined;

/** Returns the catalog of the shipped types, which is loaded once. */
export function shippedCatalog(): Catalog {
  shipped ??= loadTypes(readTypeSources(shippedTypesFolder));
  return shipped;
}

/** Returns the catalog of Colophon's own records, which is loaded once. */
export function systemCatalog(): Catalog {
  system ??= loadSystemTypes();
  return system;
}

/** Loads the catalog of one SDL text, with the definitions that Colophon supplies. */
export function catalogOf(sdl: string): Catalog {
  return loadTypes([...readSuppliedSources(), { file: 'types.graphql', text: sdl }]);
}

/** The problems of one SDL text, as `file:line message`; none when it loads. */
export function typeProblems(sdl: string): string[] {
  try {
    catalogOf(sdl);
  } catch (error) {
    if (!isDomainError(error, 'bad_types')) throw error;
    return error.details.problems.map(({ file, line, message }) => `${file}:${line} ${message}`);
  }
  return [];
}
