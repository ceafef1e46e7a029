/**
 * Whether a window was opened for a sign-in alone. The window keeps this while it shows the pages of the provider.
 */
const key = 'colophon-sign-in-window';

/** Notes it. */
export const markOwnWindow = () => sessionStorage.setItem(key, 'yes');

/** Tells it. */
export const isOwnWindow = () => sessionStorage.getItem(key) === 'yes';
