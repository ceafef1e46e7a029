/**
 * The report on a change of content types: what it breaks, and for whom.
 */

import type { Problem, SourceProblem } from '../../base/errors.ts';
import type { ContentBreaks, TypeBreaks } from '../../content/unfit/count-breaks.ts';
import type { DocumentChange } from '../../documents/compare-schemas.ts';
import {
  attention,
  breaking,
  type Finding,
  type Severity,
  type TypeChange,
} from '../../types/type-change.ts';
import type { DriftedDocument, DriftedMapping, ReportedWarning } from '../checks/check-drift.ts';

/** The report on a change, or the problems of the first of its SDL from which no types can be loaded. */
export type CheckOutcome =
  | { readonly report: TypesReport }
  | { readonly refused: 'before' | 'after'; readonly problems: readonly SourceProblem[] };

/** Everything that a change of content types breaks or affects. */
export interface TypesReport {
  /**
   * How many findings there are of each severity; problems of mappings, trusted documents and webhooks, and rules that stored content breaks,
   * are breaking, and warnings need attention.
   */
  readonly counts: Readonly<Record<Severity, number>>;
  /** The worst 1,000. */
  readonly types: readonly TypeChange[];
  readonly mappings: MappingBreaks;
  readonly trustedDocuments: TrustedDocumentBreaks;
  readonly webhooks: WebhookBreaks;
  /** The worst 1,000. */
  readonly documents: readonly ReportedDocumentChange[];
  readonly content: ContentBreaks;
  readonly clients: AffectedClients;
}

/** The stored mappings that the change breaks, and those that find nothing. */
export interface MappingBreaks {
  readonly checked: number;
  /** How many are broken already, before the change. */
  readonly brokenBefore: number;
  readonly broken: readonly DriftedMapping[];
  /** The published mappings with a filter that holds for nothing, whatever the change. */
  readonly warnings: readonly ReportedWarning[];
}

/** The trusted documents that the change breaks. */
interface TrustedDocumentBreaks {
  readonly checked: number;
  /** How many are broken already, before the change. */
  readonly brokenBefore: number;
  readonly broken: readonly DriftedDocument[];
}

/** The stored webhooks that the change breaks. */
export interface WebhookBreaks {
  readonly checked: number;
  /** How many are broken already, before the change. */
  readonly brokenBefore: number;
  readonly broken: readonly BrokenWebhook[];
}

/** A webhook whose types or predicate no longer fit; a problem of the predicate has a line and a column. */
interface BrokenWebhook {
  readonly id: string;
  /** Its name. */
  readonly webhook: string;
  readonly problems: readonly Problem[];
}

/** A difference between the OpenAPI documents before and after the change. */
export interface ReportedDocumentChange extends DocumentChange {
  /** `cma`, or the name of a REST endpoint. */
  readonly document: string;
}

/** The API clients that have called what the change breaks. */
export interface AffectedClients {
  /** How many days were searched, today included. */
  readonly days: number;
  /** How many items there are. */
  readonly count: number;
  /** The first 1,000, those of broken routes first, then by type. */
  readonly items: readonly AffectedClient[];
}

/** The calls of one client, of one route, for one type of which something breaks. */
export interface AffectedClient {
  /** Absent for calls without an API client. */
  readonly clientId?: string;
  /** The class name; absent for a broken route that uses no such type. */
  readonly type?: string;
  readonly method: string;
  readonly route: string;
  readonly requests: number;
  /**
   * `broken` if the route breaks, so that each call is affected. `type` if the calls use the type, and are affected where they use
   * what changes of it.
   */
  readonly use: 'broken' | 'type';
}

/** The parts of a report that have findings. */
export const reportParts = [
  'types',
  'mappings',
  'trustedDocuments',
  'webhooks',
  'documents',
  'content',
  'drafts',
] as const;

export interface ReportFinding extends Finding {
  readonly part: (typeof reportParts)[number];
  /** Such as `com.example.news.Article headline`. */
  readonly place: string;
  /** The `_id`s of some assets that it is about. */
  readonly ids?: readonly string[];
}

/** Lists the findings of all parts; broken mappings, trusted documents and webhooks, and rules that stored assets break, are breaking; filters that hold for nothing need attention. */
export function listFindings(report: Omit<TypesReport, 'counts' | 'clients'>): ReportFinding[] {
  const { types, mappings, trustedDocuments, webhooks, documents, content } = report;
  return [
    ...types.map(({ type, path, severity, message }) => ({
      part: 'types' as const,
      place: path === undefined ? type : `${type} ${path}`,
      severity,
      message,
    })),
    ...mappings.broken.flatMap(({ restEndpoint, mapping, state, problems }) =>
      problems.map(({ line, column, message }) => ({
        part: 'mappings' as const,
        place: `${restEndpoint} / ${mapping} (${state}) ${line}:${column}`,
        ...breaking(message),
      })),
    ),
    ...mappings.warnings.map(({ restEndpoint, mapping, state, message }) => ({
      part: 'mappings' as const,
      place: `${restEndpoint} / ${mapping} (${state})`,
      ...attention(message),
    })),
    ...trustedDocuments.broken.flatMap(({ graphqlEndpoint, name, documentId, problems }) =>
      problems.map(({ line, column, message }) => ({
        part: 'trustedDocuments' as const,
        place: `${graphqlEndpoint} / ${name ?? documentId} ${line}:${column}`,
        ...breaking(message),
      })),
    ),
    ...webhooks.broken.flatMap(({ webhook, problems }) =>
      problems.map(({ path, line, column, message }) => ({
        part: 'webhooks' as const,
        place: `${webhook} / ${path}${line === undefined ? '' : ` ${line}:${column}`}`,
        ...breaking(message),
      })),
    ),
    ...documents.map(({ document, place, severity, message }) => ({
      part: 'documents' as const,
      place: `${document}: ${place}`,
      severity,
      message,
    })),
    ...listBreaks(content.types, 'content', 'assets'),
    ...listBreaks(content.drafts, 'drafts', 'drafts'),
  ];
}

const listBreaks = (
  types: readonly TypeBreaks[],
  part: 'content' | 'drafts',
  noun: string,
): ReportFinding[] =>
  types.flatMap(({ type, rules, assets }) =>
    rules.map(({ path, message, count, ids }) => ({
      part,
      place: path === '' ? type : `${type} ${path}`,
      ...breaking(`${message}: ${count} of ${assets} ${noun}`),
      ids,
    })),
  );
