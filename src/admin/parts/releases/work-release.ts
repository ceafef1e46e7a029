/**
 * The release that the user works in, in this tab: lists, searches and forms show its content, and save to it.
 *
 * Without one they show the live content. Authors, who cannot change what is live, begin in the release `drafts`.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router';
import { sessionKeeper } from '../../api.ts';
import { tabValues } from '../../kept-values.ts';
import { useMay } from '../../roles.ts';
import { sessionOf } from '../../session-keeper.ts';
import { isWithoutLog } from '../problems/problem-alert.tsx';
import { releaseList } from './release-data.ts';

/** The release that always exists. */
export const draftsRelease = 'drafts';

/** The choice of the live content. No release has this name. */
const live = '';

const key = 'colophon.release';

const choice = createChoice();

/** The release that the user works in; undefined for the live content. */
function workRelease(): string | undefined {
  const chosen = choice.get();
  if (chosen !== undefined) return chosen === live ? undefined : chosen;
  return sessionOf(sessionKeeper.getState())?.user.role === 'author' ? draftsRelease : undefined;
}

/** The parameter that makes a request for content one about the release that the user works in. */
export function inRelease(): { release?: string } {
  const release = workRelease();
  return release === undefined ? {} : { release };
}

/** The same as `workRelease`, for pages. */
export const useWorkRelease = () => useSyncExternalStore(subscribe, workRelease);

/** What the address of a page says beside its path: the release to work in there. */
interface ReleaseState {
  readonly release: string;
}

/** The state of a link that opens a page in a release; without a name, with the live content. */
export const stateOfRelease = (release: string | undefined): ReleaseState => ({ release: release ?? live });

/** Whether a navigation changes the release that the user works in, so that the present page is left. */
export const changesRelease = (state: unknown): boolean => {
  const next = releaseIn(state);
  return next !== undefined && (next === live ? undefined : next) !== workRelease();
};

/** Returns a function that changes the release. A page with unsaved changes asks before. */
export function useChooseRelease(): (release: string | undefined) => void {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  return (release) => void navigate(pathname + search, { replace: true, state: stateOfRelease(release) });
}

/** Follows links that change the release, and forgets what was loaded of the former one. */
export function useFollowedRelease(): void {
  const { state, key: visit } = useLocation();
  // Going back, and loading the page again, change nothing.
  const isNew = useNavigationType() !== 'POP';
  const client = useQueryClient();
  const next = isNew ? releaseIn(state) : undefined;
  useEffect(() => {
    if (next === undefined) return;
    client.removeQueries({ queryKey: ['contents'] });
    choice.set(next);
  }, [visit]);
}

/**
 * The release that a form of content edits: the one that the user works in, or `drafts`; null where the store has no releases; undefined
 * until that is known.
 */
export function useFormRelease(): string | null | undefined {
  const release = useWorkRelease();
  const list = useQuery({ ...releaseList, staleTime: 60_000 });
  if (list.data) return release ?? draftsRelease;
  if (list.isPending) return undefined;
  return isWithoutLog(list.error) ? null : (release ?? draftsRelease);
}

/** Whether forms save drafts only: authors may do no more, and a named release goes live as a whole. */
export function useDraftsOnly(): boolean {
  const release = useWorkRelease();
  return !useMay('editor') || (release !== undefined && release !== draftsRelease);
}

/** Ends the choice of a release that does not exist. */
export function leaveRelease(): void {
  choice.set(live);
}

function releaseIn(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('release' in state)) return undefined;
  return typeof state.release === 'string' ? state.release : undefined;
}

function subscribe(listener: () => void): () => void {
  const stops = [choice.subscribe(listener), sessionKeeper.subscribe(listener)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Creates the choice of this tab: undefined until the user has chosen. */
function createChoice() {
  const listeners = new Set<() => void>();
  return {
    get: () => tabValues.get(key),
    set(next: string): void {
      tabValues.set(key, next);
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
