/**
 * The context that the resolvers of one run share.
 */

import type { Resolvers } from '../../../generated/server/resolvers.ts';
import { invalidParameter } from '../../base/errors.ts';
import type { PreAssignedIds } from '../../content/pre-assigned-ids.ts';
import type { AssetFinder, Caller } from '../../content/reading/find-assets.ts';
import type { Asset, Json, JsonObject } from '../../model/content-type.ts';
import { completeLinks, type FileFit, type FileFormat, toFilePath } from '../../text/file-url.ts';
import type { ResponseSources } from '../operation.ts';
import {
  createInverseLoader,
  createSearchGroup,
  createTargetLoader,
  type InverseLoader,
  type SearchGroup,
  type TargetLoader,
} from './reference-loaders.ts';
import type { ResponseBudget } from './response-budget.ts';
import type { UnfitMarks } from './unfit-fields.ts';

/** The caller of a run, the budget of its response, the loader of referenced assets, the marks of unfit fields, and the changes written. */
export interface RunContext {
  readonly caller: Caller;
  readonly budget: ResponseBudget;
  readonly targets: TargetLoader;
  /** The lists of assets that refer to others. */
  readonly inverses: InverseLoader;
  readonly unfit: UnfitMarks;
  readonly files: FileLinks;
  /** The `id`s of the changes that the run has written so far. */
  readonly changes: string[];
  readonly searches: SearchGroup;
  /** The IDs of the write of a mutation with one field that may run again. */
  readonly reserved: PreAssignedIds | undefined;
}

export function createRunContext(
  finder: AssetFinder,
  {
    caller,
    budget,
    unfit,
    files,
    collector,
    reserved,
  }: Pick<RunContext, 'caller' | 'budget' | 'unfit' | 'files'> & {
    readonly collector?: SourceCollector | undefined;
    readonly reserved?: PreAssignedIds | undefined;
  },
): RunContext {
  const searches = createSearchGroup();
  return {
    caller,
    budget,
    inverses: createInverseLoader(finder, { caller, budget, searches }),
    targets: createTargetLoader(finder, { caller, budget, onMissing: collector?.noteMissing }),
    unfit,
    files,
    changes: [],
    searches,
    reserved,
  };
}

/** Collects the sources of one response. */
export interface SourceCollector {
  add(asset: Pick<Asset, '_id' | '_type'>): void;
  /** Notes that an asset was looked up that does not exist, or that the caller may not see. */
  noteMissing(): void;
  sources(): ResponseSources;
}

/** How many assets are named for cache tags; their tags alone take 2 KiB. */
export const maxTaggedSources = 56;

/** How many assets a stored response may contain. */
export const maxKeptSources = 1_000;

/** Creates the collector of one run, which names at most so many assets. */
export function createSourceCollector(maxAssets: number): SourceCollector {
  const assets = new Map<string, string>();
  let hasMore = false;
  let hasMissing = false;
  return {
    add({ _id: id, _type: type }) {
      if (assets.size < maxAssets || assets.has(id)) assets.set(id, type);
      else hasMore = true;
    },
    noteMissing() {
      hasMissing = true;
    },
    sources: () => ({ assets, hasMore, hasMissing }),
  };
}

/** The arguments of the field `url` of a file; the enums have the GraphQL names of their values. */
export type FileUrlArguments = Parameters<Resolvers['File']['url']>[1];

/** Makes the addresses. */
export interface FileLinks {
  /** Returns the address of a file, or of a variant of a picture. Errors: invalid_parameter for a size that no variant has. */
  toUrl(file: JsonObject, variant: FileUrlArguments): string;
  /** Completes the links to files in a value of the type RichText, or in each of a list. */
  completeLinks(value: Json): Json;
}

/** Where files are served. */
interface FileServing {
  /** The address that the path of a file is added to; empty for paths alone. */
  readonly server: string;
  /** The widths and heights that variants can have, in pixels. */
  readonly imageSizes: readonly number[];
}

/** Creates the links of an installation. */
export function createFileLinks({ server, imageSizes }: FileServing): FileLinks {
  function assertSize(name: string, size: number | undefined): void {
    if (size !== undefined && !imageSizes.includes(size))
      throw invalidParameter(name, `must be one of ${imageSizes.join(', ')}`);
  }

  const complete: FileLinks['completeLinks'] = (value) => {
    if (typeof value === 'string') return completeLinks(value, server);
    return Array.isArray(value) ? value.map(complete) : value;
  };

  return {
    completeLinks: server === '' ? (value) => value : complete,
    toUrl({ hash, name, mediaType }, given) {
      const [width, height] = [given.width ?? undefined, given.height ?? undefined];
      assertSize('width', width);
      assertSize('height', height);
      // The enums of the schema have the names of these values, in upper case.
      const fit = given.fit?.toLowerCase() as FileFit | undefined;
      const format = given.format?.toLowerCase() as FileFormat | undefined;
      const file = { hash: String(hash), name: String(name), mediaType: String(mediaType) };
      return server + toFilePath(file, { width, height, fit, format });
    },
  };
}
