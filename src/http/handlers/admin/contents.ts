/**
 * The handlers of the assets, for editors. They run the operations of the content management API as an administrator.
 */

import type * as api from '../../../../generated/server/admin.ts';
import type { EraseWithResponses } from '../../../access/idempotency/erase-with-responses.ts';
import { invalidParameter, isDomainError, type Problem } from '../../../base/errors.ts';
import type { Clock } from '../../../base/runtime.ts';
import { isUuid } from '../../../base/uuid.ts';
import type { ContentService } from '../../../content/content-service.ts';
import { findType, readId } from '../../../content/prepare-write.ts';
import { createReferenceFinder, type ReferenceFinder } from '../../../content/reading/find-references.ts';
import { createTitleFinder, type TitleFinder } from '../../../content/reading/find-titles.ts';
import type { PreviewAddresses } from '../../../content/reading/preview-addresses.ts';
import type { Rule } from '../../../content/unfit/find-unfit.ts';
import { selectFromPage } from '../../../content/unfit/unfit-content.ts';
import { adminPath } from '../../../documents/openapi-document.ts';
import type { StoredFiles } from '../../../files/stored-files.ts';
import type { UploadFile } from '../../../files/upload-file.ts';
import type { PictureVariants } from '../../../files/variants/picture-variants.ts';
import { titleOf } from '../../../model/asset-title.ts';
import { getType } from '../../../model/catalog.ts';
import type { JsonObject } from '../../../model/content-type.ts';
import { defaultLimit } from '../../../text/page-limits.ts';
import { problemsOf } from '../../error-map.ts';
import { pageResponse, parseBase, toChangeHeader } from '../../response/streamed-body.ts';
import { type ContentChoice, chooseDeletion, contentFor, namingRelease, releaseQuery } from '../cma-reads.ts';
import {
  type AdminHandlers,
  administrator,
  conditionOf,
  createAssetResponse,
  createWrittenResponse,
  drafterOf,
  noContent,
  ok,
} from './responses.ts';

/** The operations of the assets. */
type Handled =
  | 'createContent'
  | 'getContent'
  | 'updateContent'
  | 'deleteContent'
  | 'withdrawContent'
  | 'listContentReferences';

export function createContentHandlers({
  content,
  findReferences,
  erase,
  previews,
  clock,
}: {
  content: ContentService;
  findReferences: ReferenceFinder;
  erase: EraseWithResponses;
  previews: Pick<PreviewAddresses, 'addressOf'>;
  clock: Clock;
}): Pick<AdminHandlers, Handled> {
  const okAsset = createAssetResponse(content);
  const okWritten = createWrittenResponse(content);
  return {
    createContent: namingRelease(async ({ body, query, headers: sent, principal }) => {
      const sender = { headers: sent, drafter: drafterOf(principal) };
      const created = await contentFor(content, query, sender).create(body, administrator);
      const { asset } = created;
      const { headers } = okWritten(created);
      const Location = `${adminPath}/contents/${asset._id}${releaseQuery(query)}`;
      return { status: 201 as const, body: asset, headers: { ...headers, Location } };
    }),

    getContent: namingRelease(async ({ path, query }) => {
      const stored = await contentFor(content, query).get(path.id, administrator);
      const { headers, ...response } = okAsset(stored);
      const address = await previews.addressOf(response.body);
      const link = address !== undefined && { Link: `<${address}>; rel="preview"` };
      return { ...response, headers: { ...headers, ...link } };
    }),

    updateContent: namingRelease(async ({ path, query, headers, body, principal }) => {
      const update = { id: path.id, body, ...conditionOf(headers), ...parseBase(headers) };
      const requested = contentFor(content, query, { headers, drafter: drafterOf(principal) });
      return okWritten(await requested.update(update, administrator));
    }),

    deleteContent: namingRelease(async ({ path, query, headers, principal }) => {
      const deletion = { id: path.id, ...conditionOf(headers) };
      const remove = chooseDeletion(content, { query, headers, drafter: drafterOf(principal), erase });
      const deleted = await remove(deletion, administrator);
      return { ...noContent, headers: toChangeHeader(deleted) };
    }),

    async withdrawContent({ path, headers, signal }) {
      const withdrawal = { id: path.id, ...conditionOf(headers) };
      const withdrawn = await content.releases.withdraw(withdrawal, { ...administrator, signal });
      const { references, schedules } = withdrawn;
      return { ...ok({ references, schedules }), headers: toChangeHeader(withdrawn) };
    },

    listContentReferences: namingRelease(async ({ path, query }) => {
      const listed = query.limit === undefined ? defaultLimit : Number(query.limit);
      const find =
        query.release === undefined
          ? findReferences
          : createReferenceFinder({ content: contentFor(content, query), clock });
      return ok(await find({ id: path.id, limit: listed }, administrator));
    }),
  };
}

const defaultFiles = 20;

export function createFileHandlers({
  files,
  variants,
  upload,
  titles,
}: {
  files: StoredFiles;
  variants: Pick<PictureVariants, 'remove'>;
  upload: UploadFile;
  titles: TitleFinder;
}): Pick<AdminHandlers, 'listFiles' | 'uploadContentFile' | 'deleteFile' | 'listFileUses'> {
  return {
    async listFiles({ query: { search, unused, after: cursor, limit = defaultFiles } }) {
      const query = { search, unused: unused === 'true', cursor, limit: Number(limit) };
      const { items, ...next } = await files.list(query);
      return ok({ items: [...items], ...next });
    },

    async uploadContentFile({ query, body }) {
      return ok(await upload({ open: body.open, name: query.name }));
    },

    async deleteFile({ path }) {
      await files.delete(path.hash);
      await variants.remove(path.hash);
      return noContent;
    },

    async listFileUses({ path, query: { after: cursor, limit = defaultFiles }, signal }) {
      const { items, ...next } = await files.listUses(path.hash, { cursor, limit: Number(limit) });
      const titled = await titles.list(items, { ...administrator, signal });
      const byId = new Map(titled.map((asset) => [asset._id, asset]));
      return ok({ items: items.map((_id) => ({ _id, ...byId.get(_id) })), ...next });
    },
  };
}

export function createQueryHandlers(content: ContentService): Pick<AdminHandlers, 'runQuery' | 'checkQuery'> {
  return {
    runQuery: namingRelease(async ({ body, query: choice, signal }) => {
      const requested = contentFor(content, choice);
      const { sort = [], offset = 0, limit = defaultLimit, fields, ...predicate } = body;
      const selection = fields && requested.selectFields(body.from, { fields });
      const keys = sort.map(({ field, descending = false }) => ({ field, descending }));
      const startedMs = performance.now();
      const query = { ...predicate, sort: keys, offset, limit, withCount: true };
      const page = await requested.openTexts(query, { ...administrator, signal });
      const ms = Math.round((performance.now() - startedMs) * 10) / 10;
      return pageResponse(selection ? selectFromPage(page, selection) : page, (items) => ({
        count: page.count ?? 0,
        items,
        ms,
      }));
    }),

    async checkQuery({ body }) {
      try {
        content.check(body, administrator);
        return ok({ problems: [] });
      } catch (error) {
        if (isDomainError(error)) return ok({ problems: [...problemsOf(error)] });
        throw error;
      }
    },
  };
}

const defaultMatches = 20;

export function createSearchHandlers({
  content,
  titles,
  clock,
}: {
  content: ContentService;
  titles: TitleFinder;
  clock: Clock;
}): Pick<AdminHandlers, 'listTitles' | 'searchContents'> {
  const titlesOf = (query: ContentChoice['query']) =>
    query.release === undefined ? titles : createTitleFinder({ content: contentFor(content, query), clock });

  return {
    listTitles: namingRelease(async ({ body, query, signal }) =>
      ok({ items: await titlesOf(query).list(body.ids, { ...administrator, signal }) }),
    ),

    searchContents: namingRelease(async ({ body: { limit = defaultMatches, ...search }, query, signal }) =>
      ok(await titlesOf(query).search({ ...search, limit }, { ...administrator, signal })),
    ),
  };
}

/** The operations of unfit content. */
type HandledUnfit = 'getUnfitReport' | 'listUnfitAssets' | 'getContentUnfit' | 'checkContentRules';

const defaultListed = 20;

export function createUnfitHandlers(content: ContentService): Pick<AdminHandlers, HandledUnfit> {
  const { catalog, unfit } = content;
  const types = [...catalog.types.values()].sort((one, other) => (one.class < other.class ? -1 : 1));

  return {
    async getUnfitReport() {
      const counts = new Map(unfit.counts().map((count) => [count.type, count]));
      const items = types.map(({ class: className, name }): api.UnfitCount => {
        const count = counts.get(className);
        const outline = { class: className, name };
        if (!count) return { ...outline, assets: 0, unfit: 0, rules: [] };
        const { assets, countedAtMs: countedAt } = count;
        const rules = count.rules.map(({ path, message, count, ids }) => ({
          path,
          message,
          assets: count,
          ids: [...ids],
        }));
        return { ...outline, countedAt, assets, unfit: count.unfit, rules };
      });
      return ok({ items });
    },

    async listUnfitAssets({ query, signal }) {
      const { type: name, after, limit = defaultListed } = query;
      const type = getType(catalog, name, 'type');
      if (type.kind !== 'object') throw invalidParameter('type', 'must be a content type, not an interface');
      if (after !== undefined && !isUuid(after)) throw invalidParameter('after', 'must be a UUID');
      const found = await unfit.find({
        type: type.class,
        limit: Number(limit),
        signal,
        ...readRule(query),
        ...(after !== undefined && { after: after.toLowerCase() }),
      });
      const items = found.items.map(({ asset, problems }) => ({
        _id: asset._id,
        _type: asset._type,
        title: titleOf(asset, type),
        problems: placesOf(problems),
      }));
      const { startedAtMs: checkedAt, checked, next } = found;
      return ok({ items, checkedAt, checked, ...(next !== undefined && { next }) });
    },

    getContentUnfit: namingRelease(async ({ path, query }) => {
      const { asset } = await contentFor(content, query).get(path.id, administrator);
      return ok({ items: placesOf(unfit.checkOne(asset)) });
    }),

    async checkContentRules({ body }) {
      // A validated body is JSON.
      const asset = body as JsonObject;
      readId(asset._id);
      const { class: type } = findType(catalog, asset._type);
      return ok({ items: placesOf(unfit.checkRules(type, asset)) });
    },
  };
}

/** Reads the rule of a search. Errors: invalid_parameter. */
function readRule({ path, message }: { readonly path?: string; readonly message?: string }): { rule?: Rule } {
  if (path === undefined && message === undefined) return {};
  if (message === undefined) throw invalidParameter('message', 'must be given together with path');
  if (path === undefined) throw invalidParameter('path', 'must be given together with message');
  return { rule: { path, message } };
}

const placesOf = (problems: readonly Problem[]) => problems.map(({ path, message }) => ({ path, message }));
