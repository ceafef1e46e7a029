/**
 * The handler of the content management API for the feed of changes: pages, or a live stream on the same address.
 */
import express from 'express';
import type { ApiClient } from '../../access/clients/api-clients.ts';
import { assertScope } from '../../access/clients/scopes.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { LiveFeeds } from '../../content/feed/live/live-feeds.ts';
import type { FeedPage } from '../../content/feed/read-feed.ts';
import { unfitMember } from '../response/asset-responses.ts';
import type { CmaHandlers, FeedOperation } from './cma.ts';

/** What the handler uses. */
export interface FeedServices {
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
