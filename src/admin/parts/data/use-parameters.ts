/**
 * The parameters in the address of a page, and how to change some of them.
 */
import { type NavigateOptions, useSearchParams } from 'react-router';

/** Changes the parameters in the address to what `next` makes of them. */
export type ChangeParameters = (
  next: (before: URLSearchParams) => URLSearchParams,
  options?: NavigateOptions,
) => void;

/**
 * Returns the parameters in the address as the page shows them, and a function that changes them.
 *
 * A change begins with the address as it is now and is shown at once, not in a transition, which a busy browser may put off: two
 * choices in quick succession both count, and what the page derives from the address is never behind it.
 */
export function useParameters(): [parameters: URLSearchParams, change: ChangeParameters] {
  const [parameters, setParameters] = useSearchParams();
  return [
    parameters,
    (next, options) =>
      setParameters(next(new URLSearchParams(window.location.search)), { flushSync: true, ...options }),
  ];
}
