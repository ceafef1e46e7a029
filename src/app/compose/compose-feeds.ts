/**
 * Builds the live feeds of an instance.
 */
import type { ContentService } from '../../content/content-service.ts';
import { createLiveFeeds, type LiveFeeds } from '../../content/feed/live/live-feeds.ts';
import type { LiveTiming } from '../../content/feed/live/live-timing.ts';
import type { Config } from '../config/config.ts';
import type { Runtime } from './compose-records.ts';

/** What live feeds need. */
export interface FeedParts {
  readonly config: Pick<Config, 'maxStreams'>;
  readonly store: Parameters<typeof createLiveFeeds>[0]['store'];
  readonly content: Pick<ContentService, 'feed'>;
  readonly runtime: Runtime;
  /** Absent means the usual times. */
  readonly feedTiming?: Partial<LiveTiming> | undefined;
}

/** Creates the live feeds. */
export const createFeeds = ({ config, store, content, runtime, feedTiming }: FeedParts): LiveFeeds =>
  createLiveFeeds({
    ...{ store, reader: content.feed, origins: runtime.origins, logger: runtime.logger },
    maxStreams: config.maxStreams,
    timing: feedTiming,
  });
