/**
 * An action of the user that runs once, such as saving a form, however often the button is clicked, and the button that shows it running. A disabled button
 * cannot guarantee that, since React renders only after a second fast click. So the click handler itself checks.
 */
import { Button, type ButtonProps, Loader } from '@mantine/core';
import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

/** An action, and how its last run went. */
export interface Action<Data, Variables>
  extends Pick<
    UseMutationResult<Data, Error, Variables>,
    'data' | 'error' | 'variables' | 'isPending' | 'submittedAt' | 'reset'
  > {
  /** Starts it; does nothing while it is under way, or done and its result not drawn yet. */
  readonly run: (variables: Variables) => void;
}

/** An action that runs once at a time. */
export function useAction<Data, Variables = void>(
  act: (variables: Variables) => Promise<Data>,
  options: Pick<UseMutationOptions<Data, Error, Variables>, 'onSuccess' | 'onError'> = {},
): Action<Data, Variables> {
  const guard = useRef<'free' | 'running' | 'finished'>('free');
  const { data, error, variables, isPending, submittedAt, reset, mutate } = useMutation({
    ...options,
    mutationFn: act,
    onSettled: () => {
      guard.current = 'finished';
    },
  });
  // Free again once the outcome is drawn: by then a form whose work is done has gone.
  useEffect(() => {
    if (guard.current === 'finished' && !isPending) guard.current = 'free';
  });
  return {
    data,
    error,
    variables,
    isPending,
    submittedAt,
    reset,
    run: (given) => {
      if (guard.current !== 'free') return;
      guard.current = 'running';
      mutate(given);
    },
  };
}

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
