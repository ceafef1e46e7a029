/**
 * The target at a server, reached by its content management API.
 *
 * The client's sender carries every request. More is repeated than in the client: every 5xx, and a success that is no JSON, as an
 * answer cut short is. Each batch carries its key as `Idempotency-Key`, so that the server carries a repeated one out once.
 */
import { transferFailed } from '../../base/errors.ts';
import { type Connection, createConnection } from '../../client/connection.ts';
import { ColophonError, type ErrorFacts } from '../../client/errors.ts';
import { readErrorReason, readResult } from '../../client/read-response.ts';
import { type ServerRequest, sendRequest } from '../../client/send-request.ts';
import type { Asset } from '../../model/content-type.ts';
import {
  type Batch,
  type BatchResponse,
  batchTerms,
  type ContentTarget,
  type KeyLookup,
  type Operation,
  type OperationResult,
  type Refusal,
  type Selection,
  type SortedPage,
  type Targets,
  type Unresolved,
} from './content-target.ts';
import { findByKeys } from './find-by-keys.ts';
import { gaveUp, type RetryPolicy, toTransferError } from './retry-policy.ts';

/** A server, and the API client to use it as. */
export interface HttpTargetSettings {
  /** The address of the content management API, without a slash at the end. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly timeoutMs: number;
  /** The release that is read and written; absent means the live content. */
  readonly release?: string | undefined;
  readonly policy: RetryPolicy;
}

/** Makes a target; nothing is sent before it is used. Errors: transfer_failed when a header cannot hold the credentials. */
export function createHttpTarget(settings: HttpTargetSettings): ContentTarget {
  const { url, policy, release } = settings;
  const connection = connect(settings);
  const inRelease = release === undefined ? '' : `?${new URLSearchParams({ release })}`;
  const { pathname } = new URL(url);

  async function send<Result>(request: RequestPart): Promise<Result> {
    const path = pathname + request.path;
    const { signal: retrySignal } = policy;
    return readResult(
      await sendRequest(connection, { ...request, path, repeatable: true, isTransient, retrySignal }),
    );
  }

  async function ask(selection: Selection, range: Record<string, string>): Promise<FoundPage> {
    const params = new URLSearchParams({ from: selection.from, nulls: 'true', ...range });
    if (selection.where !== undefined) params.set('where', selection.where);
    for (const value of selection.values ?? []) params.append('values', value);
    if (selection.fields) params.set('fields', selection.fields.join(','));
    if (release !== undefined) params.set('release', release);
    return send({ method: 'GET', path: `?${params}` });
  }

  /** Runs requests. Returns `refused`, if it is given, when the server understands one and refuses it. */
  async function attempt<Result>(work: () => Promise<Result>, refused?: Result): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (refused !== undefined && isRefused(error)) return refused;
      throw toError(error, settings);
    }
  }

  const query = (selection: Selection, range: Record<string, string>) => attempt(() => ask(selection, range));

  async function batch({ key, run, operations }: Batch): Promise<BatchResponse> {
    const headers = { 'Idempotency-Key': key, ...(run !== undefined && { 'X-Run': run }) };
    try {
      const request = { method: 'POST', path: `/batch${inRelease}`, headers, content: toBody(operations) };
      const { results } = await send<BatchResult>(request);
      if (results.length !== operations.length) throw transferFailed(`${url} answers another batch`);
      return { kind: 'answered', results: results.map(toResult) };
    } catch (error) {
      const refusal = error instanceof ColophonError && findRefusal(error);
      if (refusal) return { kind: 'refused', refusal };
      throw toError(error, settings);
    }
  }

  const pageRange = (limit: number) => ({ limit: String(limit), count: 'false' });

  /** Has the server check an update by the key, of which it writes nothing. */
  async function isKey({ type, fields, values }: KeyLookup): Promise<boolean> {
    const asset = {
      _type: type,
      ...Object.fromEntries(fields.map((field, n) => [field, values[n] ?? null])),
    };
    const content = JSON.stringify({ operations: [{ action: 'update', by: fields.join(','), asset }] });
    const { results } = await send<BatchResult>({
      method: 'POST',
      path: `/batch?${new URLSearchParams({ validate: 'true', ...(release !== undefined && { release }) })}`,
      content,
    });
    const [result] = results.map(toResult);
    if (result?.outcome !== 'refused') return true;
    return result.refusal.code !== 'unknown_type' && result.refusal.problems[0]?.path !== 'by';
  }

  const page = async (selection: Selection, limit: number) =>
    (await query(selection, pageRange(limit))).items;
  const count = async (selection: Selection) => (await query(selection, { limit: '0' })).count ?? 0;

  return {
    name: url + inRelease,
    page,
    sortedPage: ({ sort, ...selection }, { cursor, limit }) =>
      query(selection, { sort: sort.join(','), cursor, limit: String(limit), count: 'false' }),
    count,
    isKey: (key) => attempt(() => isKey(key), false),
    findByKeys: (keys) =>
      findByKeys(keys, (wanted, limit) =>
        attempt<readonly Asset[]>(async () => (await ask(wanted, pageRange(limit))).items, []),
      ),
    findMissing: (targets) => findMissing({ page, count }, targets),
    batch,
    close: async () => {},
  };
}

type RequestPart = Pick<ServerRequest, 'method' | 'path' | 'headers' | 'content'>;

interface FoundPage extends SortedPage {
  readonly count?: number;
}

interface BatchResult {
  readonly results: readonly (WrittenResult | FailedResult)[];
}

/** An operation that the server carried out. */
interface WrittenResult {
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'deleted';
  readonly _id: string;
  readonly unresolved?: readonly Unresolved[];
}

/** An operation that the server refused. */
interface FailedResult {
  readonly status: number;
  readonly error: unknown;
}

function connect({ url, clientId, clientSecret, timeoutMs, policy }: HttpTargetSettings): Connection {
  const options = { baseUrl: new URL(url).origin, timeoutMs, retries: policy.attempts - 1 };
  const credentials = { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret };
  try {
    return { ...createConnection(options, credentials), waits: policy };
  } catch (error) {
    throw error instanceof TypeError ? transferFailed(error.message, error) : error;
  }
}

/** Sends the texts of the assets unchanged, so that nothing is lost between a file and the target. */
function toBody(operations: readonly Operation[]): string {
  const texts = operations.map((operation) => {
    if (operation.action === 'delete') return JSON.stringify(operation);
    const { action, by, text } = operation;
    const key = action === 'create' ? '' : `"by":${JSON.stringify(by)},`;
    return `{"action":"${action}",${key}"asset":${text}}`;
  });
  return `${JSON.stringify(batchTerms).slice(0, -1)},"operations":[${texts.join(',')}]}`;
}

function toResult(result: WrittenResult | FailedResult): OperationResult {
  if (!('error' in result)) {
    return { outcome: result.outcome, _id: result._id, unresolved: result.unresolved ?? [] };
  }
  const { status, error } = result;
  const {
    code = '',
    path,
    message,
    problems,
  } = readErrorReason(error) ?? {
    message: `was answered ${status}`,
  };
  return { outcome: 'refused', refusal: toRefusal({ code, status, path, message, problems }) };
}

function toError(error: unknown, { url, policy: { attempts } }: HttpTargetSettings): unknown {
  if (!(error instanceof ColophonError)) return toTransferError(error);
  const { status = 0, message, problems } = error;
  const answered = `${url} answers ${status}`;
  if (isTransient(error)) return gaveUp(status === 0 ? message : answered, attempts);
  if (status >= 300 && status < 400) return transferFailed(message);
  if (!isColophons(error)) return transferFailed(`${answered}, but is no content management API`);
  const reasons = problems.length > 0 ? problems.map((problem) => problem.message) : [message];
  return transferFailed(`${answered}: ${reasons.join('; ')}`);
}

/** Finds the targets that do not exist. Counts them first: usually all exist, and a count transfers no assets. */
async function findMissing(
  { count, page }: Pick<ContentTarget, 'count' | 'page'>,
  { type, refs }: Targets,
): Promise<readonly string[]> {
  const selection = { from: type, where: `_id in [${refs.map((ref) => `'${ref}'`).join(', ')}]` };
  const found = await count(selection);
  if (found === refs.length) return [];
  if (found === 0) return refs;
  const there = new Set((await page(selection, refs.length)).map(({ _id }) => _id));
  return refs.filter((ref) => !there.has(ref));
}

/** The refusal of a batch as a whole. A 413 can have any body, because a proxy may have sent it. */
function findRefusal(error: ColophonError): Refusal | undefined {
  if (error.status === 413) return tooLarge(isColophons(error) ? `: ${error.message}` : '');
  if (ofRuns.includes(error.code)) return toRefusal(error);
  return error.status === 400 && isColophons(error) ? toRefusal(error) : undefined;
}

/** Errors about the run of a batch. */
const ofRuns: readonly string[] = ['run_closed', 'run_foreign', 'not_supported'];

const tooLarge = (reason: string): Refusal => ({
  code: 'body_too_large',
  isTransient: false,
  problems: [{ path: '', message: `is too large for the target${reason}` }],
});

function toRefusal(facts: ErrorFacts & { readonly message: string }): Refusal {
  const { code, status = 0, path = '', message, problems = [] } = facts;
  return {
    code,
    isTransient: isServerFailure(status) || code === 'batch_too_costly',
    problems: problems.length > 0 ? problems : [{ path, message }],
  };
}

/** Whether the server failed. 501 says that it lacks a function. */
const isServerFailure = (status: number) => status >= 500 && status !== 501;

/** Whether another attempt may succeed. */
function isTransient({ status, code, body }: ColophonError): boolean {
  if (status === undefined) return true;
  if (code === 'not_supported') return false;
  return status === 429 || isServerFailure(status) || (status === 200 && typeof body === 'string');
}

/** Whether the server has understood a request and refuses it. */
const isRefused = (error: unknown) =>
  error instanceof ColophonError && (error.status === 400 || error.status === 403) && isColophons(error);

/** Whether a response has the form of the content management API's. */
const isColophons = ({ code }: ColophonError) => code !== 'unexpected_answer' && !code.startsWith('http_');
