/**
 * Tells the other users that this page has an asset open, and says who else has.
 */
import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { admin, answer, type PresenceReport, type PresentUsers, sessionKeeper } from '../../../api.ts';

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
  const state = isEditing ? 'editing' : 'viewing';
  useEffect(() => {
    let isCurrent = true;
    const repeat = async () => {
      if (document.visibilityState === 'hidden') return;
      const found = await report(id, release, state).catch(() => []);
      if (isCurrent) setOthers(found);
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
    <Text size="sm" aria-live="polite" fw={500}>
      {describeOthers(others)}
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

/** Such as `Ana and Cem are editing. Ben has it open.` */
function describeOthers(others: Others): string {
  const namesOf = (isEditing: boolean) =>
    others.filter(({ editing }) => editing === isEditing).map(({ name }) => name);
  return [say(namesOf(true), 'is editing', 'are editing'), say(namesOf(false), 'has it open', 'have it open')]
    .filter((text) => text !== undefined)
    .join('. ');
}

const maxNames = 3;

function say(names: readonly string[], one: string, many: string): string | undefined {
  if (names.length === 0) return undefined;
  const rest = names.length - maxNames;
  const shown = rest > 0 ? [...names.slice(0, maxNames), `${rest} more`] : names;
  return `${new Intl.ListFormat('en').format(shown)} ${names.length === 1 ? one : many}`;
}
