/**
 * Lists the findings of a report one by one, for those who print and count them.
 */
import type { TypeBreaks } from '../../content/unfit/count-breaks.ts';
import { attention, breaking, type Finding } from '../../model/types/type-change.ts';
import type { TypesReport } from './types-report.ts';

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

/** One finding of a report. */
export interface ReportFinding extends Finding {
  /** The part of the report it is from. */
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
