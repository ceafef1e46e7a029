/**
 * The usage of routes by API clients as records: one for each client, key, route and day, to which all processes add.
 *
 * Each change of a record requires the version that was read, so that processes that add at the same time lose nothing.
 */
import { isDomainError, storeBusy } from '../../base/errors.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { Asset, Json } from '../../model/content-type.ts';
import { deleteRecords } from '../expiring-records.ts';
import { addTypes, type TypeRequests, type UsageRow } from './usage-counts.ts';

/** The content type of the records. */
const usageType = 'com.colophon.system.Usage';

/** More than a record has processes that add to it: of simultaneous changes, at least one succeeds in each round. */
const maxAttempts = 100;
const pageSize = 1_000;

/** Adds counts to the record of their client, key, route and day. Errors: store_busy, store_failure. */
export async function addUsage(system: ContentService, row: UsageRow): Promise<void> {
  const { requests, errors, totalMs, types, ...key } = row;
  const sender = key.keyId === undefined ? [key.clientId] : [key.clientId, key.keyId];
  const id = toHashedUuid(JSON.stringify(['usage', key.day, key.method, key.route, ...sender]));
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    try {
      const stored = await findRecord(system, id);
      if (!stored) {
        const counts = { requests, errors, totalMs, ...toTypesField(types) };
        await system.create({ _id: id, _type: usageType, ...key, ...counts }, {});
        return;
      }
      const before = toRow(stored.asset);
      const allTypes = new Map(before.types);
      addTypes(allTypes, types);
      const body = {
        requests: before.requests + requests,
        errors: before.errors + errors,
        totalMs: before.totalMs + totalMs,
        ...toTypesField(allTypes),
      };
      await system.update({ id, body, ifVersions: [stored.version] }, {});
      return;
    } catch (error) {
      const wasFirst = ['precondition_failed', 'id_in_use', 'not_found'] as const;
      if (!wasFirst.some((code) => isDomainError(error, code))) throw error;
    }
  }
  throw storeBusy('others keep changing the usage of this route');
}

async function findRecord(system: ContentService, id: string) {
  try {
    return await system.get(id, {});
  } catch (error) {
    if (isDomainError(error, 'not_found')) return undefined;
    throw error;
  }
}

/** Removes up to 100 records of the days before one, and returns whether there may be more. */
export function removeUsageBefore(system: ContentService, day: number): Promise<boolean> {
  return deleteRecords(system, { from: usageType, where: 'day < ?', value: day });
}

/** Which records to read. */
export interface UsageFilter {
  readonly fromDay: number;
  readonly clientId?: string | undefined;
  readonly route?: string | undefined;
}

/** Reads the records in pages, in no order. */
export async function* readUsage(system: ContentService, filter: UsageFilter): AsyncGenerator<UsageRow[]> {
  const wanted = [
    ['day >= ?', filter.fromDay],
    ['clientId = ?', filter.clientId],
    ['route = ?', filter.route],
  ] as const;
  const given = wanted.filter(([, value]) => value !== undefined);
  let last: string | undefined;
  for (;;) {
    const terms = [...given, ...(last === undefined ? [] : [['_id > ?', last] as const])];
    const { items } = await system.find(
      {
        from: usageType,
        where: terms.map(([term]) => term).join(' and '),
        values: terms.map(([, value]) => value ?? ''),
        offset: 0,
        limit: pageSize,
        withCount: false,
      },
      {},
    );
    yield items.map(({ asset }) => toRow(asset));
    if (items.length < pageSize) return;
    last = items.at(-1)?.asset._id;
  }
}

/** Converts the numbers by type to the field of the record, which is absent without any. */
function toTypesField(types: TypeRequests) {
  return types.size > 0 ? { types: [...types].map(([type, requests]) => ({ type, requests })) } : {};
}

/** Converts a record, which the content service validated when it was written. */
function toRow(asset: Asset): UsageRow {
  const { day, method, route, clientId, keyId, requests, errors, totalMs, types } = asset;
  return {
    day: Number(day),
    method: String(method),
    route: String(route),
    clientId: clientId === undefined ? undefined : String(clientId),
    keyId: keyId === undefined ? undefined : String(keyId),
    requests: Number(requests),
    errors: Number(errors),
    totalMs: Number(totalMs),
    types: toTypes(types),
  };
}

const toTypes = (field: Json | undefined): TypeRequests =>
  new Map(
    (Array.isArray(field) ? field : []).map((one) => {
      const { type, requests } = Object(one);
      return [String(type), Number(requests)];
    }),
  );
