/**
 * The state of a form, its buttons, and what went wrong: in the bar of the page, which stays in view.
 */
import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, type RefObject, useContext, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useBlocker } from 'react-router';
import { Dialog } from '../confirm/dialog.tsx';
import { PageBar } from '../layout/page-bar.ts';
import { changesRelease } from '../releases/work-release.ts';
import { Ago } from '../time/ago.tsx';
import classes from './form-bar.module.css';

/** The state and the buttons, `children`, in the bar of the page or, in a dialog, in a bar of their own; `problems` stay in view below it. */
export function FormBar({
  state,
  problems,
  children,
}: {
  state?: ReactNode;
  problems?: ReactNode;
  children: ReactNode;
}) {
  const place = useContext(PageBar);
  const bar = useRef<HTMLDivElement>(null);
  useScrollPadding(bar);
  useOwnButtons(bar, place);
  const parts = (
    <>
      <Group gap="xs">{state}</Group>
      <Group gap="xs">{children}</Group>
    </>
  );
  return (
    <div ref={bar} className={place ? classes.below : classes.bar}>
      {place ? (
        createPortal(parts, place)
      ) : (
        <Group mih={51} gap="xs" py={4} justify="space-between">
          {parts}
        </Group>
      )}
      <div className={classes.problems}>{problems}</div>
    </div>
  );
}

/** Lets the buttons that stand in the bar of the page submit the form, by their click and by Enter in a field. */
function useOwnButtons(bar: RefObject<HTMLElement | null>, place: HTMLElement | null): void {
  const id = useId();
  useLayoutEffect(() => {
    const form = bar.current?.closest('form');
    if (!form || !place) return;
    form.id = id;
    for (const button of place.querySelectorAll('button')) button.setAttribute('form', id);
  });
}

/** Says whether a form has unsaved changes, or when it was saved; `savedAt` is absent of what is not stored yet. */
export function SaveState({ isChanged, savedAt }: { isChanged: boolean; savedAt: number | undefined }) {
  return (
    <div>
      <Text size="sm" role="status">
        {savedAt === undefined ? 'Not saved yet' : isChanged && 'Unsaved changes'}
      </Text>
      {savedAt !== undefined && !isChanged && (
        <Text size="sm" c="dimmed">
          Saved <Ago ms={savedAt} />
        </Text>
      )}
    </div>
  );
}

/** Keeps what is focused or scrolled to from being hidden behind the bar, however high it is. */
function useScrollPadding(bar: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const { current } = bar;
    if (!current) return;
    const scroller = current.closest<HTMLElement>('[role="dialog"]') ?? document.documentElement;
    const observer = new ResizeObserver(() => {
      const top = Number.parseFloat(getComputedStyle(current).top) || 0;
      scroller.style.scrollPaddingBlock = `${top + current.offsetHeight + 16}px 16px`;
    });
    observer.observe(current);
    return () => {
      observer.disconnect();
      scroller.style.scrollPaddingBlock = '';
    };
  }, [bar]);
}

/** While `isChanged`, asks before another page is opened, and lets the browser ask before it leaves. */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isChanged && (currentLocation.pathname !== nextLocation.pathname || changesRelease(nextLocation.state)),
  );
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isChanged]);
  return (
    <Dialog
      opened={blocker.state === 'blocked'}
      onClose={() => blocker.reset?.()}
      title="Leave without saving?"
    >
      <Text size="sm">You have unsaved changes on this page.</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => blocker.reset?.()} data-autofocus>
          Stay
        </Button>
        <Button color="red" onClick={() => blocker.proceed?.()}>
          Leave
        </Button>
      </Group>
    </Dialog>
  );
}
