/**
 * The tools that change content: drafts in the release of the session, which a person publishes or discards, or live writes in its run, which
 * a person can revert.
 */

import { assertScope } from '../../access/clients/scopes.ts';
import { isDomainError } from '../../base/errors.ts';
import type { RequestOrigins } from '../../base/request-origin.ts';
import type { DraftPage } from '../../content/drafts/publication/list-drafts.ts';
import type { Asset, Json, JsonObject } from '../../model/content-type.ts';
import { hasRelease, resultOf, type ToolParts, tooLarge } from './read-tools.ts';
import { maxResultBytes, reading, type Tool, type ToolCall } from './tool.ts';

const uuid = { type: 'string', minLength: 36, maxLength: 36, description: 'The _id of the asset.' };
const ifMatch = { type: 'string', description: 'The ETag that the asset must still have.' };

/** The operations, in the form that batches of the content management API have. */
const operation = {
  oneOf: [
    {
      type: 'object',
      properties: {
        action: { const: 'create' },
        asset: { type: 'object', required: ['_type'], description: 'The new asset: _type and its fields.' },
      },
      required: ['action', 'asset'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: {
        action: { const: 'patch' },
        id: uuid,
        patch: { type: 'object', description: 'A JSON Merge Patch: new values, null removes a field.' },
        ifMatch,
      },
      required: ['action', 'id', 'patch'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: { action: { const: 'delete' }, id: uuid, ifMatch },
      required: ['action', 'id'],
      additionalProperties: false,
    },
  ],
};

export function createChangeTools({
  content,
  callCma,
  origins,
}: ToolParts & { readonly origins: RequestOrigins }): Tool[] {
  /** Creates the release of a session, unless an earlier call has. */
  async function prepareRelease({ session: { name }, client, session }: ToolCall): Promise<void> {
    if (await hasRelease(content, session)) return;
    try {
      await content.releases.create({ name, title: `Agent: ${client.name}`.slice(0, 100) });
    } catch (error) {
      if (!isDomainError(error, 'value_in_use')) throw error;
    }
  }

  async function change(call: ToolCall): Promise<JsonObject> {
    const { session, client, input } = call;
    const { operations = [], live, idempotencyKey } = input;
    const isLive = live === true;
    assertScope(client, isLive ? 'cma:write' : 'cma:draft');
    const headers = typeof idempotencyKey === 'string' ? { 'idempotency-key': idempotencyKey } : {};
    const query: Record<string, string> = isLive ? {} : { release: session.name };
    const { run: _, ...origin } = origins.current();
    const where = isLive ? { run: session.name } : { release: session.name };
    return origins.runAs({ ...origin, ...(isLive && { run: session.name }) }, async () => {
      if (!isLive) await prepareRelease(call);
      const body = { operations, atomic: true };
      const done = await callCma({ method: 'POST', path: '/batch', query, headers, body }, call);
      // Only notes on unfit values can be so long, and the changes are made.
      if (!done) return { ...where, results: [] };
      const { results = [] } = resultOf(done);
      return { ...where, results };
    });
  }

  async function listChanges(call: ToolCall): Promise<JsonObject> {
    const { session, client, signal, input } = call;
    const { name: release } = session;
    assertScope(client, 'cma:draft');
    if (!(await hasRelease(content, session))) return { release, items: [] };
    const { sites } = client;
    const caller = { ...(sites && { sites }), signal };
    const drafted = content.inRelease(release, caller);
    const cursor = typeof input.cursor === 'string' ? input.cursor : undefined;
    for (let limit = Number(input.limit ?? 20); ; limit = Math.floor(limit / 4)) {
      const page = await content.releases.listDrafts({ release, cursor, limit, sites });
      const ids = page.items.map(({ asset }) => asset);
      const [before, after] = [
        await readAll(content.getMany(ids, caller)),
        await readAll(drafted.getMany(ids, caller)),
      ];
      const result = { release, ...toChanges(page, before, after) };
      if (Buffer.byteLength(JSON.stringify(result)) <= maxResultBytes) return result;
      if (limit <= 1) throw tooLarge('limit');
    }
  }

  return [
    {
      name: 'list_changes',
      title: 'List the changes of this session',
      description: `Lists what this session has drafted: for each asset the action, the live and the drafted values of the changed fields, and findings that keep it from being published. A page has at most ${maxResultBytes} bytes; next is the cursor of the next page.`,
      inputSchema: {
        type: 'object',
        properties: {
          limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
          cursor: { type: 'string', description: 'next of the page before.' },
        },
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: {
          release: { type: 'string' },
          items: { type: 'array', items: { type: 'object' } },
          next: { type: 'string' },
        },
        required: ['release', 'items'],
      },
      annotations: reading,
      run: listChanges,
    },
    {
      name: 'draft_changes',
      title: 'Draft changes',
      description:
        'Creates, patches and deletes assets as drafts in the release of this session, all or none. Nothing goes live until a person publishes the release. With live: true, which needs the scope cma:write, writes the live content at once.',
      inputSchema: {
        type: 'object',
        properties: {
          operations: { type: 'array', minItems: 1, maxItems: 100, items: operation },
          live: { type: 'boolean', default: false, description: 'true writes the live content.' },
          idempotencyKey: {
            type: 'string',
            pattern: '^[\\x21-\\x7e]{1,255}$',
            description: 'Sent again with the same key, the same call changes nothing more.',
          },
        },
        required: ['operations'],
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: {
          release: { type: 'string' },
          run: { type: 'string' },
          results: { type: 'array', items: { type: 'object' } },
        },
        required: ['results'],
      },
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: false,
      },
      run: change,
    },
  ];
}

async function readAll(chunks: AsyncIterable<readonly Asset[]>): Promise<ReadonlyMap<string, Asset>> {
  const found = new Map<string, Asset>();
  for await (const assets of chunks) for (const asset of assets) found.set(asset._id, asset);
  return found;
}

function toChanges(
  { items, next }: DraftPage,
  before: ReadonlyMap<string, Asset>,
  after: ReadonlyMap<string, Asset>,
): JsonObject {
  const pick = (asset: Asset | undefined, names: readonly string[]): Json =>
    asset
      ? Object.fromEntries(
          names.flatMap((name) => (Object.hasOwn(asset, name) ? [[name, asset[name] ?? null]] : [])),
        )
      : null;
  const changes = items.map(({ asset, type, title, action, changed, findings }) => ({
    _id: asset,
    _type: type,
    title,
    action,
    live: pick(before.get(asset), changed),
    drafted: action === 'delete' ? null : pick(after.get(asset), changed),
    findings: findings.map(({ code, message }) => ({ code, message })),
  }));
  return { items: changes, ...(next !== undefined && { next }) };
}
