/**
 * The session of the page. Every request to the admin API goes through `send`. A request that is answered 401 waits until the
 * user has signed in again in a dialog over the page, and is then sent again, so that no form loses its input. Once the user has
 * closed the dialog, only a change opens it again: reads, which pages also begin by themselves, fail. All tabs share the cookie:
 * when another tab signs in, this tab uses that session. A request that one user began is never sent with the session of another.
 */
import type { Session } from 'colophon-client/admin';

/** What is known of the session. */
export type SessionState =
  /** It is being asked for. */
  | { readonly phase: 'unknown' }
  /** It could not be asked for. */
  | { readonly phase: 'failed'; readonly error: unknown }
  | { readonly phase: 'signedOut' }
  | { readonly phase: 'signedIn'; readonly session: Session }
  /** It has ended under a page; `session` is the one that was, `isAsking` whether the person is asked to sign in again. */
  | { readonly phase: 'ended'; readonly session: Session; readonly isAsking: boolean };

/** Keeps the state of the session. */
export interface SessionKeeper {
  getState(): SessionState;
  /** Returns how to unsubscribe. */
  subscribe(listener: () => void): () => void;
  /** Asks the server for the session. */
  load(): Promise<void>;
  /** Takes over what another tab did to the session; a server that does not answer changes nothing. */
  refresh(): Promise<void>;
  /** Takes over a session that was begun. */
  begin(session: Session): void;
  /** Ends the session, after the user has signed out. */
  end(): void;
  /** Asks the person to sign in again. */
  ask(): void;
  /** Stops asking; calls that waited for it fail. */
  dismiss(): void;
  /** Sends a request of the admin API, by `transport` instead of `fetch` if given. */
  send(request: Request, transport?: (request: Request) => Promise<Response>): Promise<Response>;
}

/** Makes a keeper; `findSession` resolves to null when there is none, and must not go through `send`'s waiting. */
export function createSessionKeeper(findSession: () => Promise<Session | null>): SessionKeeper {
  let state: SessionState = { phase: 'unknown' };
  const listeners = new Set<() => void>();
  /** Requests that wait for the user to sign in, called with whether to continue. */
  let waiting: ((goesOn: boolean) => void)[] = [];

  function set(next: SessionState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function resume(goesOn: boolean): void {
    const resumed = waiting;
    waiting = [];
    for (const tell of resumed) tell(goesOn);
  }

  function begin(session: Session): void {
    set({ phase: 'signedIn', session });
    resume(true);
  }

  function take(found: Session | null): void {
    const known = sessionOf(state);
    if (!found && state.phase === 'ended') return;
    if (!found) set(known ? { phase: 'ended', session: known, isAsking: true } : { phase: 'signedOut' });
    else if (state.phase !== 'signedIn' || !isSameSession(state.session, found)) begin(found);
  }

  async function load(): Promise<void> {
    set({ phase: 'unknown' });
    try {
      take(await findSession());
    } catch (error) {
      set({ phase: 'failed', error });
    }
  }

  async function refresh(): Promise<void> {
    if (!sessionOf(state)) return;
    // Whatever fails here, the next call of the page finds out.
    const found = await findSession().catch(() => undefined);
    if (found !== undefined && sessionOf(state)) take(found);
  }

  function ask(): void {
    if (state.phase === 'ended') set({ ...state, isAsking: true });
  }

  /** Resolves once there is another session than `sentIn`, or to false when the person does not sign in. */
  async function waitForSession(request: Request, sentIn: Session): Promise<boolean> {
    if (state.phase === 'signedIn' && state.session !== sentIn) return true;
    if (state.phase === 'signedIn') set({ phase: 'ended', session: state.session, isAsking: true });
    if (state.phase !== 'ended' || (!state.isAsking && isSafe(request))) return false;
    ask();
    return new Promise((resolve) => waiting.push(resolve));
  }

  /** Whether a request that was refused should be sent again, now that the session is another one. */
  async function hasNewSession(request: Request, refusal: Response, sentIn: Session): Promise<boolean> {
    if (refusal.status === 401) return waitForSession(request, sentIn);
    // A token that no longer fits, because another tab has signed in; or another role, which the pages then follow.
    await refresh();
    return state.phase === 'signedIn' && state.session !== sentIn;
  }

  async function send(
    request: Request,
    transport: (request: Request) => Promise<Response> = fetch,
  ): Promise<Response> {
    const sentIn = sessionOf(state);
    const copy = request.clone();
    const response = await transport(request);
    if (!sentIn || isOfSession(request) || ![401, 403].includes(response.status)) return response;
    const isAgain = await hasNewSession(copy, response, sentIn);
    const session = sessionOf(state);
    if (!isAgain || !session) return response.status === 401 ? toRefusal(endedMessage) : response;
    if (isSafe(copy)) return send(copy, transport);
    if (session.user.id !== sentIn.user.id) return toRefusal(otherUserMessage(session));
    copy.headers.set('X-CSRF-Token', session.csrfToken);
    return send(copy, transport);
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    load,
    refresh,
    begin,
    end() {
      set({ phase: 'signedOut' });
      resume(false);
    },
    ask,
    dismiss() {
      if (state.phase === 'ended') set({ ...state, isAsking: false });
      resume(false);
    },
    send,
  };
}

/** The session of the page, even when it has ended. */
export function sessionOf(state: SessionState): Session | undefined {
  return state.phase === 'signedIn' || state.phase === 'ended' ? state.session : undefined;
}

/** Whether two answers are about the same session of a user with the same rights. */
const isSameSession = (one: Session, other: Session) =>
  one.csrfToken === other.csrfToken && one.user.role === other.user.role;

const endedMessage = 'Your session has ended. Sign in and try again';

const otherUserMessage = ({ user }: Session) =>
  `Nothing was sent, because you are now signed in as ${user.email}. Try again to do it as ${user.email}`;

/** A refusal in the form of the admin API's. */
function toRefusal(detail: string): Response {
  const headers = { 'Content-Type': 'application/problem+json' };
  const body = { type: 'about:blank', title: 'Unauthorized', status: 401, code: 'unauthorized', detail };
  return new Response(JSON.stringify(body), { status: 401, headers });
}

function isSafe({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Calls about the session itself, and those that begin one, are answered as they are. */
function isOfSession({ url }: Request): boolean {
  return /\/api\/admin\/session(\/openid-connect(\/callback)?)?$/.test(new URL(url).pathname);
}
