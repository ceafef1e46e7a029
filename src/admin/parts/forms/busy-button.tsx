/**
 * A button that shows that its action is running. It is not disabled, so that it keeps the focus.
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
