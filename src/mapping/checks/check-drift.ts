/**
 * Re-checks stored mappings against the current content types: drafts, which cannot be published when they no longer fit, and
 * published mappings, whose broken routes answer 500. The report also has the trusted documents, and the warnings of endpoints.
 */

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  checkDocument,
  type TrustedDocuments,
  toDocumentId,
} from '../../graphql/documents/trusted-documents.ts';
import type { GraphqlApis } from '../../graphql/endpoints/graphql-api.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoints/graphql-endpoint.ts';
import type { GraphqlEndpoints } from '../../graphql/endpoints/graphql-endpoints.ts';
import type { DocumentProblem } from '../../graphql/operation.ts';
import { findMappingWarnings, findPublicTypes, type Warning } from '../records/endpoint-warnings.ts';
import type { Mapping, RestEndpointDefinition } from '../records/rest-endpoint.ts';
import type { RestEndpoints } from '../records/rest-endpoints.ts';
import type { Source } from '../routes/build-routes.ts';
import { deletedSource, prepareMapping, toDocumentProblems } from './prepare-mapping.ts';

/** The outcome for all mappings. */
export interface DriftReport {
  /** The number of checked mappings. A mapping that is published as it is in the draft is checked once, as published. */
  readonly checked: number;
  readonly broken: readonly DriftedMapping[];
  /** The trusted documents of GraphQL endpoints. */
  readonly documents: DocumentsReport;
  readonly warnings: readonly ReportedWarning[];
}

/** A warning with the name of its endpoint and, for a REST endpoint, which of its definitions it concerns. */
export interface ReportedWarning extends Warning {
  readonly graphqlEndpoint?: string;
  readonly restEndpoint?: string;
  readonly state?: DriftedMapping['state'];
}

/** A mapping whose document no longer fits, with the problems; `restEndpoint` and `mapping` are names. */
export interface DriftedMapping {
  readonly restEndpoint: string;
  readonly mapping: string;
  readonly state: 'draft' | 'published';
  readonly problems: readonly DocumentProblem[];
}

/** Checks every mapping and every trusted document against the current schema of its source, and collects the warnings of all endpoints. */
export async function checkMappings({
  graphqlEndpoints,
  trustedDocuments,
  restEndpoints,
  apis,
}: {
  graphqlEndpoints: Pick<GraphqlEndpoints, 'list'>;
  trustedDocuments: Pick<TrustedDocuments, 'listAll'>;
  restEndpoints: Pick<RestEndpoints, 'list'>;
  apis: GraphqlApis;
}): Promise<DriftReport> {
  const [sources, endpoints] = await Promise.all([graphqlEndpoints.list(), restEndpoints.list()]);
  const sourceOf = new Map(
    sources.map((endpoint) => [endpoint.id, { endpoint, api: apis.get(endpoint) }] as const),
  );
  const definitions = endpoints.flatMap(({ current, published }) => [
    { state: 'draft' as const, definition: withoutPublished(current.definition, published?.definition) },
    ...(published ? [{ state: 'published' as const, definition: published.definition }] : []),
  ]);
  const stored = definitions.map((definition) => ({
    ...definition,
    source: sourceOf.get(definition.definition.source),
  }));
  const checked = stored.flatMap(checkDefinition);
  return {
    checked: checked.length,
    broken: checked.filter(({ problems }) => problems.length > 0),
    documents: await checkTrustedDocuments({ endpoints: sources, trustedDocuments, apis }),
    warnings: [...sources.flatMap(warnOfSource), ...stored.flatMap(warnOfDefinition)],
  };
}

/** Leaves out the mappings of a draft that are published as they are. */
function withoutPublished(
  draft: RestEndpointDefinition,
  published: RestEndpointDefinition | undefined,
): RestEndpointDefinition {
  if (published?.source !== draft.source) return draft;
  const isPublished = (mapping: Mapping) =>
    published.mappings.some((other) => isDeepStrictEqual(other, mapping));
  return { ...draft, mappings: draft.mappings.filter((mapping) => !isPublished(mapping)) };
}

/** A stored definition, with its source unless that was deleted. */
interface StoredDefinition {
  readonly state: DriftedMapping['state'];
  readonly definition: RestEndpointDefinition;
  readonly source: Source | undefined;
}

function warnOfSource(endpoint: GraphqlEndpoint): ReportedWarning[] {
  return findPublicTypes(endpoint).map((warning) => ({ ...warning, graphqlEndpoint: endpoint.name }));
}

function warnOfDefinition({ state, definition, source }: StoredDefinition): ReportedWarning[] {
  const { name: restEndpoint } = definition;
  return findMappingWarnings(definition, source).map((warning) => ({ ...warning, restEndpoint, state }));
}

function checkDefinition({ state, definition, source }: StoredDefinition): DriftedMapping[] {
  const { name: restEndpoint, mappings } = definition;
  return mappings.map((mapping) => {
    const prepared = source ? prepareMapping(source.api, mapping) : deletedSource;
    const problems = 'problems' in prepared ? toDocumentProblems(prepared) : [];
    return { restEndpoint, mapping: mapping.name, state, problems };
  });
}

/** The outcome for all stored documents. */
interface DocumentsReport {
  readonly checked: number;
  readonly broken: readonly DriftedDocument[];
}

/** A stored document that no longer fits its endpoint, whose name `graphqlEndpoint` is. */
export interface DriftedDocument {
  readonly graphqlEndpoint: string;
  readonly documentId: string;
  /** The names of its operations. */
  readonly name?: string;
  readonly problems: readonly DocumentProblem[];
}

/** Checks the stored documents of endpoints, giving way to other work between them. */
async function checkTrustedDocuments({
  endpoints,
  trustedDocuments,
  apis,
}: {
  endpoints: readonly GraphqlEndpoint[];
  trustedDocuments: Pick<TrustedDocuments, 'listAll'>;
  apis: GraphqlApis;
}): Promise<DocumentsReport> {
  const stored = await trustedDocuments.listAll();
  const broken: DriftedDocument[] = [];
  let checked = 0;
  for (const endpoint of endpoints) {
    for (const { hash, name, text } of stored.get(endpoint.id) ?? []) {
      await yieldToEventLoop();
      checked++;
      const { problems } = checkDocument(apis.get(endpoint), text);
      const document = { documentId: toDocumentId(hash), ...(name !== undefined && { name }) };
      if (problems.length > 0) broken.push({ graphqlEndpoint: endpoint.name, ...document, problems });
    }
  }
  return { checked, broken };
}
