/**
 * Whether a window was opened for a sign-in alone. The window keeps this while it shows the pages of the provider.
 */
import { tabValues } from '../../kept-values.ts';

const key = 'colophon-sign-in-window';

/** Notes it. */
export const markOwnWindow = () => tabValues.set(key, 'yes');

/** Tells it. */
export const isOwnWindow = () => tabValues.get(key) === 'yes';
