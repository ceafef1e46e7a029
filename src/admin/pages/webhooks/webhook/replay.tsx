/**
 * Sends changes again from a time or a change on, after it has told what that would do.
 */
import { Alert, Button, Group, NumberInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import type { Webhook, WebhookReplayPlan } from '../../../api.ts';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { countOf } from '../../../parts/data/number-words.ts';
import { Loading } from '../../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { Moment } from '../../../parts/time/ago.tsx';
import { describeZone, fromInputText } from '../../../parts/time/local-time.ts';
import { type ReplayFrom, replayPlan, useWebhookChanges, webhookStatus } from '../webhook-data.ts';

/** The form, and the dialog with the consequences. */
export function Replay({ id, name }: { id: string; name: string }) {
  const { replay } = useWebhookChanges();
  const [isAsking, { open, close }] = useDisclosure(false);
  const [from, setFrom] = useState<ReplayFrom>({ from: 0 });
  const plan = useQuery({ ...replayPlan(id, from), enabled: isAsking });
  const state = useQuery(webhookStatus(id)).data?.data.state;
  const ask = (chosen: ReplayFrom) => {
    setFrom(chosen);
    open();
  };
  return (
    <Stack gap="xs">
      <Text size="sm">
        A replay sends all matching changes again, from a time or a change on. The messages have the same{' '}
        <code>webhook-id</code> as before.
      </Text>
      <StartForm onAsk={ask} />
      <Confirm
        title={`Replay changes to ${name}?`}
        consequence="The messages are sent in the background, in the order of the changes."
        action="Replay"
        color="indigo"
        isOpen={isAsking}
        onClose={close}
        isReady={plan.isSuccess && !plan.isFetching}
        onConfirm={async () => {
          await replay(id, from);
          close();
          notifications.show({ message: `Replaying changes to ${name}` });
        }}
      >
        <ReplayReport query={plan} state={state} />
      </Confirm>
    </Stack>
  );
}

function StartForm({ onAsk }: { onAsk: (from: ReplayFrom) => void }) {
  const [by, setBy] = useState<'time' | 'change'>('time');
  const [time, setTime] = useState('');
  const [seq, setSeq] = useState<number | string>('');
  const [error, setError] = useState<string>();
  const ms = fromInputText(time);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const from = by === 'time' ? ms !== undefined && { from: ms } : isSeq(seq) && { fromSeq: seq };
    setError(from ? undefined : by === 'time' ? 'Enter a date and a time' : 'Enter the number of a change');
    if (from) onAsk(from);
  };
  return (
    <form onSubmit={submit} noValidate aria-label="Replay">
      <Stack gap="xs" maw={420}>
        <SegmentedControl
          aria-label="Begin with"
          data={[
            { value: 'time', label: 'From a time' },
            { value: 'change', label: 'From a change' },
          ]}
          value={by}
          onChange={(value) => {
            setBy(value === 'time' ? 'time' : 'change');
            setError(undefined);
          }}
        />
        {by === 'time' ? (
          <TextInput
            type="datetime-local"
            step={1}
            label="Changes since"
            description={`Your time zone, ${describeZone(ms)}.`}
            value={time}
            onChange={(event) => setTime(event.currentTarget.value)}
            error={error}
          />
        ) : (
          <NumberInput
            label="First change"
            description="Its number in the change log, the seq of its message."
            value={seq}
            onChange={setSeq}
            min={1}
            allowDecimal={false}
            allowNegative={false}
            hideControls
            error={error}
          />
        )}
        <Group>
          <Button type="submit" variant="default">
            Replay…
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const isSeq = (value: number | string): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** The consequences once they are known, for a webhook in a state. */
function ReplayReport({
  query: { data, error, isFetching, refetch },
  state,
}: {
  query: UseQueryResult<WebhookReplayPlan>;
  state: Webhook['state'] | undefined;
}) {
  if (isFetching) return <Loading />;
  if (!data) return <ProblemAlert error={error} title="The replay cannot begin there" onRetry={refetch} />;
  const { fromSeq, at, changes, skipped } = data;
  return (
    <Stack gap="xs">
      {changes === 0 ? (
        <Text size="sm">No change is as late as that, so nothing is sent again.</Text>
      ) : (
        <Text size="sm">
          It begins with change {fromSeq}
          {at !== undefined && (
            <>
              {' of '}
              <Moment ms={at} withSeconds />
            </>
          )}
          . {countOf(changes, 'change')} of all content and settings {changes === 1 ? 'is' : 'are'} checked,
          and those that match the saved webhook are sent.
        </Text>
      )}
      {skipped > 0 && (
        <Alert color="orange" variant="light" title="Changes are skipped">
          {countOf(skipped, 'change')} before change {fromSeq} {skipped === 1 ? 'was' : 'were'} not checked
          yet, and will not be sent.
        </Alert>
      )}
      {state === 'disabled' && <Text size="sm">It begins when someone enables the webhook.</Text>}
      {state === 'broken' && <Text size="sm">It begins when the webhook fits the content types again.</Text>}
    </Stack>
  );
}
