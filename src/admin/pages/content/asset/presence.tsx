/**
 * Tells the other users that this page has an asset open, and says who else has.
 */
import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { admin, answer, type PresenceReport, type PresentUsers, sessionKeeper } from '../../../api.ts';
import { describeMoment } from '../../../parts/time/local-time.ts';

type Others = PresentUsers['others'];

/** The server forgets a page that has not reported for 50 seconds. */
const repeatMs = 20_000;

/** The other users, in words; nothing while there are none, or while the server cannot say. A page in the background does not report. */
export function OthersPresent({
  id,
  release,
  isEditing,
}: {
  id: string;
  release: string | null;
  isEditing: boolean;
}) {
  const [others, setOthers] = useState<Others>([]);
  const [nowMs, setNowMs] = useState(Date.now);
  const state = isEditing ? 'editing' : 'viewing';
  useEffect(() => {
    let isCurrent = true;
    const repeat = async () => {
      if (document.visibilityState === 'hidden') return;
      const found = await report(id, release, state).catch(() => []);
      if (!isCurrent) return;
      setOthers(found);
      setNowMs(Date.now);
    };
    void repeat();
    const timer = window.setInterval(repeat, repeatMs);
    document.addEventListener('visibilitychange', repeat);
    return () => {
      isCurrent = false;
      window.clearInterval(timer);
      document.removeEventListener('visibilitychange', repeat);
    };
  }, [id, release, state]);
  useEffect(() => {
    const leave = () => void report(id, release, 'left').catch(() => []);
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [id, release]);
  return (
    <Text size="xs" aria-live="polite" fw={500}>
      {describeOthers(others, nowMs)}
    </Text>
  );
}

/** Sends a report, also while the page goes. Where the session has ended, nobody is asked to sign in for it. */
async function report(id: string, release: string | null, state: PresenceReport['state']): Promise<Others> {
  if (sessionKeeper.getState().phase !== 'signedIn') return [];
  const { others } = await answer(
    admin.reportPresence({
      path: { id },
      query: { ...(release !== null && { release }) },
      body: { state },
      keepalive: true,
      fetch: (input, init) => fetch(input, init),
    }),
  );
  return others;
}

/** Such as `Ana has been editing since 10:42, Cem since 10:50. Ben has had it open since 9:15`. */
function describeOthers(others: Others, nowMs: number): string {
  const { editors = [], readers = [] } = Object.groupBy(others, ({ editing }) =>
    editing ? 'editors' : 'readers',
  );
  return [say(editors, 'has been editing', nowMs), say(readers, 'has had it open', nowMs)]
    .filter((text) => text !== '')
    .join('. ');
}

const maxNames = 3;

/** Empty without others. */
function say(others: Others, action: string, nowMs: number): string {
  const shown = others.slice(0, maxNames).map(({ name, since }, n) => {
    const words = n === 0 ? `${name} ${action}` : name;
    return `${words} since ${describeMoment(since, nowMs)}`;
  });
  const rest = others.length - maxNames;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}
