/**
 * Tells what a replay would do.
 */
import { Alert, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Webhook, WebhookReplayPlan } from '../../../api.ts';
import { countOf } from '../../../parts/data/number-words.ts';
import { Loading } from '../../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { Moment } from '../../../parts/time/moment.tsx';

/** The consequences once they are known, for a webhook in a state. */
export function ReplayReport({
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
          . {countOf(changes, 'change')} of all content and settings {changes === 1 ? 'is' : 'are'} examined,
          and those that match the saved webhook are sent.
        </Text>
      )}
      {skipped > 0 && (
        <Alert color="orange" variant="light" title="Changes are skipped">
          {countOf(skipped, 'change')} before change {fromSeq} {skipped === 1 ? 'was' : 'were'} not examined
          yet, and will not be sent.
        </Alert>
      )}
      {state === 'disabled' && <Text size="sm">It begins when someone enables the webhook.</Text>}
      {state === 'broken' && <Text size="sm">It begins when the webhook fits the content types again.</Text>}
    </Stack>
  );
}
