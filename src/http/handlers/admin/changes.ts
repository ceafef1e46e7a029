/**
 * The handlers of the audit: pages of the changes as JSON, and all of them as CSV.
 */
import type { Change } from '../../../../generated/server/admin.ts';
import type { AuditedChange, AuditFilter, AuditLog } from '../../../access/audit/audit-log.ts';
import { toCsvTexts } from '../../../access/audit/changes-csv.ts';
import { invalidParameter } from '../../../base/errors.ts';
import { isUuid } from '../../../base/uuid.ts';
import { type AdminHandlers, ok } from './responses.ts';

const defaultLimit = 50;

/** Creates the handlers. */
export function createChangeHandlers(audit: AuditLog): Pick<AdminHandlers, 'listChanges' | 'exportChanges'> {
  return {
    async listChanges({ query: { limit, cursor, ...filters } }) {
      const page = await audit.page({
        filter: toFilter(filters),
        limit: limit === undefined ? defaultLimit : Number(limit),
        ...(cursor === undefined ? {} : { cursor }),
      });
      return ok({ ...page, items: page.items.map(toResource) });
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

function toResource({ atMs, ...change }: AuditedChange): Change {
  return { ...change, at: atMs, changed: [...change.changed] };
}
