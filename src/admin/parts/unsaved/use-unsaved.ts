/**
 * Keeps in the browser what is typed into a form, and finds what an earlier tab of the same user has kept there: after a reload or a
 * crash, or when the user has left the page.
 */
import { useEffect, useRef, useState } from 'react';
import { sessionKeeper, unsavedTexts } from '../../api.ts';
import { useSignOutElsewhere } from '../../other-tabs.ts';
import { useSession } from '../../session.ts';
import { sessionOf } from '../../session-keeper.ts';
import type { KeptTexts } from '../../unsaved-texts.ts';

/** What other tabs have kept, the latest first, and what may happen to it. */
export interface Unsaved {
  readonly offered: KeptTexts | undefined;
  /** Takes over what is offered, or drops it. */
  readonly settle: (offer: KeptTexts, isTaken: boolean) => void;
  /** Drops what this tab has kept, such as before it goes to another page. What was set aside moves to the place `next`, if there is one. */
  readonly forget: (next?: string) => void;
  /** Keeps and offers `given`, or else the present value, which the form then gives up. */
  readonly setAside: (given?: object) => void;
}

/** How long typed text may be lost, in milliseconds. */
const delayMs = 1_000;

/** Keeps `value`, which is undefined when there is nothing to keep, and stays the same object until something changes. */
export function useUnsaved(place: string, value: object | undefined): Unsaved {
  const user = useSession()?.user.id ?? '';
  const [tab] = useState(newTab);
  const prefix = unsavedTexts.prefixOf({ user, place });
  const key = `${prefix}${tab}`;
  const drop = useKeeping(key, value);
  const setAside = useRef<readonly string[]>([]);
  const [offers, setOffers] = useState<readonly KeptTexts[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setOffers([]);
    const offer = (found: string) => {
      const kept = signal.aborted ? undefined : unsavedTexts.read(found);
      if (kept) setOffers((before) => [...before, kept].sort((one, other) => other.at - one.at));
    };
    void hold(key, { signal });
    for (const found of unsavedTexts.find(prefix)) {
      if (found !== key) void hold(found, { signal, onHeld: () => offer(found) });
    }
    return () => controller.abort();
  }, [prefix, key]);
  return {
    offered: offers[0],
    settle: (offer, isTaken) => {
      if (isTaken) unsavedTexts.keep(key, offer.value);
      unsavedTexts.remove(offer.key);
      setOffers((before) => before.filter((other) => other !== offer));
    },
    forget: (next) => {
      drop();
      if (next === undefined) return;
      for (const aside of setAside.current) {
        const kept = unsavedTexts.read(aside);
        if (kept) unsavedTexts.keep(`${unsavedTexts.prefixOf({ user, place: next })}${newTab()}`, kept.value);
        unsavedTexts.remove(aside);
      }
    },
    setAside: (given = value) => {
      if (given === undefined) return;
      const kept = unsavedTexts.keep(`${prefix}${newTab()}`, given);
      setAside.current = [...setAside.current, kept.key];
      setOffers((before) => [kept, ...before]);
    },
  };
}

/** A name that no other tab has. */
const newTab = () => crypto.getRandomValues(new Uint32Array(2)).join('-');

/** Keeps the value soon after it has changed, and at the latest when the page goes. Returns what drops it. */
function useKeeping(key: string, value: object | undefined): () => void {
  const pending = useRef<{ readonly timer: number; value: object }>(undefined);
  const drop = () => {
    window.clearTimeout(pending.current?.timer);
    pending.current = undefined;
    unsavedTexts.remove(key);
  };
  const keep = () => {
    if (!pending.current) return;
    window.clearTimeout(pending.current.timer);
    // Nobody is signed in any more: what was typed is gone.
    if (sessionOf(sessionKeeper.getState()) && !isSignedOut()) unsavedTexts.keep(key, pending.current.value);
    pending.current = undefined;
  };
  const isSignedOut = useSignOutElsewhere(drop);
  useEffect(() => {
    if (value === undefined || isSignedOut()) drop();
    else if (pending.current) pending.current.value = value;
    else pending.current = { timer: window.setTimeout(keep, delayMs), value };
  }, [value, key]);
  useEffect(() => {
    window.addEventListener('pagehide', keep);
    document.addEventListener('visibilitychange', keep);
    return () => {
      keep();
      window.removeEventListener('pagehide', keep);
      document.removeEventListener('visibilitychange', keep);
    };
  }, [key]);
  return drop;
}

/**
 * Holds a lock until `signal` is aborted, and calls `onHeld` once no other tab has it: what an open form keeps is offered to nobody else.
 * Without locks, as on pages without HTTPS, all is offered.
 */
async function hold(key: string, { signal, onHeld }: { signal: AbortSignal; onHeld?: () => void }) {
  if (!('locks' in navigator)) return onHeld?.();
  const until = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  await navigator.locks
    .request(key, { signal }, () => {
      onHeld?.();
      return until;
    })
    // Aborted while it was waiting.
    .catch(() => undefined);
}
