/**
 * The input of a text on one line.
 */
import { Group, TextInput } from '@mantine/core';
import type { ClipboardEvent, ReactNode } from 'react';
import { type InputProps, useInputFrame } from '../draft/form-context.ts';
import { helpWithCount, lengthOf } from './help.tsx';

/** Edits a text on one line. An empty input means that the value is absent. `beside` stands in the same row as the input. */
export function Line({
  inputMode,
  beside,
  ...props
}: InputProps & { inputMode?: 'numeric' | 'decimal' | 'url'; beside?: ReactNode }) {
  const frame = useInputFrame(props);
  const text = toText(props.draft);
  return (
    <TextInput
      {...frame}
      description={helpWithCount(frame.description, lengthOf(text), props.field.constraint.maxLength)}
      value={text}
      onChange={(event) => props.onChange(event.currentTarget.value || undefined)}
      onPaste={pasteInOneLine}
      autoComplete="off"
      {...(inputMode ? { inputMode } : {})}
      {...(beside ? { inputContainer: (input: ReactNode) => <Beside input={input}>{beside}</Beside> } : {})}
    />
  );
}

/** An input with something in the same row. */
export function Beside({ input, children }: { input: ReactNode; children: ReactNode }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <div style={{ flex: 1, minWidth: 0 }}>{input}</div>
      {children}
    </Group>
  );
}

/** The text of a draft; empty for an absent value. */
export const toText = (draft: InputProps['draft']): string => (draft === undefined ? '' : String(draft));

/** Pastes line breaks as spaces. The browser would leave them out, and join the words on both sides. */
function pasteInOneLine(event: ClipboardEvent<HTMLInputElement>): void {
  const text = event.clipboardData.getData('text/plain');
  if (!/[\n\r]/.test(text)) return;
  event.preventDefault();
  // The only way to insert a text that undo takes back; it is deprecated without a successor.
  document.execCommand('insertText', false, toOneLine(text));
}

/** Puts a text in one line. */
const toOneLine = (text: string) => text.trim().replaceAll(/\s*[\n\r]+\s*/g, ' ');
