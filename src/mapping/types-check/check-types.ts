/**
 * Reports what a change of content types breaks: in the types themselves, in stored mappings and webhooks, in the OpenAPI documents, in
 * stored content, and which API clients have called what breaks.
 */
import type { UsageSum } from '../../access/usage/usage.ts';
import type { ContentBreaks } from '../../content/unfit/count-breaks.ts';
import { compareDocuments } from '../../documents/compare-documents.ts';
import { bundleDocument, moveCmaDocument, readCmaDocument } from '../../documents/openapi-document.ts';
import type { TrustedDocuments } from '../../graphql/documents/trusted-documents.ts';
import type { GraphqlApis } from '../../graphql/endpoints/graphql-apis.ts';
import type { GraphqlEndpoints } from '../../graphql/endpoints/graphql-endpoints.ts';
import type { Catalog, JsonObject } from '../../model/content-type.ts';
import { findTypeChanges, sortBySeverity } from '../../model/types/find-type-changes.ts';
import { type Severity, severities } from '../../model/types/type-change.ts';
import { checkMappings, type DriftedMapping, type ReportedWarning } from '../checks/check-drift.ts';
import type { DriftedDocument } from '../checks/check-trusted-documents.ts';
import { compareRoutes } from '../compare/compare-routes.ts';
import type { RestEndpoints } from '../records/rest-endpoints.ts';
import { findCallers } from './find-callers.ts';
import { type CheckedWebhook, findWebhookBreaks } from './find-webhook-breaks.ts';
import { listFindings } from './list-findings.ts';
import type { ReportedDocumentChange, TypesReport } from './types-report.ts';

/** How many changes of types, and of documents, a report lists; it counts all. */
const maxListed = 1_000;

/** A change of types, and what it may break. */
export interface TypesCheck extends ComparedEndpoints {
  readonly before: Catalog;
  readonly after: Catalog;
  readonly webhooks: readonly CheckedWebhook[];
  /** Counts the stored assets that the change breaks. */
  readonly countBreaks: () => Promise<ContentBreaks>;
  /** The usage that `reportedUsage` asks for. */
  readonly used: readonly UsageSum[];
  readonly cmaPath: string;
}

/** Checks a change of content types. It writes nothing. Errors: the store's. */
export async function checkTypes(check: TypesCheck): Promise<TypesReport> {
  const { before, after } = check;
  const types = findTypeChanges(before, after);
  const { mappings, trustedDocuments } = await findMappingBreaks(check);
  const webhooks = findWebhookBreaks(check.webhooks, check);
  const ofRoutes = await compareServedRoutes(check);
  const documents = sortBySeverity([...compareCmaDocuments(check), ...ofRoutes.documents]);
  const content = await check.countBreaks();
  const [graphqlEndpoints, restEndpoints] = await Promise.all([
    check.graphqlEndpoints.list(),
    check.restEndpoints.list(),
  ]);
  const { brokenRoutes } = ofRoutes;
  const parts = { types, mappings, brokenRoutes, graphqlEndpoints, restEndpoints, before, after };
  const clients = findCallers(check.used, { ...parts, apis: check.apis.before });
  const report = { types, mappings, trustedDocuments, webhooks, documents, content, clients };
  return {
    counts: countFindings(report),
    ...report,
    types: types.slice(0, maxListed),
    documents: documents.slice(0, maxListed),
  };
}

function compareCmaDocuments({ before, after, cmaPath }: TypesCheck): ReportedDocumentChange[] {
  const source = moveCmaDocument(readCmaDocument(), cmaPath);
  // A bundled document is plain JSON, which its type does not say.
  const [old, now] = [before, after].map(
    (catalog) => bundleDocument({ source, catalog }) as unknown as JsonObject,
  );
  return compareDocuments(old ?? {}, now ?? {}).map((change) => ({ document: 'cma', ...change }));
}

function countFindings(report: Omit<TypesReport, 'counts'>): Record<Severity, number> {
  const findings = listFindings(report);
  const counts = severities.map((severity) => [
    severity,
    findings.filter((finding) => finding.severity === severity).length,
  ]);
  // The severities are the keys.
  return Object.fromEntries(counts) as Record<Severity, number>;
}

/** The stored endpoints, and their schemas before and after the change. */
interface ComparedEndpoints {
  readonly graphqlEndpoints: Pick<GraphqlEndpoints, 'list'>;
  readonly trustedDocuments: Pick<TrustedDocuments, 'listAll'>;
  readonly restEndpoints: Pick<RestEndpoints, 'list'>;
  readonly apis: { readonly before: GraphqlApis; readonly after: GraphqlApis };
}

/** Finds the mappings, of drafts and published, and the trusted documents that the change breaks. */
async function findMappingBreaks({
  apis,
  ...endpoints
}: ComparedEndpoints): Promise<Pick<TypesReport, 'mappings' | 'trustedDocuments'>> {
  const before = await checkMappings({ ...endpoints, apis: apis.before });
  const after = await checkMappings({ ...endpoints, apis: apis.after });
  return {
    mappings: { ...findNewBreaks(before, after, keyOf), warnings: after.warnings.filter(isOfServedFilter) },
    trustedDocuments: findNewBreaks(before.documents, after.documents, keyOfDocument),
  };
}

const isOfServedFilter = ({ code, state }: ReportedWarning) =>
  code === 'empty_filter' && state === 'published';

interface Checked<Broken> {
  readonly checked: number;
  readonly broken: readonly Broken[];
}

function findNewBreaks<Broken>(
  before: Checked<Broken>,
  after: Checked<Broken>,
  keyOf: (broken: Broken) => string,
): Checked<Broken> & { readonly brokenBefore: number } {
  const brokenBefore = new Set(before.broken.map(keyOf));
  return {
    checked: after.checked,
    brokenBefore: brokenBefore.size,
    broken: after.broken.filter((one) => !brokenBefore.has(keyOf(one))),
  };
}

const keyOf = ({ restEndpoint, mapping, state }: DriftedMapping) =>
  JSON.stringify([restEndpoint, mapping, state]);

const keyOfDocument = ({ graphqlEndpoint, documentId }: DriftedDocument) =>
  JSON.stringify([graphqlEndpoint, documentId]);

/** What changes for the callers of routes. */
interface RouteChanges {
  /** The changes; one of a component that several routes of an endpoint use is listed once. */
  readonly documents: readonly ReportedDocumentChange[];
  /** The routes with a breaking change, by method and path. */
  readonly brokenRoutes: ReadonlySet<string>;
}

/** Compares the routes of all published REST endpoints. Those that can no longer run are left out, since their mappings are reported. */
async function compareServedRoutes({
  graphqlEndpoints,
  restEndpoints,
  apis,
}: ComparedEndpoints): Promise<RouteChanges> {
  const [sources, endpoints] = await Promise.all([graphqlEndpoints.list(), restEndpoints.list()]);
  const sourceOf = new Map(sources.map((source) => [source.id, source]));
  const documents = new Map<string, ReportedDocumentChange>();
  const brokenRoutes = new Set<string>();
  for (const { id, published } of endpoints) {
    const definition = published?.definition;
    const endpoint = sourceOf.get(definition?.source ?? '');
    if (!definition || !endpoint) continue;
    const stateWith = (api: GraphqlApis) => ({ definition, source: { endpoint, api: api.get(endpoint) } });
    const states = { before: stateWith(apis.before), after: stateWith(apis.after) };
    for (const { method, path, changes } of compareRoutes(id, states)) {
      if (changes.some(({ severity }) => severity === 'breaking')) brokenRoutes.add(`${method} ${path}`);
      for (const change of changes) {
        const reported = { document: definition.name, ...change };
        documents.set(JSON.stringify(reported), reported);
      }
    }
  }
  return { documents: [...documents.values()], brokenRoutes };
}
