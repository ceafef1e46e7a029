/**
 * Asks before a change that would break published routes, or let anyone change content.
 */
import { useState } from 'react';
import type { DryRun } from '../../api.ts';
import { Confirm } from './confirm.tsx';
import { Consequences } from './consequences.tsx';

/** What to ask; `action` names the change on the button, such as `Save anyway`. */
export interface ChangeQuestion {
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

function describe({ breaks, warnings }: DryRun = { breaks: [], warnings: [] }): string {
  if (breaks.length > 0) {
    return 'Programs that call these routes are affected immediately. Queries that programs send directly to a GraphQL endpoint are not listed, since Colophon does not know them.';
  }
  return warnings.length > 0
    ? 'Anyone who can reach the server will be able to do this, without a key and without signing in.'
    : 'No working route would break.';
}
