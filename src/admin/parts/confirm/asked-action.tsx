/**
 * An action of a page that is not easily undone: what it does, its button, and the dialog that asks before it.
 */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DryRun } from '../../api.ts';
import { Confirm, ConfirmByName, type ConfirmProps } from './confirm.tsx';
import { DryRunReport } from './consequences.tsx';

/** The action, in red where its dialog asks for the `name`. `children` say what it does, `button` is the label of its button. */
export function AskedAction({
  name,
  button,
  dryRun,
  onConfirm,
  children,
  ...words
}: Pick<ConfirmProps, 'title' | 'consequence' | 'action'> & {
  name?: string;
  button: string;
  /** What is found out before; `nothing` is the text for a change without consequences. */
  dryRun?: { queryKey: readonly string[]; queryFn: () => Promise<DryRun>; nothing: string };
  /** The dialog closes after it, unless the page goes. */
  onConfirm: () => Promise<unknown>;
  children: ReactNode;
}) {
  const [isOpen, { open, close }] = useDisclosure();
  const confirm = async () => {
    await onConfirm();
    close();
  };
  const dialog = { ...words, isOpen, onClose: close, onConfirm: confirm };
  return (
    <Stack gap="xs">
      <Text size="sm">{children}</Text>
      <Group>
        {name === undefined ? (
          <Button variant="default" onClick={open}>
            {button}
          </Button>
        ) : (
          <Button variant="outline" color="red" onClick={open}>
            {button}
          </Button>
        )}
      </Group>
      {name === undefined && <Confirm {...dialog} />}
      {name !== undefined && !dryRun && <ConfirmByName {...dialog} name={name} />}
      {name !== undefined && dryRun && <ConfirmDryRun {...dialog} name={name} dryRun={dryRun} />}
    </Stack>
  );
}

/** The dialog that also tells what the action would end. */
function ConfirmDryRun({
  dryRun: { nothing, ...query },
  ...dialog
}: ConfirmProps & {
  name: string;
  dryRun: { queryKey: readonly string[]; queryFn: () => Promise<DryRun>; nothing: string };
}) {
  const report = useQuery({ ...query, enabled: dialog.isOpen, gcTime: 0 });
  return (
    <ConfirmByName {...dialog} isReady={report.isSuccess && !report.isFetching}>
      <DryRunReport query={report} nothing={nothing} />
    </ConfirmByName>
  );
}
