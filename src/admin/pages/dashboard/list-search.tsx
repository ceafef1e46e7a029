/**
 * The input that searches a list of the dashboard.
 */
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import type { ListState } from './use-list-state.ts';

/** The longest text that the server searches for. */
const maxLength = 200;

/** The input; the list is searched when the person pauses. */
export function ListSearch({
  label,
  placeholder,
  list,
}: {
  label: string;
  placeholder: string;
  list: ListState;
}) {
  const [text, setText] = useState(list.search);
  const sent = useRef(list.search);
  const send = useDebouncedCallback((value: string) => {
    sent.current = value;
    list.change({ search: value });
  }, 300);
  useEffect(() => {
    // The address has changed otherwise, such as by going back.
    if (list.search === sent.current) return;
    sent.current = list.search;
    setText(list.search);
  }, [list.search]);
  return (
    <TextInput
      type="search"
      size="xs"
      aria-label={label}
      placeholder={placeholder}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value.trim());
      }}
      maxLength={maxLength}
      autoComplete="off"
      w={260}
      maw="100%"
    />
  );
}
