/**
 * The one dialog of the UI, whose looks, name of the close button and focus are the same wherever it opens.
 *
 * It gives the focus back along the trail of places that had it, to the last one that still takes it: the button that opened the
 * dialog, the button of the menu that had this button, or the dialog below. Mantine's own way knows only dialogs that are drawn closed
 * at first, and one place.
 */
import { Modal, type ModalProps } from '@mantine/core';
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef } from 'react';

/** The places that had the focus, the last one first. */
type Trail = RefObject<readonly HTMLElement[]>;

const TrailContext = createContext<Trail>({ current: [] });

/** Follows the focus for the dialogs within. */
export function FocusTrail({ children }: { children: ReactNode }) {
  const trail = useRef<readonly HTMLElement[]>([]);
  useEffect(() => {
    const follow = ({ target }: Event) => {
      const place = target instanceof Element ? target.closest<HTMLElement>(focusable) : null;
      if (!place) return;
      const others = trail.current.filter((other) => other !== place && other.isConnected);
      trail.current = [place, ...others];
    };
    document.addEventListener('focusin', follow);
    // Safari does not focus the button that is clicked.
    document.addEventListener('click', follow, { capture: true });
    return () => {
      document.removeEventListener('focusin', follow);
      document.removeEventListener('click', follow, { capture: true });
    };
  }, []);
  return <TrailContext value={trail}>{children}</TrailContext>;
}

/** The dialog; it may be drawn open at first, and may vanish without being closed. */
export function Dialog({ opened, ...rest }: ModalProps) {
  const trail = useContext(TrailContext);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!opened) return;
    // After what the same action opens, and what it disables or removes.
    return () => void window.setTimeout(() => returnFocus(trail.current, frame.current), 10);
  }, [opened, trail]);
  return (
    <Modal
      closeButtonProps={{ 'aria-label': 'Close' }}
      // The header of the page is its only banner.
      attributes={{ header: { role: 'presentation' } }}
      styles={{ title: { fontWeight: 650 } }}
      {...rest}
      ref={frame}
      opened={opened}
      returnFocus={false}
    />
  );
}

const focusable = 'a[href], button, input, select, textarea, [contenteditable="true"], [tabindex]';

/** Moves the focus along a trail, unless it has moved elsewhere than into the dialog that closes. The heading of the page is its last resort. */
function returnFocus(trail: readonly HTMLElement[], dialog: HTMLElement | null): void {
  const { activeElement, body } = document;
  if (activeElement && activeElement !== body && !dialog?.contains(activeElement)) return;
  const heading = document.querySelector<HTMLElement>('main h1');
  for (const place of [...trail, ...(heading ? [heading] : [])]) {
    if (dialog?.contains(place)) continue;
    place.focus({ preventScroll: true });
    if (document.activeElement === place) return;
  }
}
