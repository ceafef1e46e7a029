/**
 * The handlers of the past of assets, for editors: their changes and past states, deleted assets, and restoring.
 */

import type { Activity, Change } from '../../../../generated/server/admin.ts';
import type { ActivityItem, ActivityReader } from '../../../access/audit/activity.ts';
import type { AuditedChange, AuditFilter, AuditLog } from '../../../access/audit/audit-log.ts';
import { toCsvTexts } from '../../../access/audit/changes-csv.ts';
import { invalidParameter, stateNotFound } from '../../../base/errors.ts';
import type { Actor } from '../../../base/request-origin.ts';
import { isUuid } from '../../../base/uuid.ts';
import type { ContentService } from '../../../content/content-service.ts';
import type { DeletedAsset } from '../../../content/history/asset-history.ts';
import { describeHistory } from '../../../content/history/read-history.ts';
import type { Principal } from '../../credentials/authenticate-admin.ts';
import { parseVersion } from '../../response/streamed-body.ts';
import { contentFor, namingRelease, readRestoration } from '../cma-reads.ts';
import {
  type AdminHandlers,
  administrator,
  conditionOf,
  createAssetResponse,
  createWrittenResponse,
  ok,
} from './responses.ts';

/** The operations of the past. */
type Handled = 'listContentHistory' | 'getContentVersion' | 'restoreContent' | 'listDeletedContents';

const defaultListed = 20;

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

const defaultActivities = 50;

/** Creates the handler. */
export function createActivityHandlers(activity: ActivityReader): Pick<AdminHandlers, 'listActivity'> {
  return {
    async listActivity({ query: { user, limit = defaultActivities, ...query }, principal, signal }) {
      const is = user === 'me' ? 'me' : 'others';
      const by = user === undefined ? {} : { sender: { is, by: actorOf(principal) } as const };
      const page = await activity({ ...query, ...by, limit: Number(limit) }, { ...administrator, signal });
      return ok({ ...page, items: page.items.map(toActivity) });
    },
  };
}

function toActivity({ atMs, asset, type, ...item }: ActivityItem): Activity {
  return { ...item, at: atMs, _id: asset, _type: type };
}

/** The sender as the change log names it. */
function actorOf(principal: Principal): Pick<Actor, 'kind' | 'id'> {
  switch (principal.kind) {
    case 'user':
      return { kind: 'user', id: principal.session.user.id };
    case 'client':
      return { kind: 'client', id: principal.client.clientId };
    case 'anonymous':
      return { kind: 'anonymous' };
  }
}

const defaultLimit = 50;

export function createChangeHandlers(audit: AuditLog): Pick<AdminHandlers, 'listChanges' | 'exportChanges'> {
  return {
    async listChanges({ query: { limit, cursor, ...filters } }) {
      const page = await audit.page({
        filter: toFilter(filters),
        limit: limit === undefined ? defaultLimit : Number(limit),
        ...(cursor === undefined ? {} : { cursor }),
      });
      return ok({ ...page, items: page.items.map(toChange) });
    },

    async exportChanges({ query }) {
      const changes = await audit.all(toFilter(query));
      return {
        status: 200,
        headers: {
          'Content-Type': 'text/csv; charset=utf-8; header=present',
          'Content-Disposition': 'attachment; filename="changes.csv"',
        },
        stream: { texts: toCsvTexts(changes) },
      };
    },
  };
}

/** The parameters that filter. */
interface FilterTexts {
  readonly byKind?: string;
  readonly by?: string;
  readonly asset?: string;
  readonly type?: string | readonly string[];
  readonly action?: string | readonly string[];
  readonly run?: string;
  readonly from?: string;
  readonly to?: string;
}

function toFilter({ byKind, by, asset, type, action, run, from, to }: FilterTexts): AuditFilter {
  if (asset !== undefined && !isUuid(asset)) throw invalidParameter('asset', 'must be a UUID');
  const sender = toDefined({ kind: byKind, id: by });
  const filter = toDefined({
    by: Object.keys(sender).length > 0 ? sender : undefined,
    asset: asset?.toLowerCase(),
    types: type === undefined ? undefined : [type].flat(),
    actions: action === undefined ? undefined : [action].flat(),
    run,
    fromMs: from === undefined ? undefined : Number(from),
    toMs: to === undefined ? undefined : Number(to),
  });
  // The document allows only kinds of senders and actions that there are.
  return filter as AuditFilter;
}

/** Leaves out the members that are undefined. */
function toDefined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function toChange({ atMs, ...change }: AuditedChange): Change {
  return { ...change, at: atMs, changed: [...change.changed] };
}
