/**
 * The list of blocks that the menu offers, below the `/`.
 */
import { Paper } from '@mantine/core';
import type { Editor } from '@tiptap/core';
import { useLayoutEffect, useRef } from 'react';
import { useEditorState } from '../use-editor-state.ts';
import { listIdOf, menuPlace, offeredBlocks, optionIdOf, takeBlock } from './block-menu.ts';

/** The list; nothing while the menu is closed or nothing matches. `label` names it. */
export function BlockList({ editor, label }: { editor: Editor; label: string }) {
  // As a text, which stays the same until something changes.
  const drawn = useEditorState(editor, () => {
    const names = offeredBlocks(editor).map(({ name }) => name);
    return JSON.stringify(names.length > 0 ? [names, menuPlace(editor)?.index] : null);
  });
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = list.current;
    const place = menuPlace(editor);
    if (drawn === 'null' || !box?.offsetParent || !place) return;
    const frame = box.offsetParent.getBoundingClientRect();
    box.style.top = `${place.bottom - frame.top + 4}px`;
    box.style.left = `${Math.max(0, Math.min(place.left - frame.left, frame.width - box.offsetWidth - 2))}px`;
    box.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [editor, drawn]);
  // Safe: written above.
  const [names, active] = (JSON.parse(drawn) ?? [[], 0]) as [readonly string[], number];
  if (names.length === 0) return null;
  const listId = listIdOf(editor);
  return (
    <Paper
      ref={list}
      id={listId}
      role="listbox"
      aria-label={label}
      className="colophon-blocks"
      withBorder
      p={4}
    >
      {names.map((name, index) => (
        // The keys are those of the text.
        <div
          key={name}
          id={optionIdOf(listId, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // The focus stays in the text.
          onMouseDown={(event) => {
            event.preventDefault();
            const action = offeredBlocks(editor)[index];
            if (action) takeBlock(editor, action);
          }}
        >
          {name}
        </div>
      ))}
    </Paper>
  );
}
