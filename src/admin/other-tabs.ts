/**
 * What tabs and windows of one browser tell each other about the session.
 */
import { useEffect, useRef } from 'react';
import { type Session, sessionKeeper } from './api.ts';
import { serverUrl } from './base-path.ts';
import { sessionOf } from './session-keeper.ts';

/** An origin may have several installations, each below its own path. */
const channelName = `colophon session ${serverUrl}`;

/**
 * Tells the other tabs that a session has begun, so that those whose session has ended go on; or that the user has signed out, so that
 * they keep nothing more of what is typed.
 */
export function announceSession(event: 'begun' | 'signedOut'): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(event);
  channel.close();
}

/** Calls `act` when the user signs out in another tab. Returns whether the session of this page was ended in this way. */
export function useSignOutElsewhere(act: () => void): () => boolean {
  const latest = useRef(act);
  const ended = useRef<Session>(undefined);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const channel = new BroadcastChannel(channelName);
    channel.addEventListener('message', ({ data }) => {
      if (data !== 'signedOut') return;
      ended.current = sessionOf(sessionKeeper.getState());
      latest.current();
    });
    return () => channel.close();
  }, []);
  return () => ended.current !== undefined && ended.current === sessionOf(sessionKeeper.getState());
}

/** What another tab did to the session holds here too: when it says so, and when the person comes back to this tab. */
export function useOtherTabs(): void {
  useEffect(() => {
    const refresh = () => void sessionKeeper.refresh();
    const check = () => {
      if (document.visibilityState === 'visible') refresh();
    };
    const channel = new BroadcastChannel(channelName);
    channel.addEventListener('message', ({ data }) => data === 'begun' && refresh());
    document.addEventListener('visibilitychange', check);
    return () => {
      channel.close();
      document.removeEventListener('visibilitychange', check);
    };
  }, []);
}
