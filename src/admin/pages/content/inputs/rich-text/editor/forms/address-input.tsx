/**
 * The input of an address.
 */
import { TextInput } from '@mantine/core';

/** The input, which has the focus at once. */
export function AddressInput({
  label,
  description,
  error,
  value,
  onChange,
}: {
  label: string;
  description?: string | undefined;
  error: string | undefined;
  value: string;
  onChange: (address: string) => void;
}) {
  return (
    <TextInput
      label={label}
      description={description}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      inputMode="url"
      autoComplete="off"
      // In a dialog, Escape would close that as well.
      data-mantine-stop-propagation
      autoFocus
      flex="1 1 240px"
    />
  );
}
