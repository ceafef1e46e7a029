/**
 * Reports what a change of content types breaks: in the types themselves, in stored mappings and webhooks, in the OpenAPI documents, in
 * stored content, and which API clients have called what breaks.
 */
import type { UsageSum } from '../../access/usage/usage.ts';
import type { ContentBreaks } from '../../content/unfit/count-breaks.ts';
import { compareDocuments } from '../../documents/compare-documents.ts';
import { bundleDocument, moveCmaDocument, readCmaDocument } from '../../documents/openapi-document.ts';
import type { Catalog, JsonObject } from '../../model/content-type.ts';
import { findTypeChanges, sortBySeverity } from '../../model/types/find-type-changes.ts';
import { type Severity, severities } from '../../model/types/type-change.ts';
import { type ComparedEndpoints, compareRouteDocuments, findMappingBreaks } from './compare-endpoints.ts';
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
  const mappings = await findMappingBreaks(check);
  const webhooks = findWebhookBreaks(check.webhooks, check);
  const documents = sortBySeverity([...compareCmaDocuments(check), ...(await compareRouteDocuments(check))]);
  const content = await check.countBreaks();
  const [graphqlEndpoints, restEndpoints] = await Promise.all([
    check.graphqlEndpoints.list(),
    check.restEndpoints.list(),
  ]);
  const parts = { types, mappings, documents, graphqlEndpoints, restEndpoints, before, after };
  const clients = findCallers(check.used, { ...parts, apis: check.apis.before });
  const report = { types, mappings, webhooks, documents, content, clients };
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
