/**
 * Builds what checks a change of content types: for a server with its open store, and for the command line, which opens the store itself.
 */
import { createUsage, type Usage } from '../../access/usage/usage.ts';
import { usage as wrongUsage } from '../../base/errors.ts';
import { attributeCalls } from '../../content/attribute-calls.ts';
import type { ContentService } from '../../content/content-service.ts';
import { listTrustedDocuments } from '../../graphql/documents/trusted-documents.ts';
import { listSavedGraphqlEndpoints } from '../../graphql/endpoints/graphql-endpoint.ts';
import { reportedUsage } from '../../mapping/records/affected-routes.ts';
import { listEndpoints } from '../../mapping/records/endpoint-changes.ts';
import type { CheckOutcome, TypesReport } from '../../mapping/types-check/types-report.ts';
import type { Catalog } from '../../model/content-type.ts';
import { adapterOf } from '../../store/open-store.ts';
import type { ContentStore } from '../../store/port.ts';
import type { TypeSource } from '../../types/type-sources.ts';
import { listStoredWebhooks } from '../../webhooks/records/webhook.ts';
import { toCatalog } from '../chosen-types.ts';
import type { Config } from '../config/config.ts';
import { checkChange, type StoreRecords } from '../types-check/check-change.ts';
import { checkOnThread } from '../types-check/check-thread.ts';
import { createSystem, openConfigured } from './compose-records.ts';
import type { Runtime } from './runtime.ts';

/** How long a server counts stored assets. */
const countMs = 20_000;

/** Creates the checker of a store that is open for the types of `sources`. */
export function createTypesChecker({
  config: { cmaPath },
  runtime,
  store,
  system,
  usage,
  sources,
}: {
  sources: readonly TypeSource[];
  config: Config;
  runtime: Runtime;
  store: ContentStore;
  system: ContentService;
  usage: Pick<Usage, 'report'>;
}) {
  const { find } = attributeCalls(store, runtime).texts;
  return {
    /** The SDL files that the process was started with. */
    sources,
    /** Checks a change until the signal; without `before`, of `sources`. Errors: the store's, and the reason of the signal. */
    async check({
      before,
      after,
      signal,
    }: {
      readonly before: readonly TypeSource[] | undefined;
      readonly after: readonly TypeSource[];
      readonly signal: AbortSignal;
    }): Promise<CheckOutcome> {
      const records = await readRecords({ system, usage });
      const data = { stored: sources, before, after, records, cmaPath, countMs };
      return checkOnThread(data, { find, signal });
    },
  };
}

async function readRecords({
  system,
  usage,
}: {
  system: ContentService;
  usage: Pick<Usage, 'report'>;
}): Promise<StoreRecords> {
  const [graphqlEndpoints, trustedDocuments, restEndpoints, stored, used] = await Promise.all([
    listSavedGraphqlEndpoints(system),
    listTrustedDocuments(system),
    listEndpoints({ system }),
    listStoredWebhooks(system),
    usage.report(reportedUsage),
  ]);
  // A check needs no secrets.
  const webhooks = stored.map(({ id, name, types, where }) => ({
    id,
    name,
    types,
    ...(where !== undefined && { where }),
  }));
  return { graphqlEndpoints, trustedDocuments, restEndpoints, webhooks, used };
}

/**
 * Checks a change against the configured store, which is only read; without a store, only what the types alone tell. Without `before`,
 * it is a change of the types of the store. Returns whether there is a store, too.
 *
 * Errors: usage when it is not known what the types are compared with; bad_types, bad_config, store_busy, store_failure.
 */
export async function checkTypesOfStore(
  config: Config,
  runtime: Runtime,
  change: { readonly before?: Catalog; readonly after: Catalog },
): Promise<{ readonly report: TypesReport; readonly hasStore: boolean }> {
  const adapter = adapterOf(config);
  const { served } = await adapter.readTypes();
  const stored = served ? toCatalog(served) : change.before;
  if (!stored) {
    throw wrongUsage('the store has no record of its content types: give those to compare with by --against');
  }
  const catalogs = { stored, before: stored, ...change };
  const { cmaPath } = config;
  const { signal } = new AbortController();
  if (!adapter.exists()) {
    return { report: await checkChange({ catalogs, ...emptyStore, cmaPath, signal }), hasStore: false };
  }
  const { clock, logger } = runtime;
  const store = await openConfigured(config, { catalog: stored, logger, isReadOnly: true });
  try {
    const system = createSystem(store, runtime);
    const records = await readRecords({ system, usage: createUsage({ system, clock, logger }) });
    const report = await checkChange({ catalogs, records, store, cmaPath, signal });
    return { report, hasStore: true };
  } finally {
    await store.close();
  }
}

/** What a store without assets, endpoints and webhooks has. */
const emptyStore = {
  records: { graphqlEndpoints: [], trustedDocuments: new Map(), restEndpoints: [], webhooks: [], used: [] },
  store: { find: async () => ({ items: [], count: 0 }) },
};
