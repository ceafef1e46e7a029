/**
 * Moves the focus to the heading of a page that has been opened by a link, so that screen readers say where the user is and the next
 * press of Tab leads into the page. Browsers do the same when they load a page.
 */
import { createContext, type RefObject, useContext, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';

/** Whether the user has gone to another page since the browser loaded the UI; the frame of the pages provides it. */
export const MovedContext = createContext(false);

/** Returns the value of `MovedContext`. */
export function useHasMoved(): boolean {
  const { key } = useLocation();
  const [firstKey] = useState(key);
  const [hasMoved, setHasMoved] = useState(false);
  if (key !== firstKey && !hasMoved) setHasMoved(true);
  return hasMoved;
}

/** Returns the reference for the heading. The focus moves only from where it led to the page, never out of an input or a dialog. */
export function useFocusOnArrival<Heading extends HTMLElement>(): RefObject<Heading | null> {
  const heading = useRef<Heading>(null);
  const hasMoved = useContext(MovedContext);
  const { pathname } = useLocation();
  useEffect(() => {
    const { activeElement } = document;
    const isFree = activeElement === document.body || activeElement?.closest('nav, header');
    if (hasMoved && isFree && pathname) heading.current?.focus({ preventScroll: true });
  }, [pathname, hasMoved]);
  return heading;
}
