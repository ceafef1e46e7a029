/**
 * The target to a server, by its content management API.
 *
 * What may pass is tried again: 429, every 5xx, lost connections, and answers that break off or do not come. Each batch carries
 * its key as `Idempotency-Key`, so that a repeated one is answered and not done again.
 */
import { transferFailed } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import type { Asset } from '../../model/content-type.ts';
import type {
  Batch,
  BatchAnswer,
  ContentTarget,
  Operation,
  OperationResult,
  Selection,
} from './content-target.ts';
import { findMissing } from './find-missing.ts';
import { type FailedResult, isEnvelope, readRefusal, type Succeeded } from './read-answer.ts';
import { type Patience, withRetries } from './retry.ts';
import { retryAfterMs, sendOnce } from './send-once.ts';

/** Where a server is, and who asks. */
export interface HttpTargetSettings {
  /** Of the content management API, without a slash at the end. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly timeoutMs: number;
  readonly patience: Patience;
  readonly clock: Clock;
}

/** Makes a target; nothing is sent before it is used. */
export function createHttpTarget(settings: HttpTargetSettings): ContentTarget {
  const { url, patience } = settings;
  const credentials = { 'X-Client-Id': settings.clientId, 'X-Client-Secret': settings.clientSecret };

  /** An answer that is not a passing trouble; what is no answer of this API at all is an error. */
  const call = (path: string, init: RequestInit) =>
    withRetries<Answer>(patience, async () => {
      const sent = await sendOnce({ url: url + path, init, timeoutMs: settings.timeoutMs });
      if ('reason' in sent) return { done: false, reason: `${url}: ${sent.reason}` };
      const { status, headers, text } = sent;
      if (status === 429 || status >= 500) {
        return {
          done: false,
          reason: `${url} answers ${status}`,
          ...retryAfterMs(headers, settings.clock.nowMs()),
        };
      }
      const body = parse(text);
      // An answer cut short looks like this too.
      if (status === 200 && body === undefined) return { done: false, reason: `${url} answers no JSON` };
      // A proxy in between has a limit of its own, and answers in its own way.
      if (status === 413) return { done: true, value: { status, body: { error: tooLarge } } };
      if (!isEnvelope(body)) throw transferFailed(`${url} answers ${status}, and not as a content API does`);
      return { done: true, value: { status, body } };
    });

  async function query(selection: Selection, page: Record<string, string>): Promise<FoundPage> {
    const params = new URLSearchParams({ from: selection.from, ...page });
    if (selection.where !== undefined) params.set('where', selection.where);
    for (const value of selection.values ?? []) params.append('values', value);
    const { status, body } = await call(`?${params}`, { headers: credentials });
    if (status !== 200) throw refused(url, status, body);
    return body.result as FoundPage; // As the document of the operation has it.
  }

  async function batch({ key, operations }: Batch): Promise<BatchAnswer> {
    const headers = { ...credentials, 'Content-Type': 'application/json', 'Idempotency-Key': key };
    const init = { method: 'POST', headers, body: toBody(operations) };
    const { status, body } = await call('/batch', init);
    if (status === 400 || status === 413)
      return { kind: 'refused', refusal: readRefusal(status, body.error) };
    if (status !== 200) throw refused(url, status, body);
    const { results } = body.result as BatchResult; // As the document of the operation has it.
    if (results.length !== operations.length) throw transferFailed(`${url} answers another batch`);
    return { kind: 'answered', results: results.map(toResult) };
  }

  const page = async (selection: Selection, limit: number) =>
    (await query(selection, { limit: String(limit), count: 'false' })).items;
  const count = async (selection: Selection) => (await query(selection, { limit: '0' })).count ?? 0;

  return {
    name: url,
    page,
    count,
    findMissing: (targets) => findMissing({ page, count }, targets),
    batch,
    close: async () => {},
  };
}

const tooLarge = { code: 'body_too_large', message: 'is too large for the target' };

interface Answer {
  readonly status: number;
  readonly body: { readonly result?: unknown; readonly error?: unknown };
}

interface FoundPage {
  readonly items: readonly Asset[];
  readonly count?: number;
}

interface BatchResult {
  readonly results: readonly (Succeeded | FailedResult)[];
}

/** The texts of the assets go as they are, so that nothing is lost between a file and the target. */
function toBody(operations: readonly Operation[]): string {
  const texts = operations.map(({ action, by, text }) => {
    const key = action === 'create' ? '' : `"by":${JSON.stringify(by)},`;
    return `{"action":"${action}",${key}"asset":${text}}`;
  });
  return `{"references":"deferred","operations":[${texts.join(',')}]}`;
}

function toResult(result: Succeeded | FailedResult): OperationResult {
  if ('error' in result) return { outcome: 'refused', refusal: readRefusal(result.status, result.error) };
  return { outcome: result.outcome, _id: result._id, unresolved: result.unresolved ?? [] };
}

function refused(url: string, status: number, { error }: Answer['body']) {
  const reasons = readRefusal(status, error).problems.map(({ message }) => message);
  return transferFailed(`${url} answers ${status}: ${reasons.join('; ')}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
