/**
 * Checks a change of content types against what its caller has read from the store, which a thread can do as well as the process
 * that has the store open.
 */
import type { UsageSum } from '../../access/usage/usage.ts';
import { type AssetSource, countBreaks } from '../../content/unfit/count-breaks.ts';
import { findDanglingByRules } from '../../content/unfit/find-dangling.ts';
import type { TrustedDocument } from '../../graphql/documents/trusted-documents.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoints/graphql-endpoint.ts';
import { withPresentNames } from '../../graphql/endpoints/graphql-endpoint.ts';
import type { RestEndpoint } from '../../mapping/records/rest-endpoint.ts';
import type { CheckedWebhook } from '../../mapping/types-check/check-types.ts';
import { checkTypes } from '../../mapping/types-check/check-types.ts';
import type { TypesReport } from '../../mapping/types-check/types-report.ts';
import type { Catalog } from '../../model/content-type.ts';
import { createSchemas } from '../compose/compose-schemas.ts';

/** What a check needs from the store, besides its assets. */
export interface StoreRecords {
  /** With the names of types that they were saved with. */
  readonly graphqlEndpoints: readonly GraphqlEndpoint[];
  /** The trusted documents, by the ID of their endpoint. */
  readonly trustedDocuments: ReadonlyMap<string, readonly TrustedDocument[]>;
  readonly restEndpoints: readonly RestEndpoint[];
  readonly webhooks: readonly CheckedWebhook[];
  /** The usage of the days that a report covers, by client and route. */
  readonly used: readonly UsageSum[];
}

export interface CheckedCatalogs {
  /** Those of the store: stored assets are compared with these. */
  readonly stored: Catalog;
  readonly before: Catalog;
  readonly after: Catalog;
}

/** Checks a change; `signal` ends the count of stored assets. Errors: those of `store`. */
export async function checkChange({
  catalogs: { stored, before, after },
  records,
  store,
  cmaPath,
  signal,
}: {
  catalogs: CheckedCatalogs;
  records: StoreRecords;
  store: AssetSource;
  cmaPath: string;
  signal: AbortSignal;
}): Promise<TypesReport> {
  const graphqlEndpoints = records.graphqlEndpoints.map((endpoint) => withPresentNames(endpoint, before));
  return checkTypes({
    before,
    after,
    findDangling: () => findDanglingByRules(store, { before: stored, after }, signal),
    countBreaks: () => countBreaks(store, { before: stored, after }, signal),
    used: records.used,
    webhooks: records.webhooks,
    graphqlEndpoints: { list: async () => graphqlEndpoints },
    trustedDocuments: { listAll: async () => records.trustedDocuments },
    restEndpoints: { list: async () => records.restEndpoints },
    apis: { before: createSchemas(before), after: createSchemas(after) },
    cmaPath,
  });
}
