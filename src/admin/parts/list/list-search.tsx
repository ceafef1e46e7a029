/**
 * The search of a list whose rows the server finds.
 */
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { SearchIcon } from '../layout/icons.ts';

/** The longest text that the server searches for. */
const maxLength = 200;

/** The input; `onSearch` receives the text when the person pauses, and `search` is the one that the address has. */
export function ListSearch({
  label,
  placeholder,
  search,
  onSearch,
}: {
  label: string;
  placeholder: string;
  search: string;
  onSearch: (search: string) => void;
}) {
  const [text, setText] = useState(search);
  const sent = useRef(search);
  const send = useDebouncedCallback((value: string) => {
    sent.current = value;
    onSearch(value);
  }, 300);
  useEffect(() => {
    // The address has changed otherwise, such as by going back.
    if (search === sent.current) return;
    sent.current = search;
    setText(search);
  }, [search]);
  return (
    <TextInput
      type="search"
      size="sm"
      leftSection={<SearchIcon size={15} />}
      aria-label={label}
      placeholder={placeholder}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value.trim());
      }}
      maxLength={maxLength}
      autoComplete="off"
      w={240}
      maw="100%"
    />
  );
}
