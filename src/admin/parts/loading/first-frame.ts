/**
 * Whether index.html draws the frame of the pages at first: it does in a browser where a user has signed in.
 */
import { sessionKeeper } from '../../api.ts';
import { browserValues } from '../../kept-values.ts';

/** The name that index.html reads in the browser's storage. */
const key = 'colophon.signed-in';

/** Keeps whether a user is signed in, for the next time that the UI is opened. */
export function rememberFrame(): void {
  const { phase } = sessionKeeper.getState();
  if (phase === 'signedIn') browserValues.set(key, 'yes');
  if (phase === 'signedOut') browserValues.remove(key);
}

/** Whether index.html has drawn the frame. */
export const isFramed = () => document.documentElement.dataset.firstFrame !== undefined;
