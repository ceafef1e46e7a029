/**
 * The one dialog of the UI, whose looks, name of the close button and focus are the same wherever it opens.
 *
 * It gives the focus back to what opened it, also where it is drawn open at first: to the button, or to that of the menu or the dialog
 * that had the button and is gone. Where nothing of that is left, the heading of the page has the focus.
 */
import { Alert, Button, Group, Modal, type ModalProps } from '@mantine/core';
import {
  createContext,
  type FormEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { PageBar } from '../layout/page-bar.ts';

/** The place that had the focus last in a dialog, a menu or, with `null`, in the page. */
interface Place {
  readonly frame: Element | null;
  readonly element: HTMLElement;
}

/** The places from the present one down to that in the page; each dialog or menu was opened from the one after it. */
type Trail = RefObject<readonly Place[]>;

const TrailContext = createContext<Trail>({ current: [] });

/** Follows the focus for the dialogs within. */
export function FocusTrail({ children }: { children: ReactNode }) {
  const trail = useRef<readonly Place[]>([]);
  useEffect(() => {
    const follow = ({ target }: Event) => {
      const element = target instanceof Element ? target.closest<HTMLElement>(focusable) : null;
      if (!element) return;
      const frame = element.closest('[role="dialog"], [role="menu"]');
      const known = trail.current.findIndex((place) => place.frame === frame);
      trail.current = [{ frame, element }, ...trail.current.slice(known + 1)];
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
export function Dialog({ opened, children, ...rest }: ModalProps) {
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
    >
      <PageBar value={null}>{children}</PageBar>
    </Modal>
  );
}

const focusable = 'a[href], button, input, select, textarea, [contenteditable="true"], [tabindex]';

/** Moves the focus to the first place that takes it, unless it is elsewhere than in the dialog that closes. */
function returnFocus(trail: readonly Place[], dialog: HTMLElement | null): void {
  const { activeElement, body } = document;
  if (activeElement && activeElement !== body && !dialog?.contains(activeElement)) return;
  const heading = document.querySelector<HTMLElement>('main h1');
  for (const element of [...trail.map((place) => place.element), ...(heading ? [heading] : [])]) {
    if (dialog?.contains(element)) continue;
    element.focus({ preventScroll: true });
    if (document.activeElement === element) return;
  }
}

/** The dialog; it asks while `isUnsaved`, which says that what was typed would be lost. */
export function TextDialog({
  onClose,
  isUnsaved = true,
  children,
  ...rest
}: ModalProps & { isUnsaved?: boolean; children: ReactNode }) {
  const [isTyped, setIsTyped] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  if (!rest.opened && (isTyped || isAsking)) {
    setIsTyped(false);
    setIsAsking(false);
  }
  const close = () => (isTyped && isUnsaved ? setIsAsking(true) : onClose());
  return (
    <Dialog {...rest} onClose={close}>
      {isAsking && (
        <Alert
          color="orange"
          variant="light"
          role="alert"
          mb="md"
          title="What you have typed here is not saved"
        >
          <Group gap="xs">
            <Button size="xs" color="red" onClick={onClose}>
              Discard it
            </Button>
            <Button size="xs" variant="default" onClick={() => setIsAsking(false)} data-autofocus>
              Go on
            </Button>
          </Group>
        </Alert>
      )}
      <div onInput={(event) => isText(event) && setIsTyped(true)}>{children}</div>
    </Dialog>
  );
}

/** Whether text was typed, rather than a box checked. Names that are typed to confirm something are no loss. */
function isText({ target }: FormEvent): boolean {
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'file'].includes(target.type) && target.dataset.repeated === undefined;
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}
