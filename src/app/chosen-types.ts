/**
 * Which content types a process works with: those that were given, else those that its store was last served with, else those that
 * come with Colophon. What was chosen in place of a given folder is told, so that nothing is used in silence.
 */
import { resolve } from 'node:path';
import { loadSystemTypes } from '../access/system-types.ts';
import { badConfig, isDomainError } from '../base/errors.ts';
import { boundLines, compareCatalogs } from '../model/compare-catalogs.ts';
import type { Catalog } from '../model/content-type.ts';
import { loadTypes } from '../model/load-types.ts';
import { readSuppliedSources, readTypeSources, shippedTypesFolder } from '../model/type-sources.ts';
import { readKnownTypes } from '../store/open-store.ts';
import type { KnownTypes, ServedTypes } from '../store/served-types.ts';
import type { Config } from './config.ts';

/** Content types, and where they come from. */
export interface ChosenTypes {
  readonly catalog: Catalog;
  readonly types: ServedTypes;
  /** The message for a caller who named no types. */
  readonly notice?: string;
  /** The types that the store remembers. */
  readonly known: KnownTypes;
  /** How they differ from those that the store was last served with. */
  readonly differences: readonly string[];
}

/** Reads a folder of types as a store remembers them. */
export function readFolder(folder: string): ServedTypes {
  const sources = readTypeSources(folder).filter(({ supplied }) => !supplied);
  return { sources, folder: resolve(folder), areShipped: folder === shippedTypesFolder };
}

/** The catalog of types as a store remembers them. Errors: bad_types. */
export const toCatalog = ({ sources }: ServedTypes): Catalog =>
  loadTypes([...readSuppliedSources(), ...sources]);

/**
 * Chooses the types for a command. With `isCompared` given types are compared with the store's; without, they leave the store alone.
 *
 * Errors: bad_types, bad_config, store_busy, store_failure.
 */
export async function chooseTypes(
  config: Config,
  { isCompared }: { isCompared: boolean },
): Promise<ChosenTypes> {
  const known = isCompared || !config.typesGiven ? await readKnownTypes(config) : { populated: [] };
  const remembered = known.served && { types: known.served, catalog: recall(known.served) };
  const given = () => {
    const types = readFolder(config.typesDir);
    return { types, catalog: toCatalog(types) };
  };
  if (config.typesGiven || !remembered) {
    const chosen = given();
    const differences = remembered ? compareCatalogs(remembered.catalog, chosen.catalog) : [];
    const notice = config.typesGiven ? undefined : noticeOfShipped(known, chosen.catalog);
    return { ...chosen, known, differences, ...(notice === undefined ? {} : { notice }) };
  }
  const notice = `no --types and no COLOPHON_TYPES: using those that the store was last served with, ${describe(remembered)}`;
  return { ...remembered, known, differences: [], ...(remembered.types.areShipped ? {} : { notice }) };
}

/**
 * Makes sure that a server which was given no types does not serve a store of others'. Errors: bad_config, which names them; those of the store.
 */
export async function assertServable(config: Config): Promise<void> {
  if (config.typesGiven) return;
  const { served } = await readKnownTypes(config);
  if (!served || served.areShipped) return;
  const remembered = { types: served, catalog: recall(served) };
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

/** The class names of content, without Colophon's own records, of which a store that remembers no types has assets. */
export function populatedWithContent({ populated }: KnownTypes): string[] {
  const system = loadSystemTypes();
  const site = 'com.colophon.cms.db.Site';
  return populated.filter((name) => name === site || !system.types.has(name));
}

/** Says how types differ from those last served, for an error or a warning. */
export function describeDifferences({ differences, known }: ChosenTypes): string {
  const from = known.served ? ` (of ${known.served.folder})` : '';
  return [
    `These are not the types that the store was last served with${from}:`,
    ...boundLines(differences),
  ].join('\n  ');
}

function recall(served: ServedTypes): Catalog {
  try {
    return toCatalog(served);
  } catch (error) {
    if (!isDomainError(error, 'bad_types')) throw error;
    const message = `that it was last served with cannot be read by this version: ${error.message}`;
    throw badConfig([{ path: 'The types of the store', message }]);
  }
}

/** The types of 0.1 are not remembered; silence is right only where the shipped ones can be meant. */
function noticeOfShipped(known: KnownTypes, catalog: Catalog): string | undefined {
  const strangers = populatedWithContent(known).filter((name) => !catalog.types.has(name));
  if (strangers.length === 0) return undefined;
  return `no --types and no COLOPHON_TYPES: using the types that come with Colophon, which lack ${listed(strangers)} of this store`;
}

const describe = ({ types, catalog }: { types: ServedTypes; catalog: Catalog }) =>
  `the types of ${types.folder} (${listed([...catalog.types.keys()].filter((name) => name !== 'com.colophon.cms.db.Site'))})`;

function listed(names: readonly string[], most = 5): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${rest} more` : names.join(', ');
}
