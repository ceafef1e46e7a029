/**
 * The handler of the content management API for the feed of changes: pages, or a live stream on the same address.
 */

import express from 'express';
import type { ApiClient } from '../../access/clients/api-clients.ts';
import { assertScope } from '../../access/clients/scopes.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { LiveFeeds } from '../../content/feed/live/live-feeds.ts';
import type { FeedPage } from '../../content/feed/read-feed.ts';
import { describeHistory } from '../../content/history/read-history.ts';
import { createIdempotencyKeyHandler, identifyRequest } from '../credentials/idempotency-key.ts';
import { ok, okChecked, okWritten, toChangeHeader, unfitMember } from '../response/streamed-body.ts';
import {
  type CmaHandlers,
  type CmaServices,
  condition,
  type FeedOperation,
  type HistoryOperation,
} from './cma.ts';
import { chooseContent, inRelease, readRestoration } from './cma-reads.ts';

/** What the handler uses. */
interface FeedServices {
  readonly content: ContentService;
  readonly liveFeeds: LiveFeeds;
  /** Whether a client that has authenticated before may still do what it did. */
  readonly isCurrent: (client: ApiClient) => boolean;
}

const defaultLimit = 100;
/** The size of the assets of a page, beyond the first. */
const pageBytes = 1_048_576;

/** Both forms have the same address. */
const headers = { Vary: 'Accept' };

/** Creates the handler. */
export function createCmaChangesHandlers({
  content,
  liveFeeds,
  isCurrent,
}: FeedServices): Pick<CmaHandlers, FeedOperation> {
  return {
    async listChanges(request) {
      const { query, headers: given, client } = request;
      assertScope(client, 'cma:read');
      // The document cannot declare this header as a parameter.
      const isLive = prefersEvents((given as { accept?: string }).accept);
      const limit = Number(query.limit ?? defaultLimit);
      // An `EventSource` that connects again sends its first address, and the cursor as a header.
      const cursor = (isLive ? given['last-event-id'] : undefined) ?? query.cursor;
      const feed = await content.feed.open(readTerms(query), cursor === '' ? undefined : cursor, client);
      const usedTypes = [...feed.query.types];
      if (isLive) {
        const { clientId } = client;
        const live = liveFeeds.reserve({ feed, clientId, limit, isAllowed: () => isCurrent(client) });
        return { status: 200, headers, live, usedTypes };
      }
      const limits = { items: limit, bytes: pageBytes };
      const page = await content.feed.read({ ...feed, limits, signal: request.signal });
      return { status: 200, headers, text: toText(page, feed.encode(page.position), content), usedTypes };
    },
  };
}

/** The parameters that say what the feed has. */
interface TermTexts {
  readonly from: string;
  readonly where?: string | undefined;
  readonly values?: string | readonly string[] | undefined;
  readonly nulls?: string | undefined;
}

function readTerms({ from, where, values, nulls }: TermTexts) {
  return {
    from,
    ...(where !== undefined && { where }),
    ...(values !== undefined && { values: [values].flat() }),
    nulls: nulls === 'true',
  };
}

function toText({ items, more, phase }: FeedPage, cursor: string, { unfit }: ContentService): string {
  const found = unfitMember(unfit.checkTexts(items.texts));
  const rest = JSON.stringify({ cursor, more, phase }).slice(1, -1);
  const behind = 'unfit' in found ? `,"unfit":${JSON.stringify(found.unfit)}` : '';
  return `{"status":"ok","result":{"items":${items.toJson()},${rest}}${behind}}`;
}

const eventStream = 'text/event-stream';

/** Tells whether a request prefers server-sent events to JSON. */
function prefersEvents(accept: string | undefined): boolean {
  if (!accept?.includes(eventStream)) return false;
  // Express reads nothing but the headers, although its type asks for a whole request.
  const request = { headers: { accept } } as express.Request;
  return express.request.accepts.call(request, 'application/json', eventStream) === eventStream;
}

const defaultListed = 20;

export function createCmaHistoryHandlers({
  content,
  requests,
}: Pick<CmaServices, 'content' | 'requests'>): Pick<CmaHandlers, HistoryOperation> {
  const withIdempotencyKey = createIdempotencyKeyHandler(requests);
  return {
    listAssetHistory: inRelease(async ({ path, query, client, signal }) => {
      assertScope(client, 'history');
      const { history } = chooseContent(content, { query, client }, 'history');
      const { limit = defaultListed, cursor, values } = query;
      const request = { id: path.id, limit: Number(limit), ...(cursor === undefined ? {} : { cursor }) };
      const page = await history.list(request, { ...client, signal });
      return ok(describeHistory(page, { values: values === 'true' }));
    }),

    async restoreAsset({ path, query, headers, body, client }) {
      assertScope(client, 'history');
      assertScope(client, 'cma:write');
      const restoration = { id: path.id, ...readRestoration(body), ...condition(headers) };
      if (query.validate === 'true')
        return okChecked(await content.trial(client).restore(restoration, client), content);
      return okWritten(await content.history.restore(restoration, client), content);
    },

    async withdrawAsset({ path, headers, client, signal }) {
      assertScope(client, 'cma:write');
      assertScope(client, 'cma:draft');
      const withdrawal = { id: path.id, ...condition(headers) };
      const identity = { ...withdrawal, id: path.id.toLowerCase() };
      const request = identifyRequest('withdrawAsset', { body: identity, headers, client });
      return withIdempotencyKey(request, {
        async run(reserved) {
          const withdrawn = await content.releases.withdraw(withdrawal, { ...client, signal }, reserved);
          const { references, schedules } = withdrawn;
          return { ...ok({ references, schedules }), headers: toChangeHeader(withdrawn) };
        },
        assetsIn: ({ body }) => body.result.references.items.map(({ _id }) => _id),
      });
    },
  };
}
