/**
 * The input of a predicate. It completes fields, operators and values of enums at the caret.
 */
import { Box, Combobox, Textarea, type TextareaProps, TextInput, useCombobox } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ContentType } from '../../api.ts';
import { complete } from './complete.ts';

/**
 * Edits a predicate about a type; without a type nothing is completed. The arrow keys choose a suggestion, and Enter takes it. With
 * `isMultiline`, it stands in a bar with its help as placeholder, and Enter otherwise begins a line; without, Enter submits the form.
 */
export function PredicateInput({
  type,
  label,
  description,
  value,
  onChange,
  error,
  isMultiline = false,
}: {
  type: ContentType | undefined;
  label: string;
  description: string;
  value: string;
  onChange: (value: string) => void;
  /** What is wrong, or whether something is. */
  error: ReactNode;
  isMultiline?: boolean;
}) {
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [caret, setCaret] = useState(value.length);
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const caretToSet = useRef<number>(undefined);
  const completions = useMemo(() => (type ? complete(type, value, caret) : []), [type, value, caret]);

  useLayoutEffect(() => {
    if (caretToSet.current === undefined) return;
    input.current?.setSelectionRange(caretToSet.current, caretToSet.current);
    caretToSet.current = undefined;
  });

  const readCaret = (event: SyntheticEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    const { selectionStart } = event.currentTarget;
    if (selectionStart === null || selectionStart === caret) return;
    setCaret(selectionStart);
    combobox.resetSelectedOption();
  };
  const take = (word: string) => {
    const taken = completions.find((completion) => completion.word === word);
    combobox.closeDropdown();
    if (!taken) return;
    onChange(taken.text);
    setCaret(taken.caret);
    caretToSet.current = taken.caret;
  };
  const shared = {
    ref: input,
    ...(isMultiline ? { 'aria-label': label, placeholder: description } : { label, description }),
    value,
    error,
    onChange: (event: SyntheticEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      readCaret(event);
      onChange(event.currentTarget.value);
      combobox.openDropdown();
    },
    onSelect: readCaret,
    onBlur: () => combobox.closeDropdown(),
    spellCheck: false,
    styles: { input: { fontFamily: 'var(--mantine-font-family-monospace)' } },
  } satisfies Partial<TextareaProps>;
  const isOpen = combobox.dropdownOpened && completions.length > 0;
  return (
    <Combobox store={combobox} onOptionSubmit={take}>
      {/* The suggestions stand below what is wrong. */}
      <Combobox.DropdownTarget>
        <Box flex="1 1 240px">
          {/* A text area of several lines is no combobox, and its arrow keys move the caret while nothing is suggested. */}
          <Combobox.EventsTarget
            withExpandedAttribute={!isMultiline}
            withKeyboardNavigation={!isMultiline || isOpen}
          >
            {isMultiline ? (
              <Textarea {...shared} aria-autocomplete="list" autosize minRows={1} maxRows={12} />
            ) : (
              <TextInput {...shared} aria-autocomplete="list" />
            )}
          </Combobox.EventsTarget>
        </Box>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown hidden={completions.length === 0}>
        <Combobox.Options mah={240} style={{ overflowY: 'auto' }} aria-label="Suggestions">
          {completions.map(({ word }) => (
            <Combobox.Option key={word} value={word}>
              {word}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
