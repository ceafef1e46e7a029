/**
 * The admin API for the pages: calls the generated client, returns the data of its answers and throws its problems.
 */
import {
  createAdminClient,
  createFileFetch,
  type Problem,
  type SentFile,
  type Session,
  type UploadedFile,
} from 'colophon-client/admin';
import { serverUrl } from './base-path.ts';
import { browserValues } from './kept-values.ts';
import { createSessionKeeper } from './session-keeper.ts';
import { createUnsavedTexts } from './unsaved-texts.ts';

export type * from 'colophon-client/admin';

/** The session of this page. */
export const sessionKeeper = createSessionKeeper(findSession);

/** The unsaved texts of this browser. */
export const unsavedTexts = createUnsavedTexts({
  server: serverUrl,
  values: browserValues,
  nowMs: Date.now,
});

/** The client. It sends the session cookie and the CSRF token with every request. */
export const admin = createAdminClient({
  baseUrl: serverUrl,
  fetch: (input, init) => sessionKeeper.send(new Request(input, init)),
});

/** The client for data that is read before anybody has asked for it: where the session has ended, nobody is asked to sign in. */
const aheadAdmin = createAdminClient({ baseUrl: serverUrl });

/** What a query says of itself when it is read ahead. */
export const aheadMeta = { isAhead: true };

/** The client for a query: the one that asks to sign in, unless the query is read ahead. */
export const adminFor = (meta: Readonly<Record<string, unknown>> | undefined) =>
  meta === aheadMeta ? aheadAdmin : admin;

/** An error that the admin API answered, with its message. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly problems: NonNullable<Problem['problems']>;
  readonly code: string | undefined;
  /** Why drafts cannot be published. */
  readonly findings: NonNullable<Problem['findings']>;

  constructor(status: number, problem: Partial<Problem>) {
    super(problem.detail ?? problem.title ?? `The server answered ${status}`);
    this.status = status;
    this.problems = problem.problems ?? [];
    this.code = problem.code;
    this.findings = problem.findings ?? [];
  }
}

/** What a call of the client resolves to. */
interface Outcome<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly response?: Response | undefined;
}

/** The data of a call. Errors: ApiProblem. */
export async function answer<Data>(call: Promise<Outcome<Data>>): Promise<NonNullable<Data>> {
  return (await answerWithTag(call)).data;
}

/** What was read, and the entity tag that a later change sends back. */
export interface Tagged<Data> {
  readonly data: Data;
  readonly tag: string | undefined;
}

/** The header with which a change is refused when the resource has changed since it was read. */
export const ifMatch = ({ tag }: Pick<Tagged<unknown>, 'tag'>): { 'If-Match'?: string } =>
  tag === undefined ? {} : { 'If-Match': tag };

/** Whether an error says that the resource has changed since it was read. */
export const isConflict = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && error.status === 412;

/** The data of a call and its entity tag. Errors: ApiProblem. */
export async function answerWithTag<Data>(call: Promise<Outcome<Data>>): Promise<Tagged<NonNullable<Data>>> {
  const { data, error, response } = await call;
  if (!response) throw new ApiProblem(0, { detail: 'The server cannot be reached' });
  if (!response.ok) throw new ApiProblem(response.status, toProblem(error));
  // An answer without a body has no data, and no caller reads it.
  return { data: (data ?? {}) as NonNullable<Data>, tag: response.headers.get('ETag') ?? undefined };
}

/** Uploads a file, and reports how many of its bytes were sent. Errors: ApiProblem; the reason of `signal`. */
export function uploadFile(
  file: File,
  { onProgress, signal }: Pick<SentFile, 'onProgress'> & { readonly signal: AbortSignal },
): Promise<UploadedFile> {
  const transport = createFileFetch({ blob: file, onProgress }, fetch);
  return answer(
    admin.uploadContentFile({
      query: { name: file.name },
      body: file,
      signal,
      fetch: (input, init) =>
        sessionKeeper.send(new Request(input, init), ({ url, method, headers }) =>
          transport(url, { method, headers, signal }),
        ),
    }),
  );
}

declare global {
  interface Window {
    /** The answer to the first request for the session, which index.html sends while the code of the UI is loading. */
    colophonSession?: Promise<Response> | undefined;
  }
}

/** How long a request for the session may take. No page is shown before it is answered. */
const sessionTimeoutMs = 20_000;

async function findSession(): Promise<Session | null> {
  const first = window.colophonSession;
  window.colophonSession = undefined;
  try {
    return await answer(
      admin.getSession(first ? { fetch: () => first } : { signal: AbortSignal.timeout(sessionTimeoutMs) }),
    );
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return null;
    throw error;
  }
}

function toProblem(error: unknown): Partial<Problem> {
  return typeof error === 'object' && error !== null ? error : {};
}
