/**
 * The choice of a role, with what it may do.
 */
import { NativeSelect } from '@mantine/core';
import type { Role } from '../../api.ts';
import { roleMeanings, roles } from '../../roles.ts';

/** The field; `error` is what the server says about it. `isInLine` leaves label and meaning to what stands around it. */
export function RoleSelect({
  value,
  onChange,
  error,
  isInLine = false,
}: {
  value: Role;
  onChange: (role: Role) => void;
  error?: string | undefined;
  isInLine?: boolean;
}) {
  const choose = (text: string) => {
    const chosen = roles.find((role) => role === text);
    if (chosen) onChange(chosen);
  };
  return (
    <NativeSelect
      {...(isInLine ? { 'aria-label': 'Role' } : { label: 'Role', description: roleMeanings[value] })}
      data={[...roles]}
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
      error={error}
    />
  );
}
