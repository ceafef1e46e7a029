/**
 * Reports what a change of content types breaks: in the types themselves, in stored mappings and webhooks, in the OpenAPI documents, in
 * stored content, and which API clients have called what breaks.
 */

import type { UsageSum } from '../../access/usage/usage.ts';
import type { ContentBreaks } from '../../content/unfit/count-breaks.ts';
import { compareDocuments } from '../../documents/compare-documents.ts';
import { bundleDocument, moveCmaDocument, readCmaDocument } from '../../documents/openapi-document.ts';
import type { TrustedDocuments } from '../../graphql/documents/trusted-documents.ts';
import type { GraphqlApis } from '../../graphql/endpoints/graphql-api.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoints/graphql-endpoint.ts';
import type { GraphqlEndpoints } from '../../graphql/endpoints/graphql-endpoints.ts';
import type { Catalog, JsonObject } from '../../model/content-type.ts';
import { findFieldPath } from '../../model/field-path.ts';
import { findNewType, findTypeChanges, sortBySeverity } from '../../types/find-type-changes.ts';
import { concreteTypes } from '../../types/restrict-catalog.ts';
import { type Severity, severities, type TypeChange } from '../../types/type-change.ts';
import { checkSelection, type Selection } from '../../webhooks/compiled-webhook.ts';
import {
  checkMappings,
  type DriftedDocument,
  type DriftedMapping,
  type ReportedWarning,
} from '../checks/check-drift.ts';
import { prepareMappedOperation } from '../checks/prepare-mapping.ts';
import { compareRoutes } from '../compare/compare-routes.ts';
import { reportedUsage } from '../records/affected-routes.ts';
import type { RestEndpoint, RestEndpointDefinition } from '../records/rest-endpoint.ts';
import type { RestEndpoints } from '../records/rest-endpoints.ts';
import type {
  AffectedClient,
  AffectedClients,
  MappingBreaks,
  ReportedDocumentChange,
  TypesReport,
  WebhookBreaks,
} from './types-report.ts';
import { listFindings } from './types-report.ts';

/** How many changes of types, and of documents, a report lists; it counts all. */
const maxListed = 1_000;

/** A change of types, and what it may break. */
interface TypesCheck extends ComparedEndpoints {
  readonly before: Catalog;
  readonly after: Catalog;
  readonly webhooks: readonly CheckedWebhook[];
  /** Finds the stored references that lead nowhere in fields that get a rule of deletion. */
  readonly findDangling: () => Promise<readonly TypeChange[]>;
  /** Counts the stored assets that the change breaks. */
  readonly countBreaks: () => Promise<ContentBreaks>;
  /** The usage that `reportedUsage` asks for. */
  readonly used: readonly UsageSum[];
  readonly cmaPath: string;
}

/** Checks a change of content types. It writes nothing. Errors: the store's. */
export async function checkTypes(check: TypesCheck): Promise<TypesReport> {
  const { before, after } = check;
  const types = sortBySeverity([...findTypeChanges(before, after), ...(await check.findDangling())]);
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

// Finds the API clients that have called what a change of content types breaks: broken routes, and types that clients must follow.
//
// Usage of the CMA and of GraphQL endpoints is counted by type. The types of a mapped route are those of its operation, so nothing is
// counted for them.

/** How many uses a report lists; it counts all. */
const maxListedCallers = 1_000;

/** What breaks, and what serves it. */
interface BrokenParts {
  readonly types: readonly TypeChange[];
  readonly mappings: MappingBreaks;
  /** The published routes with a breaking change of their requests or responses, by method and path. */
  readonly brokenRoutes: ReadonlySet<string>;
  readonly graphqlEndpoints: readonly GraphqlEndpoint[];
  readonly restEndpoints: readonly RestEndpoint[];
  /** The APIs of the types before the change. */
  readonly apis: Pick<GraphqlApis, 'get'>;
  readonly before: Catalog;
  readonly after: Catalog;
}

/** Finds the callers, those of broken routes first, then by type; `used` is `reportedUsage`. */
function findCallers(used: readonly UsageSum[], parts: BrokenParts): AffectedClients {
  const changed = findChangedTypes(parts);
  const routes = findRoutes(parts);
  const items = used.flatMap((sum) => {
    const route = routes.get(`${sum.method} ${sum.route}`);
    const types = route ? new Map(route.types.map((type) => [type, sum.requests])) : toPresent(sum, parts);
    const affected = [...types].filter(([type]) => changed.has(type));
    const use = route?.isBroken ? 'broken' : 'type';
    const uses = affected.map(([type, requests]) => toClient(sum, { type, requests, use }));
    return route?.isBroken && uses.length === 0 ? [toClient(sum, { requests: sum.requests, use })] : uses;
  });
  const sorted = items.toSorted((one, other) => rankOf(one).localeCompare(rankOf(other)));
  return { days: reportedUsage.days, count: items.length, items: sorted.slice(0, maxListedCallers) };
}

const rankOf = ({ use, type = '' }: AffectedClient) => `${use} ${type}`;

function toClient(
  { clientId, method = '', route = '' }: UsageSum,
  use: Pick<AffectedClient, 'type' | 'requests' | 'use'>,
): AffectedClient {
  return { ...(clientId !== undefined && { clientId }), method, route, ...use };
}

/** Returns the counted types under their present class names. */
function toPresent({ types }: UsageSum, { before }: BrokenParts): ReadonlyMap<string, number> {
  const present = new Map<string, number>();
  for (const [name, requests] of types) {
    const type = before.find(name)?.class ?? name;
    present.set(type, (present.get(type) ?? 0) + requests);
  }
  return present;
}

/** The content types of which something breaks for clients: renamed and dropped fields as well, which they must no longer use. */
function findChangedTypes({ types, before, after }: BrokenParts): ReadonlySet<string> {
  const changed = types.filter((change) => change.severity === 'breaking' || isGone(change, after));
  return concreteTypes(
    before,
    changed.map(({ type }) => type),
  );
}

/** Whether a field has another path, or none, after the change. */
function isGone({ severity, type, path }: TypeChange, after: Catalog): boolean {
  const now = findNewType(after, type);
  if (severity === 'safe' || path === undefined || !now) return false;
  return typeof findFieldPath(after, after.concrete(now), path.replaceAll('[]', '')) === 'string';
}

/** What is known of a published route. */
interface KnownRoute {
  readonly isBroken: boolean;
  /** Class names of the types that its operation reads. */
  readonly types: readonly string[];
}

/** Finds the published routes, by method and path. */
function findRoutes(parts: BrokenParts): ReadonlyMap<string, KnownRoute> {
  const published = parts.restEndpoints.flatMap(({ published }) => published?.definition ?? []);
  return new Map(
    published.flatMap((definition) =>
      definition.mappings.flatMap((mapping) => {
        const types = readTypesOf(mapping.query, definition, parts);
        return mapping.methods.map((method) => {
          const key = `${method} ${definition.pathPrefix}${mapping.path}`;
          const isBroken =
            isMappingBroken(parts.mappings, definition.name, mapping.name) || parts.brokenRoutes.has(key);
          return [key, { isBroken, types }] as const;
        });
      }),
    ),
  );
}

const isMappingBroken = ({ broken }: MappingBreaks, endpoint: string, mapping: string) =>
  broken.some((one) => one.state === 'published' && one.restEndpoint === endpoint && one.mapping === mapping);

function readTypesOf(
  query: string,
  { source }: RestEndpointDefinition,
  { graphqlEndpoints, apis }: BrokenParts,
): readonly string[] {
  const endpoint = graphqlEndpoints.find(({ id }) => id === source);
  const prepared = endpoint && prepareMappedOperation(apis.get(endpoint), query);
  return prepared && 'readTypes' in prepared ? prepared.readTypes : [];
}

// Finds the webhooks that a change of content types breaks: those whose types or predicate fit before it, and do not fit after it.
//
// They are checked as when they are saved. Nothing else of a webhook depends on content types.

/** What is checked of a stored webhook. */
export interface CheckedWebhook extends Selection {
  readonly id: string;
  readonly name: string;
}

/** Finds them, in the order given. */
function findWebhookBreaks(
  webhooks: readonly CheckedWebhook[],
  { before, after }: { before: Catalog; after: Catalog },
): WebhookBreaks {
  const fitting = webhooks.filter((webhook) => checkSelection(before, webhook).length === 0);
  return {
    checked: webhooks.length,
    brokenBefore: webhooks.length - fitting.length,
    broken: fitting.flatMap((webhook) => {
      const problems = checkSelection(after, webhook);
      return problems.length > 0 ? [{ id: webhook.id, webhook: webhook.name, problems }] : [];
    }),
  };
}
