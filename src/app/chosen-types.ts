/**
 * Chooses the content types of a process: those of the folder that was given, otherwise those that its store was last served with,
 * otherwise those shipped with Colophon. If no folder was given, a notice says which types are used.
 */
import { resolve } from 'node:path';
import { loadSystemTypes } from '../access/system-types.ts';
import { badConfig, isDomainError } from '../base/errors.ts';
import { type Catalog, siteClass } from '../model/content-type.ts';
import { adapterOf } from '../store/open-store.ts';
import type { KnownTypes, ServedTypes } from '../store/served-types.ts';
import { boundLines, compareCatalogs } from '../types/compare-catalogs.ts';
import { loadTypes } from '../types/load-types.ts';
import { readSuppliedSources, readTypeSources, shippedTypesFolder } from '../types/type-sources.ts';
import type { Config } from './config/config.ts';

/** The content types of a process, and their source. */
export interface ChosenTypes {
  readonly catalog: Catalog;
  readonly types: ServedTypes;
  /** Says which types are used, for a caller who gave none; absent when the caller need not know. */
  readonly notice?: string;
  /** The types that the store has recorded. */
  readonly known: KnownTypes;
  /** How they differ from those that the store was last served with. */
  readonly differences: readonly string[];
}

/** Reads a folder of types in the form in which a store records them. */
export function readFolder(folder: string): ServedTypes {
  const sources = readTypeSources(folder).filter(({ supplied }) => !supplied);
  return { sources, folder: resolve(folder), areShipped: folder === shippedTypesFolder };
}

/** Builds the catalog of recorded types. Errors: bad_types. */
export const toCatalog = ({ sources }: ServedTypes): Catalog =>
  loadTypes([...readSuppliedSources(), ...sources]);

/**
 * Chooses the types for a command. With `isCompared`, types that were given are compared with those of the store; otherwise the
 * store is not opened for them.
 *
 * Errors: bad_types, bad_config, store_busy, store_failure.
 */
export async function chooseTypes(
  config: Config,
  { isCompared }: { isCompared: boolean },
): Promise<ChosenTypes> {
  const known = isCompared || !config.typesGiven ? await adapterOf(config).readTypes() : { populated: [] };
  const remembered = known.served && { types: known.served, catalog: loadServedTypes(known.served) };
  if (config.typesGiven || !remembered) {
    const types = readFolder(config.typesDir);
    const chosen = { types, catalog: toCatalog(types) };
    const differences = remembered ? compareCatalogs(remembered.catalog, chosen.catalog) : [];
    const notice = config.typesGiven ? undefined : describeMissingTypes(known, chosen.catalog);
    return { ...chosen, known, differences, ...(notice === undefined ? {} : { notice }) };
  }
  const notice = `no --types and no COLOPHON_TYPES: using those that the store was last served with, ${describe(remembered)}`;
  return { ...remembered, known, differences: [], ...(remembered.types.areShipped ? {} : { notice }) };
}

/**
 * Checks that a server which was given no types does not serve a store that was last served with other types than the shipped ones.
 *
 * Errors: bad_config, which names those types; the errors of the store.
 */
export async function assertServable(config: Config): Promise<void> {
  if (config.typesGiven) return;
  const { served } = await adapterOf(config).readTypes();
  if (!served || served.areShipped) return;
  const remembered = { types: served, catalog: loadServedTypes(served) };
  if (compareCatalogs(remembered.catalog, toCatalog(readFolder(config.typesDir))).length === 0) return;
  throw badConfig([
    {
      path: 'COLOPHON_TYPES',
      message:
        `is not given, and this store was last served with ${describe(remembered)}. ` +
        `Give a folder with --types or COLOPHON_TYPES; to serve the types that come with Colophon, --types ${shippedTypesFolder}`,
    },
  ]);
}

/** Lists the content types, without system types, of which a store that has recorded no types contains assets. */
export function populatedWithContent({ populated }: KnownTypes): string[] {
  const system = loadSystemTypes();
  return populated.filter((name) => name === siteClass || !system.types.has(name));
}

/** Describes how types differ from those last served, for an error or a warning. */
export function describeDifferences({ differences, known }: ChosenTypes): string {
  const from = known.served ? ` (of ${known.served.folder})` : '';
  return [
    `These are not the types that the store was last served with${from}:`,
    ...boundLines(differences),
  ].join('\n  ');
}

function loadServedTypes(served: ServedTypes): Catalog {
  try {
    return toCatalog(served);
  } catch (error) {
    if (!isDomainError(error, 'bad_types')) throw error;
    const message = `that it was last served with cannot be read by this version: ${error.message}`;
    throw badConfig([{ path: 'The types of the store', message }]);
  }
}

/** Warns that the shipped types lack types of the store. In a store that was never served, only the assets show them. */
function describeMissingTypes(known: KnownTypes, catalog: Catalog): string | undefined {
  const missing = populatedWithContent(known).filter((name) => !catalog.types.has(name));
  if (missing.length === 0) return undefined;
  return `no --types and no COLOPHON_TYPES: using the types that come with Colophon, which lack ${listNames(missing)} of this store`;
}

const describe = ({ types, catalog }: { types: ServedTypes; catalog: Catalog }) =>
  `the types of ${types.folder} (${listNames([...catalog.types.keys()].filter((name) => name !== siteClass))})`;

function listNames(names: readonly string[], maxNames = 5): string {
  const rest = names.length - maxNames;
  return rest > 0 ? `${names.slice(0, maxNames).join(', ')} and ${rest} more` : names.join(', ');
}
