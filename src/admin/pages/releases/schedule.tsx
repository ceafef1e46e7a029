/**
 * The schedule of a release: when it goes live, why it did not, and how to change that.
 */
import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { admin, answer, type Release } from '../../api.ts';
import { Confirm } from '../../parts/confirm/confirm.tsx';
import { countOf } from '../../parts/data/number-words.ts';
import { nameOfRelease } from '../../parts/releases/release-data.ts';
import { Moment } from '../../parts/time/ago.tsx';
import { describeTime, describeZone, fromInputText, toInputText } from '../../parts/time/local-time.ts';
import { useMay } from '../../roles.ts';

/** The state with the buttons that change it, below `children`; users who may not publish see the state alone. `summary` ends its line. */
export function Schedule({
  release,
  summary,
  children,
}: {
  release: Release;
  summary: ReactNode;
  children?: ReactNode;
}) {
  const { name, publishAt, scheduledBy, published, stopped } = release;
  const maySchedule = useMay('editor');
  const client = useQueryClient();
  const [isChoosing, choosing] = useDisclosure(false);
  const [isRemoving, removing] = useDisclosure(false);
  const refresh = () => client.invalidateQueries({ queryKey: ['releases'] });
  return (
    <>
      {stopped && (
        <Alert color="red" variant="light" title="The scheduled publication has stopped">
          <Text size="sm">
            {stopped.message} (<Moment ms={stopped.at} />)
          </Text>
          <Text size="sm">
            Nothing went live. Change the drafts, then publish the release or schedule it again.
          </Text>
        </Alert>
      )}
      {children}
      <Group justify="space-between" gap="xs">
        {' '}
        <Group component="section" aria-label="Schedule" gap="xs" mih={28}>
          <Text size="sm">
            {publishAt !== undefined && (
              <>
                {stopped ? 'Was scheduled for' : 'Goes live on'} <Moment ms={publishAt} />
                {scheduledBy !== undefined && `, scheduled by ${scheduledBy}`}
              </>
            )}
            {publishAt === undefined && (published ? <Published {...published} /> : 'Not scheduled')}
          </Text>
          {maySchedule && (
            <Button size="compact-sm" variant="default" onClick={choosing.open}>
              {publishAt === undefined ? 'Schedule…' : 'Change the time…'}
            </Button>
          )}
          {maySchedule && publishAt !== undefined && (
            <Button size="compact-sm" variant="default" onClick={removing.open}>
              Remove the schedule…
            </Button>
          )}
        </Group>
        {summary}
      </Group>
      {isChoosing && <ScheduleDialog release={release} onClose={choosing.close} onScheduled={refresh} />}
      <Confirm
        title="Remove the schedule?"
        consequence="The release and its drafts stay. They go live only when someone publishes them."
        action="Remove the schedule"
        isOpen={isRemoving}
        onClose={removing.close}
        onConfirm={async () => {
          await answer(admin.unscheduleRelease({ path: { release: name } }));
          removing.close();
          notifications.show({ message: 'Schedule removed' });
          await refresh();
        }}
      />
    </>
  );
}

function Published({ at, by, drafts }: NonNullable<Release['published']>) {
  return (
    <>
      {countOf(drafts, 'draft')} published on <Moment ms={at} />
      {by !== undefined && ` by ${by}`}
    </>
  );
}

function ScheduleDialog({
  release,
  onClose,
  onScheduled,
}: {
  release: Release;
  onClose: () => void;
  onScheduled: () => Promise<void>;
}) {
  const { name, publishAt } = release;
  const [openedAt] = useState(Date.now);
  // A time that has passed is no proposal.
  const [text, setText] = useState(() =>
    publishAt === undefined || publishAt <= openedAt ? '' : toMinute(toInputText(publishAt)),
  );
  const at = fromInputText(text, publishAt);
  return (
    <Confirm
      title={`Schedule ${nameOfRelease(release)}`}
      consequence="All drafts that the release has at that time go live in one step. If one of them cannot, none does, and the first page says why."
      action="Schedule"
      color="indigo"
      isReady={at !== undefined}
      isOpen
      onClose={onClose}
      nameOf={() => 'Time'}
      onConfirm={async () => {
        if (at === undefined) return;
        await answer(admin.scheduleRelease({ path: { release: name }, body: { at } }));
        notifications.show({ message: `Scheduled for ${describeTime(at)}` });
        onClose();
        await onScheduled();
      }}
    >
      <TextInput
        type="datetime-local"
        label="Time"
        description={`Your time zone, ${describeZone(at)}.`}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        required
        data-autofocus
      />
      <Text size="sm" role="status">
        {at !== undefined && `Goes live on ${describeTime(at)}`}
      </Text>
    </Confirm>
  );
}

/** Leaves the seconds out. */
const toMinute = (text: string) => text.slice(0, 'YYYY-MM-DDThh:mm'.length);
