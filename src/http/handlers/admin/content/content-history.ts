/**
 * The handlers of the past of assets, for editors: their changes and past states, deleted assets, and restoring.
 */
import { stateNotFound } from '../../../../base/errors.ts';
import type { ContentService } from '../../../../content/content-service.ts';
import type { DeletedAsset } from '../../../../content/history/deleted-assets.ts';
import { describeHistory } from '../../../../content/history/describe-change.ts';
import { readRestoration } from '../../../request/read-moment.ts';
import { parseVersion } from '../../../response/entity-tag.ts';
import { contentFor, namingRelease } from '../../requested-content.ts';
import {
  type AdminHandlers,
  administrator,
  conditionOf,
  createAssetResponse,
  createWrittenResponse,
  ok,
} from '../responses.ts';

/** The operations of the past. */
type Handled = 'listContentHistory' | 'getContentVersion' | 'restoreContent' | 'listDeletedContents';

const defaultListed = 20;

/** Creates the handlers. */
export function createContentHistoryHandlers(content: ContentService): Pick<AdminHandlers, Handled> {
  const { history } = content;
  const okAsset = createAssetResponse(content);
  const okWritten = createWrittenResponse(content);
  return {
    listContentHistory: namingRelease(async ({ path, query, signal }) => {
      const { limit = defaultListed, cursor, values } = query;
      const { history } = contentFor(content, query);
      const request = { id: path.id, limit: Number(limit), ...(cursor === undefined ? {} : { cursor }) };
      const page = await history.list(request, { ...administrator, signal });
      return ok(describeHistory(page, { values: values === 'true' }));
    }),

    getContentVersion: namingRelease(async ({ path, query }) => {
      const { history, unfit } = contentFor(content, query);
      const moment = { version: readVersion(path) };
      const past = await history.get({ id: path.id, moment }, administrator);
      const { asset } = past;
      const problems = unfit.checkPast(asset).map(({ path, message }) => ({ path, message }));
      const { headers } = okAsset(past);
      return { ...ok({ asset, ...(problems.length > 0 && { unfit: problems }) }), headers };
    }),

    async restoreContent({ path, headers, body }) {
      const restoration = { id: path.id, ...readRestoration(body), ...conditionOf(headers) };
      return okWritten(await history.restore(restoration, administrator));
    },

    async listDeletedContents({ query: { limit = defaultListed, ...query }, signal }) {
      const caller = { ...administrator, signal };
      const { items, ...rest } = await history.findDeleted({ ...query, limit: Number(limit) }, caller);
      return ok({ items: items.map(toDeleted), ...rest });
    },
  };
}

function toDeleted({ asset: { _id, _type }, title, entry }: DeletedAsset) {
  const { previousVersion: version = '', atMs: at, by, run } = entry;
  return { _id, _type, title, version, at, by, ...(run === undefined ? {} : { run }) };
}

/** Reads the version in a path. What cannot be a version is one that the asset never had. Errors: not_found. */
function readVersion({ id, version }: { readonly id: string; readonly version: string }): string {
  try {
    return parseVersion(version, 'version');
  } catch {
    throw stateNotFound(id);
  }
}
