/**
 * The admin API as the pages use it: the generated client, its answers unwrapped, its problems thrown.
 */
import { createAdminClient, type Problem, type Session } from 'colophon-client/admin';
import { createSessionKeeper } from './session-keeper.ts';

export type * from 'colophon-client/admin';

/** The session of this page. */
export const sessionKeeper = createSessionKeeper(findSession);

/** The client; the session's cookie and its CSRF token go along by themselves. */
export const admin = createAdminClient({
  baseUrl: window.location.origin,
  fetch: (input, init) => sessionKeeper.send(new Request(input, init)),
});

/** A refusal or a failure of the admin API, in its own words. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly problems: NonNullable<Problem['problems']>;
  readonly code: string | undefined;

  constructor(status: number, problem: Partial<Problem>) {
    super(problem.detail ?? problem.title ?? `The server answered ${status}`);
    this.status = status;
    this.problems = problem.problems ?? [];
    this.code = problem.code;
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

/** The data of a call with its entity tag, to be sent back with a change. Errors: ApiProblem. */
export async function answerWithTag<Data>(
  call: Promise<Outcome<Data>>,
): Promise<{ data: NonNullable<Data>; tag: string | undefined }> {
  const { data, error, response } = await call;
  if (!response) throw new ApiProblem(0, { detail: 'The server cannot be reached' });
  if (!response.ok) throw new ApiProblem(response.status, toProblem(error));
  // An answer without a body has no data, and nobody looks at it.
  return { data: (data ?? {}) as NonNullable<Data>, tag: response.headers.get('ETag') ?? undefined };
}

/** How long the question who is signed in may take; no page can be shown before. */
const sessionTimeoutMs = 20_000;

async function findSession(): Promise<Session | null> {
  try {
    return await answer(admin.getSession({ signal: AbortSignal.timeout(sessionTimeoutMs) }));
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return null;
    throw error;
  }
}

function toProblem(error: unknown): Partial<Problem> {
  return typeof error === 'object' && error !== null ? error : {};
}
