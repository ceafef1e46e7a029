/**
 * Builds the APIs of an instance: the CMA and the admin API.
 */
import type { Authenticator } from '../../access/authenticator.ts';
import { createEraseWithResponses } from '../../access/idempotency/erase-with-responses.ts';
import { createSessions } from '../../access/users/sessions.ts';
import type { Metric } from '../../base/metrics/metric.ts';
import { createSignInRecorder } from '../../content/changes/record-sign-in.ts';
import type { LiveFeeds } from '../../content/feed/live/live-feeds.ts';
import { createReferenceFinder } from '../../content/reading/find-references.ts';
import { createTitleFinder } from '../../content/reading/find-titles.ts';
import { createBundles, moveCmaDocument, readCmaDocument } from '../../documents/openapi-document.ts';
import { createAdmin } from '../../http/create-admin.ts';
import type { MountedApi } from '../../http/mounted-api.ts';
import type { BodyLimits } from '../../http/request/collect-body.ts';
import { createDryRuns } from '../../mapping/records/dry-runs.ts';
import type { PublishedApis } from '../../mapping/routes/published-apis.ts';
import { createCma } from './compose-cma.ts';
import { composeOpenid } from './compose-openid.ts';
import { runBoth } from './instance-options.ts';
import type { Services } from './services.ts';

/** Creates the APIs that the configuration enables. */
export async function createApis(
  services: Services & {
    readonly liveFeeds: LiveFeeds;
    readonly collectLastHour: () => Promise<readonly Metric[]>;
  },
  {
    authenticator,
    publishedApis,
    limits,
  }: { authenticator: Authenticator; publishedApis: PublishedApis; limits: BodyLimits },
): Promise<MountedApi[]> {
  const { config, runtime, store, content, refreshOthers } = services;
  const erase = createEraseWithResponses({
    ...services,
    eraseDeliveries: services.webhooks.eraseDeliveries,
    removeFromMemory: () => runBoth(services.routeCache.removeOutdated, refreshOthers),
  });
  const recordSignIn = createSignInRecorder({ store, ...runtime });
  const sessions = createSessions({ ...services, ...runtime, recordSignIn });
  const { logger } = runtime;
  const document = moveCmaDocument(readCmaDocument(), config.cmaPath);
  const { publicUrl } = config;
  const admin = await createAdmin(
    {
      ...services,
      documents: createBundles({ cma: document, catalog: content.catalog, publicUrl }),
      publicUrl,
      basePath: config.basePath,
      clock: runtime.clock,
      sessions,
      openidSignIn: composeOpenid(config, { ...services, sessions }),
      authenticator: { ...authenticator, refresh: () => runBoth(authenticator.refresh, refreshOthers) },
      publishedApis: { ...publishedApis, refresh: () => runBoth(publishedApis.refresh, refreshOthers) },
      logger,
      dryRuns: createDryRuns(services),
      findReferences: createReferenceFinder({ content, clock: runtime.clock }),
      titles: createTitleFinder({ content, clock: runtime.clock }),
      erase,
    },
    limits,
  );
  return config.cmaEnabled
    ? [await createCma(services, { document, authenticator, erase, limits }), admin]
    : [admin];
}
