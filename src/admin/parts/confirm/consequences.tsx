/**
 * The consequences of a change, found by a dry run: routes that would break or change, wider access, and warnings.
 */
import { Alert, List, Text } from '@mantine/core';
import { useState } from 'react';
import type { Access, DryRun, Warning } from '../../api.ts';
import { Loading } from '../loading/loading.tsx';
import { ProblemAlert } from '../problems/problem-alert.tsx';
import { AffectedRoutes } from './affected-routes.tsx';
import { Confirm } from './confirm.tsx';

/** What there is to ask about: routes whose callers notice the change, wider access, and warnings that do not hold already. */
export function worthAsking(found: DryRun, known: readonly Warning[] = []): DryRun | undefined {
  const isKnown = ({ message }: Warning) => known.some((warning) => warning.message === message);
  const warnings = found.warnings.filter((warning) => !isKnown(warning));
  const isNoticed = found.changes.some(({ changes }) => changes.some(({ severity }) => severity !== 'safe'));
  const isWorth = found.breaks.length + warnings.length > 0 || isNoticed || found.opensTo !== undefined;
  return isWorth ? { ...found, warnings } : undefined;
}

/** The published routes that would break or change, by name, who could call them from then on, and the warnings. */
function Consequences({ found: { breaks, changes, opensTo, warnings } }: { found: DryRun }) {
  return (
    <>
      <AffectedRoutes breaks={breaks} changes={changes} />
      {opensTo && (
        <Alert color="orange" variant="light" title="More callers are let in">
          {openings[opensTo]}
        </Alert>
      )}
      <Warnings warnings={warnings} />
    </>
  );
}

const openings: Readonly<Record<Access, string>> = {
  ANYONE: 'Anyone who can reach the server may call it, without a key and without signing in.',
  API_KEY: 'A key of an API client is enough.',
  CLIENT_CREDENTIALS: 'The ID and the secret of an API client are enough.',
};

const warningTitles: Readonly<Record<Warning['code'], string>> = {
  public_write: 'Anyone can change content',
  get_mutation: 'Opening a link can change content',
  empty_filter: 'A filter finds nothing',
};

/** Warnings of what is allowed but may not be meant; nothing without any. */
export function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  return [...Map.groupBy(warnings, ({ code }) => code)].map(([code, alike]) => (
    <Alert key={code} color="orange" variant="light" title={warningTitles[code]}>
      <List size="sm">
        {alike.map(({ path, message, mapping }) => (
          <List.Item key={`${path} ${message}`}>
            {mapping !== undefined && <strong>{mapping}: </strong>}
            {message}.
          </List.Item>
        ))}
      </List>
    </Alert>
  ));
}

/** The consequences once they are known; `query` is a dry run. */
export function DryRunReport({
  query: { data, error, isFetching, refetch },
  nothing,
}: {
  query: {
    data: DryRun | undefined;
    error: Error | null;
    isFetching: boolean;
    refetch: () => Promise<unknown>;
  };
  /** The text for a change without consequences. */
  nothing: string;
}) {
  if (isFetching) return <Loading />;
  if (!data)
    return <ProblemAlert error={error} title="The consequences could not be checked" onRetry={refetch} />;
  if (!worthAsking(data) && data.changes.length === 0) return <Text size="sm">{nothing}</Text>;
  return <Consequences found={data} />;
}

/** What to ask; `action` names the change on the button, such as `Save anyway`. */
interface ChangeQuestion {
  readonly found: DryRun;
  readonly title: string;
  readonly action: string;
}

/** The dialog while there is a question. */
export function ConfirmChange({
  question,
  onClose,
  onConfirm,
}: {
  question: ChangeQuestion | undefined;
  onClose: () => void;
  onConfirm: () => void;
}) {
  // The dialog fades with the question that it had.
  const [shown, setShown] = useState(question);
  if (question && question.found !== shown?.found) setShown(question);
  return (
    <Confirm
      title={shown?.title ?? ''}
      size="lg"
      consequence={describe(shown?.found)}
      action={shown?.action ?? ''}
      isOpen={question !== undefined}
      onClose={onClose}
      onConfirm={async () => onConfirm()}
    >
      {shown && <Consequences found={shown.found} />}
    </Confirm>
  );
}

function describe(found: DryRun | undefined): string {
  if (!found) return '';
  if (found.breaks.length > 0) return `Programs that call these routes are affected immediately. ${unlisted}`;
  return found.changes.length > 0
    ? `Programs that call these routes need no change, but may notice it. ${unlisted}`
    : 'No working route would break.';
}

const unlisted =
  'Queries that programs send directly to a GraphQL endpoint are not listed, since Colophon does not know them.';
