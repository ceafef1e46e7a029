/**
 * What tabs and windows of one browser tell each other about the session.
 */
import { useEffect } from 'react';
import { sessionKeeper } from './api.ts';
import { serverUrl } from './base-path.ts';

/** An origin may have several installations, each below its own path. */
const channelName = `colophon session ${serverUrl}`;

/** Tells the other tabs that a session has begun, so that those whose session has ended go on. */
export function announceSession(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage('begun');
  channel.close();
}

/** What another tab did to the session holds here too: when it says so, and when the person comes back to this tab. */
export function useOtherTabs(): void {
  useEffect(() => {
    const refresh = () => void sessionKeeper.refresh();
    const check = () => {
      if (document.visibilityState === 'visible') refresh();
    };
    const channel = new BroadcastChannel(channelName);
    channel.addEventListener('message', refresh);
    document.addEventListener('visibilitychange', check);
    return () => {
      channel.close();
      document.removeEventListener('visibilitychange', check);
    };
  }, []);
}
