/**
 * The bar of a form: its state, its buttons, and what went wrong. It stands under the title and stays in view.
 */
import { Group, Text } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Ago } from '../time/ago.tsx';
import classes from './form-bar.module.css';

/** The bar, 56 pixels high; `children` are the buttons, `problems` stand below them. */
export function FormBar({
  state,
  problems,
  children,
}: {
  state?: ReactNode;
  problems?: ReactNode;
  children: ReactNode;
}) {
  const bar = useRef<HTMLDivElement>(null);
  useScrollPadding(bar);
  return (
    <div ref={bar} className={classes.bar}>
      <Group mih={55} gap="xs" py={4} justify="space-between">
        <Group gap="xs" flex="1 1 auto" miw={140}>
          {state}
        </Group>
        <Group gap="xs">{children}</Group>
      </Group>
      <div className={classes.problems}>{problems}</div>
    </div>
  );
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
