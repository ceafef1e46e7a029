/**
 * Moves the focus to the heading of a page that has been opened by a link, so that screen readers say where the user is and the next
 * press of Tab leads into the page. Browsers do the same when they load a page.
 */
import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** The key of the address with which the UI was opened: the browser has handled that. */
const openedKey = 'default';

/** Returns the reference for the heading. The focus moves only from where it led to the page, never out of an input or a dialog. */
export function useFocusOnArrival<Heading extends HTMLElement>(): RefObject<Heading | null> {
  const heading = useRef<Heading>(null);
  const { key, pathname } = useLocation();
  const isOpened = key === openedKey;
  useEffect(() => {
    const { activeElement } = document;
    const isFree = activeElement === document.body || activeElement?.closest('nav, header');
    if (!isOpened && isFree && pathname) heading.current?.focus({ preventScroll: true });
  }, [pathname, isOpened]);
  return heading;
}
