/**
 * Where `colophon mirror` writes: the folder of a store, a MongoDB database, or a file of lines of JSON.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ChosenTypes, readFolder, toCatalog } from '../../app/chosen-types.ts';
import { type Config, variables } from '../../app/config/config.ts';
import { usage } from '../../base/errors.ts';
import type { Catalog } from '../../model/content-type.ts';
import type { CommandCall } from '../command.ts';
import { assertSame, chooseTypesFor, getNamedType, readConfigFor } from '../commands/types/types-option.ts';

/** A target, with the content types to mirror into it. */
export type MirrorPlace =
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly feeds: readonly string[];
      readonly config: Config;
    }
  | {
      readonly kind: 'store';
      readonly feeds: readonly string[];
      /** The configuration of the store. */
      readonly config: Config;
      readonly chosen: ChosenTypes;
    };

/** Reads `--to` and the types. Errors: usage, unknown_type, bad_types, check_failed, those of the store. */
export async function readPlace(call: CommandCall): Promise<MirrorPlace> {
  const to = call.option('to');
  if (to === undefined || to === '') throw usage('mirror needs --to <folder, mongodb:// URL or file.ndjson>');
  const given = readConfigFor(call);
  if (to.endsWith('.ndjson')) {
    const path = resolve(to);
    return { kind: 'file', path, config: given, feeds: readFileFeeds(call, given) };
  }
  const config = toStoreConfig(to, given);
  const chosen = await chooseTypesFor(config, { isCompared: true });
  if (!config.typesGiven && !chosen.known.served)
    throw usage(
      `${to} is no store yet. mirror needs --types or COLOPHON_TYPES with the content types of the server`,
    );
  assertSame(chosen);
  return { kind: 'store', config, chosen, feeds: findFeeds(call, chosen.catalog) };
}

function toStoreConfig(to: string, { mongodbUrl: _, ...config }: Config): Config {
  if (typeof variables.COLOPHON_MONGODB_URL.read(to) === 'object') return { ...config, mongodbUrl: to };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(to)) {
    throw usage(
      '--to must be the folder of a store, a mongodb:// URL or a file that ends in .ndjson. The store of another server is named by its folder or its mongodb:// URL, since its API would set other dates',
    );
  }
  const dataDir = resolve(to);
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() ?? true) return { ...config, dataDir };
  throw usage(`--to ${to} is a file; the file of a mirror ends in .ndjson`);
}

/** The concrete types that the call names, or all, sorted. */
function findFeeds(call: CommandCall, catalog: Catalog): string[] {
  const named = call.options('type');
  if (named.length === 0) return [...catalog.types.keys()].sort();
  const types = named.flatMap((name) => catalog.concrete(getNamedType(catalog, name)));
  return [...new Set(types)].sort();
}

function readFileFeeds(call: CommandCall, config: Config): string[] {
  if (config.typesGiven) return findFeeds(call, toCatalog(readFolder(config.typesDir)));
  const named = call.options('type');
  if (named.length > 0) return [...new Set(named)].sort();
  throw usage(
    'mirror needs --type, or --types or COLOPHON_TYPES with the content types of that server, to fill a file',
  );
}
