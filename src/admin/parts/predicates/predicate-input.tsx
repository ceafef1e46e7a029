/**
 * The input of a predicate. It completes fields, operators and values of enums at the caret.
 */
import { Box, Combobox, Textarea, type TextareaProps, TextInput, useCombobox } from '@mantine/core';
import {
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ContentType } from '../../api.ts';
import { complete, completionOfWord, isBeingTyped } from './complete.ts';

/**
 * Edits a predicate about a type; without a type nothing is completed. The arrow keys choose a suggestion. Tab and Enter take it, or the first one
 * that completes the word which is begun; otherwise Tab leaves the input. With `isMultiline`, it stands in a bar with its help as placeholder, and
 * Enter otherwise begins a line; without, Enter submits the form.
 */
export function PredicateInput({
  type,
  label,
  description,
  value,
  onChange,
  error,
  mistakeAt,
  isMultiline = false,
}: {
  type: ContentType | undefined;
  label: string;
  description: string;
  value: string;
  onChange: (value: string) => void;
  /** What is wrong, or whether something is. */
  error: ReactNode;
  /** The column of a mistake that was found while one types: it waits until its word ends, or the input is left. */
  mistakeAt?: number | undefined;
  isMultiline?: boolean;
}) {
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [caret, setCaret] = useState(value.length);
  const [isFocused, setIsFocused] = useState(false);
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
  const takeByKey = (event: KeyboardEvent) => {
    const isKey = (event.key === 'Tab' && !event.shiftKey) || event.key === 'Enter';
    if (!isKey || event.nativeEvent.isComposing || !combobox.dropdownOpened) return;
    const chosen = completions[combobox.getSelectedOptionIndex()];
    const taken = chosen ?? completionOfWord(completions, value, caret);
    if (!taken || (chosen && event.key === 'Enter')) return;
    event.preventDefault();
    take(taken.word);
  };
  const isWaiting = mistakeAt !== undefined && isFocused && isBeingTyped(value, caret, mistakeAt);
  const shared = {
    ref: input,
    ...(isMultiline ? { 'aria-label': label, placeholder: description } : { label, description }),
    value,
    error: isWaiting ? undefined : error,
    onChange: (event: SyntheticEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      readCaret(event);
      onChange(event.currentTarget.value);
      combobox.openDropdown();
    },
    onSelect: readCaret,
    onKeyDown: takeByKey,
    onFocus: () => setIsFocused(true),
    onBlur: () => {
      setIsFocused(false);
      combobox.closeDropdown();
    },
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
