/**
 * A button that tells that its work is under way. It is not disabled meanwhile, as that would take the focus from it.
 */
import { Button, type ButtonProps, Loader } from '@mantine/core';

/** A button that submits its form, whose `useAction` leaves out what is submitted while it is busy. */
export function BusyButton({ isBusy, children, ...rest }: ButtonProps & { isBusy: boolean }) {
  return (
    <Button
      {...rest}
      type="submit"
      aria-busy={isBusy}
      leftSection={isBusy && <Loader size="xs" color="currentColor" role="img" aria-label="Working" />}
    >
      {children}
    </Button>
  );
}
