/**
 * Asks before a change that callers of published routes notice, that lets in more callers, or that has warnings.
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

function describe(found: DryRun | undefined): string {
  if (!found) return '';
  if (found.breaks.length > 0) return `Programs that call these routes are affected immediately. ${unlisted}`;
  return found.changes.length > 0
    ? `Programs that call these routes need no change, but may notice it. ${unlisted}`
    : 'No working route would break.';
}

const unlisted =
  'Queries that programs send directly to a GraphQL endpoint are not listed, since Colophon does not know them.';
