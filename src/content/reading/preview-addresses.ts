/**
 * The addresses of the pages that show assets: below the first URL of the asset's site, or else below one of the installation, the path that
 * `@preview` gives to the type.
 *
 * An address receives the tokens of previews, so nobody who may only draft chooses its origin: the site is read as it is live.
 */
import { unlessError } from '../../base/errors.ts';
import { memberOf } from '../../base/own-members.ts';
import type { Logger } from '../../base/runtime.ts';
import { type Asset, type Catalog, siteClass, siteOwnerField } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import type { ContentCalls } from '../attribute-calls.ts';
import { createRevisionCache } from '../revision-cache.ts';
import type { AssetFinder } from './find-assets.ts';

/** The addresses of an installation. */
export type PreviewAddresses = Awaited<ReturnType<typeof createPreviewAddresses>>;

/** How many sites are read for the origins, and how many origins fit the header that names them. */
const limits = { sites: 1_000, origins: 100 };

/** Creates the addresses. Errors: those of the store. */
export async function createPreviewAddresses({
  content,
  previewUrl,
  logger,
}: {
  /** The live content. */
  content: Pick<ContentCalls, 'find' | 'get' | 'revision'> & { readonly catalog: Catalog };
  /** The address of pages whose site has none, without a slash at the end. */
  previewUrl?: string | undefined;
  logger: Logger;
}) {
  const { types } = content.catalog;
  const isUsed = [...types.values()].some(({ previewPath }) => previewPath !== undefined);
  const cache = isUsed
    ? await createRevisionCache({
        revision: () => content.revision(siteClass),
        read: readOrigins,
        logger,
        subject: 'sites',
      })
    : undefined;

  async function readOrigins(): Promise<readonly string[]> {
    const query = { from: siteClass, offset: 0, limit: limits.sites, withCount: false };
    const { items } = await content.find(query, {});
    const bases = [previewUrl, ...items.map(({ asset }) => baseOf(asset))];
    const origins = new Set(bases.flatMap((base) => (base === undefined ? [] : [new URL(base).origin])));
    return [...origins].slice(0, limits.origins);
  }

  return {
    /**
     * Returns the address of an asset; `undefined` where its type has no path, a field of the path has no value, or neither a site nor the
     * installation has a URL.
     */
    async addressOf(asset: Asset): Promise<string | undefined> {
      const path = types.get(asset._type)?.previewPath;
      const filled = path === undefined ? undefined : fillIn(path, asset);
      if (filled === undefined) return undefined;
      const base = (await findBase(asset, content)) ?? previewUrl;
      return base === undefined ? undefined : base + filled;
    },
    /** Returns the origins of the addresses, for pages that show them in frames. Never waits. */
    origins: () => cache?.current() ?? [],
    stop: async (): Promise<void> => cache?.stop(),
  };
}

/** A host may have characters that end a header or a part of it. */
const pageOrigin = /^https?:\/\/[a-z0-9.:[\]-]+$/;

/** Fills the values of an asset in; `undefined` where one is missing or would change the path. */
function fillIn(path: string, asset: Asset): string | undefined {
  const segments = path.split('/').map((segment) => {
    if (!segment.startsWith('{')) return segment;
    const value = memberOf(asset, segment.slice(1, -1));
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    return /^\.{0,2}$/.test(text) || !text.isWellFormed() ? undefined : encodeURIComponent(text);
  });
  return segments.includes(undefined) ? undefined : segments.join('/');
}

async function findBase(asset: Asset, content: Pick<AssetFinder, 'get'>): Promise<string | undefined> {
  const owner = memberOf(asset, siteOwnerField);
  if (!isJsonObject(owner)) return undefined;
  const site = (await unlessError(content.get(String(owner._ref), {}), 'not_found'))?.asset;
  // Nothing has checked the reference of a draft.
  return site?._type === siteClass ? baseOf(site) : undefined;
}

/** Returns the first URL of a site, without what follows the path and without a slash at the end. */
function baseOf(site: Asset): string | undefined {
  const urls = memberOf(site, 'urls');
  const [first] = Array.isArray(urls) ? urls : [];
  const url = typeof first === 'string' ? URL.parse(first) : undefined;
  return url && pageOrigin.test(url.origin) ? url.origin + url.pathname.replace(/\/$/, '') : undefined;
}
