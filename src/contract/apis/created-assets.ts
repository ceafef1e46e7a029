/**
 * Which assets a request creates: those that it names, and those to which the instance assigns an `_id`.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import type { ReceivedResponse } from '../responses/response-validator.ts';
import type { ContractRequest } from '../responses/send-request.ts';
import { memberOf } from './api-under-test.ts';

/** Lists the `_id`s of the assets in a body, a batch included. */
export function idsIn(body: Json | undefined): string[] {
  if (!isJsonObject(body)) return [];
  const { _id: id, operations } = body;
  const inside = listOf(operations).flatMap((operation) => idsIn(memberOf(operation, 'asset')));
  return [...(typeof id === 'string' ? [id.toLowerCase()] : []), ...inside];
}

/** Lists the `_id`s that the instance assigned to new assets, each with the fields that were sent. */
export function assignedIds({ method, body: sent }: ContractRequest, { status, body }: ReceivedResponse) {
  if (method !== 'POST' || status >= 300 || !isJsonObject(sent)) return [];
  const result = memberOf(body, 'result');
  const operations = listOf(sent.operations);
  const created = listOf(memberOf(result, 'results')).flatMap((one, index) =>
    memberOf(one, 'outcome') === 'created' ? [[memberOf(operations[index], 'asset'), one]] : [],
  );
  const pairs = operations.length === 0 ? [[sent, result]] : created;
  return pairs.flatMap(([asset, one]) => {
    const id = memberOf(one, '_id');
    return isJsonObject(asset) && asset._id === undefined && typeof id === 'string' ? [{ id, asset }] : [];
  });
}

/** Whether an asset has the fields that were sent. */
export function isAsSent({ _id, _type, ...fields }: JsonObject, result: Json | undefined): boolean {
  const sent = Object.entries(fields);
  return sent.length > 0 && sent.every(([name, value]) => isDeepStrictEqual(memberOf(result, name), value));
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
